#!/usr/bin/env python3
"""Check, in the checked mode, that every function of doca_core.h that takes a task, buf, mmap or
context refuses the stale handle of a released object after a later object has taken the same
memory. The function must change neither the later object nor its other arguments. At levels 1 and 2
it must also refuse the handle of an object of another type.

The script generates one call for each parameter of such a type from the prototypes;
earlier_lives.c creates the objects. The program is compiled so that it aborts when the library
dereferences a handle that it has not converted to an address.

usage: test_earlier_lives.py CC
Exit status: 0 all handles were refused; 1 a handle was accepted, or too few prototypes were found;
64 wrong arguments."""

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

# KINDS: the types of which earlier_lives.c creates two successive objects at one address.
# OTHERS: for arguments of other types, a C expression that gives a valid object.
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
NOT_TESTED = re.compile(r"doca_\w+_as_(ctx|task|doca_task)/|doca_core_queue_append/|"
                        r"doca_core_dma_task_inspect/|doca_core_backend_trace_end/|"
                        r"doca_\w+_task_\w+_(alloc_init|set_src|set_dst|set_buf)/\w*buf$|"
                        r"doca_\w+_task_\w+_(alloc_init|set_src|set_dst)/(src|dst)$")

PROTOTYPE = re.compile(r"\b((?:const )?(?:struct |enum )?\w+[ *]+)(doca_\w+)\(([^;{}]*?)\)\s*;")
PARAMETER = re.compile(r"(.*?)\b(\w+)(\[\w*\])?$")


def prototypes(compiler):
    """Return {function name: (result type, [(parameter type, parameter name), ...])}."""
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
    """Return a C function that calls `name` with `handle` as parameter number `at`, and returns the
    result."""
    given = ["handle" if i == at else argument(p[0]) for i, p in enumerate(parameters)]
    code = f"{name}({', '.join(given)})"
    if result.endswith("*"):
        code = f"return {code} == NULL ? DOCA_ERROR_UNKNOWN : DOCA_SUCCESS;"
    elif result == "doca_error_t":
        code = f"return {code};"
    else:
        code = f"(void){code}; return DOCA_ERROR_UNKNOWN;"
    return f"static doca_error_t call_{name}_{at}(void *handle) {{ {code} }}"


def main():
    if len(sys.argv) != 2:
        print("usage: test_earlier_lives.py CC", file=sys.stderr)
        sys.exit(64)
    compiler = sys.argv[1]
    functions, table = [], []
    for name, (result, parameters) in sorted(prototypes(compiler).items()):
        for at, (parameter, called) in enumerate(parameters):
            kind = kind_of(parameter)
            if kind in KINDS and not NOT_TESTED.match(f"{name}/{called}"):
                functions.append(call(name, result, parameters, at))
                table.append(f'{{ "{name}/{called}", call_{name}_{at}, {kind.upper()} }},')
    if len(table) < 150:
        sys.exit(f"only {len(table)} calls were found in the prototypes, expected at least 150")
    print(f"{len(table)} calls of {len({t.split('/')[0] for t in table})} functions", flush=True)
    with tempfile.TemporaryDirectory() as place:
        kinds = ", ".join(k.upper() for k in KINDS)
        pathlib.Path(place, "calls.h").write_text("\n".join(
            [f"enum kind {{ {kinds}, KINDS }};", "static void *others[KINDS];", *functions,
             "static const struct call calls[] = {", *table, "};", ""]))
        library, program = pathlib.Path(place, "impl.o"), pathlib.Path(place, "earlier_lives")
        for level, cases in (("2", []), ("1", ["handle_of_another_kind_is_refused"])):
            options = [*OPTIONS, f"-DDOCA_CORE_CHECK={level}", *TRAPS, "-w"]
            # the calls are optimized, which inlines the data path; the library need not be
            subprocess.run([compiler, *options, "-O0", "-c", SUPPORT / "impl.c", "-o", library],
                           check=True)
            subprocess.run([compiler, *options, "-O1", f"-I{place}", "-o", program,
                            HERE / "earlier_lives.c", library, SUPPORT / "heap_trap.c",
                            "-pthread"], check=True)
            if subprocess.run([program, *cases], check=False).returncode != 0:
                sys.exit(f"earlier_lives failed with DOCA_CORE_CHECK={level}")


if __name__ == "__main__":
    main()
