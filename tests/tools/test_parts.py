#!/usr/bin/env python3
"""Compile each part of src/ separately, link the parts, and test tools/amalgamate.

usage: test_parts.py [CC [--syntax]]
  --syntax  only check the syntax of the parts
Each .h and each .c must compile without other parts and without a warning. The objects of the .c
files are linked together: all functions that the parts call must be defined. A header that
tools/amalgamate --only writes must pass the suites of its modules. tools/amalgamate must refuse
wrong arguments with a message.

Exit status: 0 all checks passed, 1 a check failed, 77 the compiler is not installed"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 2))
SOURCE = os.path.join(ROOT, 'src')
TESTS = os.path.join(ROOT, 'tests')
SUPPORT = os.path.join(TESTS, 'support')
AMALGAMATE = os.path.join(ROOT, 'tools', 'amalgamate')
IS_SYNTAX = '--syntax' in sys.argv[2:]
CC = sys.argv[1] if len(sys.argv) > 1 else os.environ.get('CC') or 'cc'
FLAGS = ['-std=c99', '-O0', '-Wall', '-Wextra', '-Wmissing-prototypes', '-Werror',
         '-I' + SOURCE]
LEAN_SUITES = ['device', 'device_properties', 'mmap', 'mmap_states', 'buf', 'inventory', 'pool',
               'ctx', 'ctx_callbacks', 'task', 'pe', 'pe_wake', 'dma', 'dma_refusals', 'dma_config']
HAS_JSON_C = os.path.exists('/usr/include/json-c/json.h')
HAS_VERBS = os.path.exists('/usr/include/infiniband/mlx5dv.h')

failed = []


def run(name, *command):
    """Run a command that must succeed. Return its output, or None if it failed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=300, check=False)
    if done.returncode != 0:
        failed.append(name)
        print('%s: %s\n%s' % (name, ' '.join(command), done.stdout[:2000]))
    return done.stdout if done.returncode == 0 else None


def parts():
    for folder, _, names in sorted(os.walk(SOURCE)):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), SOURCE)
            if name.endswith(('.h', '.c')) and name not in ('frame.h', 'manual.h') and \
                    (HAS_VERBS or not path.startswith('mlx5/')):
                yield path


def compile_part(path, directory):
    name = 'src/' + path
    source = os.path.join(SOURCE, path)
    if path.endswith('.h'):
        # Inline functions of the headers call functions of other parts, so there are unused
        # declarations. The headers have more inline functions with -O2.
        run(name, CC, *FLAGS, '-O2', '-Wno-unused', '-fsyntax-only', '-x', 'c', source)
    else:
        target = ['-fsyntax-only'] if IS_SYNTAX else [
            '-o', os.path.join(directory, path.replace('/', '.') + '.o')]
        run(name, CC, *FLAGS, '-c', source, *target)
        if path.startswith('compat/argp/json') and HAS_JSON_C:
            run(name, CC, *FLAGS, '-DDOCA_CORE_ARGP_JSON_C', '-fsyntax-only', source)


def link(directory):
    """Link the objects of all parts except the parts of doca_core_mlx5.h, and check that no name is
    undefined."""
    objects = [os.path.join(directory, o) for o in sorted(os.listdir(directory))
               if o.endswith('.o') and not o.startswith('mlx5.')]
    whole = os.path.join(directory, 'whole.o')
    if run('link', CC, '-r', '-nostdlib', *objects, '-o', whole) is None:
        return
    missing = [line.split()[-1] for line in (run('nm', 'nm', '-u', whole) or '').splitlines()
               if line.split()[-1].startswith('doca_')]
    if missing:
        failed.append('link')
        print('link: no part defines %s' % ' '.join(missing))


def check_lean(directory):
    """Check a header of some modules: it must not contain other modules, and must pass the suites
    of its modules."""
    header = os.path.join(directory, 'doca_core.h')
    code = os.path.join(directory, 'lean.o')
    if run('only', AMALGAMATE, '--only', 'pool,dma,sw', '-o', header) is None:
        return
    run('only: compile', CC, *FLAGS, '-D_GNU_SOURCE', '-DDOCA_CORE_IMPLEMENTATION', '-x', 'c', '-c',
        header, '-o', code)
    defined = run('only: nm', 'nm', code) or ''
    for name, is_defined in (('doca_dma_create', True), ('doca_sha_create', False),
                           ('doca_graph_create', False)):
        if (' T ' + name + '\n' in defined) != is_defined:
            failed.append('only')
            print('only: %s is %sdefined' % (name, '' if not is_defined else 'not '))
    for suite in LEAN_SUITES:
        program = os.path.join(directory, suite)
        source = [os.path.join(TESTS, folder, 'test_%s.c' % suite) for folder in ('core', 'sw')]
        if run('only: ' + suite, CC, '-std=gnu11', '-O0', '-D_GNU_SOURCE', '-I' + directory,
               '-I' + SUPPORT, *filter(os.path.exists, source),
               os.path.join(SUPPORT, 'heap_trap.c'), code, '-o', program, '-lpthread') is not None:
            run('only: ' + suite, program)


def check_refused(directory):
    """Check that wrong arguments give the documented status, and that no file is written."""
    target = os.path.join(directory, 'none.h')
    for arguments, status in ((['--only', 'nonsense', '-o', target], 64), (['--nonsense'], 64),
                              (['--only', 'dma', '-o', os.path.join(directory, 'no', 'x.h')], 74)):
        done = subprocess.run([AMALGAMATE] + arguments, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        if done.returncode != status or 'Traceback' in done.stdout or os.path.exists(target):
            failed.append('refused')
            print('amalgamate %s: status %d\n%s' % (arguments, done.returncode, done.stdout))


def main():
    if shutil.which(CC) is None:
        print('skipped: %s is not installed' % CC)
        return 77
    with tempfile.TemporaryDirectory() as directory:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(lambda path: compile_part(path, directory), list(parts())))
        if not IS_SYNTAX:
            link(directory)
            check_lean(directory)
            check_refused(directory)
    return 1 if failed else 0


sys.exit(main())
