#!/usr/bin/env python3
"""Every function of doca_core.h that takes a task, buf, mmap or context refuses the handle of a
released object when a later object has taken its place, and touches neither the later object nor
its other arguments. It also refuses handles of another kind, as at level 1.

The calls are generated from the prototypes, one call for each parameter of such a type;
earlier_lives.c makes the objects. The program is compiled so that it ends when a handle is
dereferenced without conversion.

usage: test_earlier_lives.py CC
Exit status: 0, 1 a handle was taken, or no prototypes were found, 64 usage."""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUPPORT = HERE.parent / "support"
OPTIONS = ["-std=gnu11", "-D_GNU_SOURCE", "-DDOCA_CORE_CHECK_LIVES=1", f"-I{ROOT}",
           f"-I{SUPPORT}"]
TRAPS = ["-fsanitize=alignment", "-fsanitize-undefined-trap-on-error"]

# The kinds that earlier_lives.c makes: first those with a later object in the same place, then
# others.
KINDS = ["task", "dma_task_memcpy", "buf", "mmap", "ctx", "dma", "sha", "mmap_advise", "sync_event",
         "sha_task_hash", "sha_task_partial_hash", "mmap_advise_task_invalidate_cache",
         "sync_event_task_get", "sync_event_task_notify_set", "sync_event_task_notify_add",
         "sync_event_task_wait_gt", "sync_event_task_wait_eq", "sync_event_task_wait_neq"]
OTHERS = {"dev": "rig.dev", "pe": "rig.pe", "buf_inventory": "rig.inventory", "buf_pool": "pool",
          "buf_arr": "array", "graph": "graph", "graph_node": "node", "graph_instance": "instance",
          "task_batch": "batch", "core_arena": "doca_core_arena_bound()", "gpu": "some_bytes",
          "dpa": "some_bytes"}

# Not tested: casts; calls that backends make with handles from the core; buffers of a task, which
# are checked when the task is submitted.
NOT_ASKED = re.compile(r"doca_\w+_as_(ctx|task|doca_task)/|doca_core_queue_append/|"
                       r"doca_core_dma_task_inspect/|"
                       r"doca_\w+_task_\w+_(alloc_init|set_src|set_dst|set_buf)/\w*buf$|"
                       r"doca_\w+_task_\w+_(alloc_init|set_src|set_dst)/(src|dst)$")

PROTOTYPE = re.compile(r"\b((?:const )?(?:struct |enum )?\w+[ *]+)(doca_\w+)\(([^;{}]*?)\)\s*;")
PARAMETER = re.compile(r"(.*?)\b(\w+)(\[\w*\])?$")


def prototypes(compiler):
    """Name, type of the result, and of each parameter its type and name."""
    text = subprocess.run([compiler, "-E", "-P", *OPTIONS, ROOT / "doca_core.h"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for result, name, parameters in PROTOTYPE.findall(text):
        if name.startswith("doca_priv_") or "return" in result:
            continue
        parts = [PARAMETER.match(" ".join(p.split())).groups("") for p in parameters.split(",")]
        found[name] = result.strip(), [(t.strip() + (" *" if a else ""), n) for t, n, a in parts]
    return found


def kind_of(parameter):
    match = re.fullmatch(r"(?:const )?struct doca_(\w+) \*", parameter)
    return match.group(1) if match else None


def argument(parameter):
    kind = kind_of(parameter)
    if kind in KINDS:
        return f"others[{kind.upper()}]"
    if kind in OTHERS:
        return f"({parameter})({OTHERS[kind]})"
    if parameter.startswith("union"):
        return f"({parameter}){{ 0 }}"
    if parameter.endswith("_cb_t"):
        return f"({parameter})(uintptr_t)never"
    return f"({parameter})some_bytes" if parameter.endswith("*") else f"({parameter})1"


def call(name, result, parameters, at):
    """Return the function that makes this call and returns its result."""
    given = ["handle" if i == at else argument(p[0]) for i, p in enumerate(parameters)]
    it = f"{name}({', '.join(given)})"
    if result.endswith("*"):
        it = f"return {it} == NULL ? DOCA_ERROR_UNKNOWN : DOCA_SUCCESS;"
    elif result == "doca_error_t":
        it = f"return {it};"
    else:
        it = f"(void){it}; return DOCA_ERROR_UNKNOWN;"
    return f"static doca_error_t call_{name}_{at}(void *handle) {{ {it} }}"


def main():
    if len(sys.argv) != 2:
        print("usage: test_earlier_lives.py CC", file=sys.stderr)
        sys.exit(64)
    compiler = sys.argv[1]
    functions, table = [], []
    for name, (result, parameters) in sorted(prototypes(compiler).items()):
        for at, (parameter, called) in enumerate(parameters):
            kind = kind_of(parameter)
            if kind in KINDS and not NOT_ASKED.match(f"{name}/{called}"):
                functions.append(call(name, result, parameters, at))
                table.append(f'{{ "{name}/{called}", call_{name}_{at}, {kind.upper()} }},')
    if len(table) < 150:
        sys.exit(f"no more than {len(table)} calls were found")
    print(f"{len(table)} calls of {len({t.split('/')[0] for t in table})} functions", flush=True)
    with tempfile.TemporaryDirectory() as place:
        kinds = ", ".join(k.upper() for k in KINDS)
        pathlib.Path(place, "calls.h").write_text("\n".join(
            [f"enum kind {{ {kinds}, KINDS }};", "static void *others[KINDS];", *functions,
             "static const struct call calls[] = {", *table, "};", ""]))
        program = pathlib.Path(place, "earlier_lives")
        for level, cases in (("2", []), ("1", ["handle_of_another_kind_is_refused"])):
            subprocess.run([compiler, *OPTIONS, f"-DDOCA_CORE_CHECK={level}", *TRAPS, "-O1", "-g",
                            "-w", f"-I{place}", "-o", program,
                            HERE / "earlier_lives.c", SUPPORT / "impl.c",
                            SUPPORT / "heap_trap.c",
                            "-pthread"], check=True)
            if subprocess.run([program, *cases], check=False).returncode != 0:
                sys.exit(f"at level {level}")


if __name__ == "__main__":
    main()
