#!/usr/bin/env python3
"""Build doca_core.h without some of its modules (DOCA_CORE_NO_<MODULE>) and check each build: it
compiles without a warning and defines exactly the functions that the remaining sections declare,
and tests/core/modules.c runs.

usage: test_modules.py each | but | mlx5 [CC]
  each  leave out one module at a time, and all modules
  but   leave out all modules but one (and the software device)
  mlx5  compile doca_core_mlx5.h without one module at a time, and without all modules
Exit status: 0 all checks passed; 1 a check failed; 64 wrong arguments; 77 libibverbs is missing."""
import os
import re
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(TESTS))
HEADER = os.path.join(ROOT, 'doca_core.h')
MODULES = ['REP', 'POOL', 'BUF_ARRAY', 'BATCH', 'DMA', 'SHA', 'MMAP_ADVISE', 'SYNC_EVENT', 'GRAPH',
           'BRIDGE', 'SW', 'FAULT', 'TRACE', 'STATS']
# sections that are left out together with a module
REMOVED_WITH = {'SW': ['MMAP_ADVISE'], 'REP': ['MMAP_REP']}
FLAGS = ['-D_GNU_SOURCE', '-O0', '-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-pedantic',
         '-Werror', '-I' + ROOT, '-DDOCA_CORE_IMPLEMENTATION']
# names that the header defines but does not declare for programs
PRIVATE_NAMES = re.compile('doca_priv_|doca_core_(check_2_lives_is_[0-9]+_)?mmap_devs_is_')

failed = []


def calls():
    """Return the functions that the header declares: {function: section}."""
    out, section = {}, ''
    with open(HEADER, encoding='utf-8') as file:
        text = file.read()
    for line in re.split(r'^(?=/\* ---- >>|DOCA_CORE_DECL)', text[:text.index('>>compiler ---')],
                         flags=re.M):
        title = re.match(r'/\* ---- >>([a-z_.]+) -', line)
        if title:
            section = title[1].split('.')[0].upper()
        elif line.startswith('DOCA_CORE_DECL'):
            out[re.search(r'\b(\w+)\(', line)[1]] = section
    return out


def run(name, *command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=300, check=False)
    if done.returncode != 0:
        print(f'{name}: {" ".join(command)}\n{done.stdout[:2000]}')
        failed.append(name)
    return done.stdout if done.returncode == 0 else None


def check_build(cc, name, without, directory, *more):
    """Build modules.c without these modules, compare the functions that it defines with the
    functions that the remaining sections declare, and run it."""
    path = os.path.join(directory, 'modules')
    removed = set(without).union(*(REMOVED_WITH.get(m, []) for m in without))
    options = ['-DDOCA_CORE_NO_' + m for m in without]
    if run(name, cc, '-std=c99', *FLAGS, *more, *options, '-c', os.path.join(TESTS, 'modules.c'), '-o',
           path + '.o') is None:
        return
    defined = set(re.findall(r' [TDBR] (doca_\w+)', run(name, 'nm', path + '.o') or ''))
    defined = {d for d in defined if not PRIVATE_NAMES.match(d)}
    wanted = {call for call, section in calls().items() if section not in removed}
    for problem, names in (('missing', wanted - defined), ('defined too many', defined - wanted)):
        if names:
            print(f'{name}: {problem}: {" ".join(sorted(names))}')
            failed.append(name)
    text = run(name, cc, '-E', *more, *options, '-x', 'c', HEADER) or ''
    left = set(re.findall(r'\b(doca_\w+)\(', text)) & (set(calls()) - wanted)
    if left:
        print(f'{name}: still declared: {" ".join(sorted(left))}')
        failed.append(name)
    if run(name, cc, path + '.o', '-o', path) is not None:
        run(name, path)


def compile_mlx5(cc, name, without, directory, how):
    """Compile the mlx5 backend without these modules: it must not call functions of them."""
    run('mlx5 ' + name, cc, '-std=c99', *FLAGS, '-DDOCA_CORE_MLX5_IMPLEMENTATION',
        *('-DDOCA_CORE_NO_' + m for m in without), how, '-x', 'c', '-o', os.path.join(directory, 'mlx5.o'), '-include',
        os.path.join(ROOT, 'doca_core_mlx5.h'), os.devnull)


def main(part, cc):
    with tempfile.TemporaryDirectory() as directory:
        if part == 'each':
            check_build(cc, 'none', [], directory)
            for module in MODULES:
                check_build(cc, 'without ' + module, [module], directory)
                run('static, without ' + module, cc, '-std=c99', *FLAGS, '-DDOCA_CORE_STATIC',
                    '-DDOCA_CORE_NO_' + module, '-fsyntax-only', '-x', 'c', HEADER)
            check_build(cc, 'without any', MODULES, directory)
            check_build(cc, 'without any, checked', MODULES, directory, '-DDOCA_CORE_CHECK=2')
        elif part == 'but':
            for module in MODULES:
                check_build(cc, 'only SW and ' + module,
                            [m for m in MODULES if m not in (module, 'SW')], directory)
            check_build(cc, 'only FAULT', MODULES[:-1], directory)
        elif not os.path.exists('/usr/include/infiniband/mlx5dv.h'):
            print('no libibverbs (install libibverbs-dev)')
            return 77
        else:
            for module in MODULES:
                compile_mlx5(cc, 'without ' + module, [module], directory, '-fsyntax-only')
            compile_mlx5(cc, 'without any', MODULES, directory, '-c')
    return 1 if failed else 0


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ('each', 'but', 'mlx5'):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.environ.get('CC', 'cc')))
