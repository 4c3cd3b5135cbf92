#!/usr/bin/env python3
"""Leave each module of doca_core.h out (DOCA_CORE_NO_<MODULE>), all modules, and all but one, and
check the rest: it compiles without a warning, defines exactly what the remaining sections declare,
and tests/core/modules.c runs. With doca_core_mlx5.h on top it compiles as well.

usage: test_modules.py each | but | mlx5 [CC]
Exit status: 0, 1 something is wrong, 64 usage, 77 mlx5: no libibverbs."""
import os
import re
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(TESTS))
HEADER = os.path.join(ROOT, 'doca_core.h')
MODULES = ['REP', 'POOL', 'BUF_ARRAY', 'BATCH', 'DMA', 'SHA', 'MMAP_ADVISE', 'SYNC_EVENT', 'GRAPH',
           'BRIDGE', 'SW', 'FAULT']
TAKES_ALONG = {'SW': ['MMAP_ADVISE'], 'REP': ['MMAP_REP']}  # sections that end with a module
FLAGS = ['-D_GNU_SOURCE', '-O0', '-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-pedantic',
         '-Werror', '-I' + ROOT, '-DDOCA_CORE_IMPLEMENTATION']
# names that the header defines for itself
OTHERS = re.compile('doca_priv_|doca_core_(check_2_lives_is_[0-9]+_)?mmap_devs_is_')

failed = []


def calls():
    """What each section declares: {call: section}."""
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


def look(cc, name, without, directory, *more):
    """Build it without these modules, compare what is defined, run it."""
    path = os.path.join(directory, 'modules')
    gone = set(without).union(*(TAKES_ALONG.get(m, []) for m in without))
    options = ['-DDOCA_CORE_NO_' + m for m in without]
    if run(name, cc, '-std=c99', *FLAGS, *more, *options, '-c', os.path.join(TESTS, 'modules.c'), '-o',
           path + '.o') is None:
        return
    defined = set(re.findall(r' [TDBR] (doca_\w+)', run(name, 'nm', path + '.o') or ''))
    defined = {d for d in defined if not OTHERS.match(d)}
    wanted = {call for call, section in calls().items() if section not in gone}
    for what, which in (('is not defined', wanted - defined), ('is there', defined - wanted)):
        if which:
            print(f'{name}: {what}: {" ".join(sorted(which))}')
            failed.append(name)
    text = run(name, cc, '-E', *more, *options, '-x', 'c', HEADER) or ''
    left = set(re.findall(r'\b(doca_\w+)\(', text)) & (set(calls()) - wanted)
    if left:
        print(f'{name}: is declared: {" ".join(sorted(left))}')
        failed.append(name)
    if run(name, cc, path + '.o', '-o', path) is not None:
        run(name, path)


def over_mlx5(cc, name, without, directory, how):
    """Compile the mlx5 backend as well, which must work without the calls of missing modules."""
    run('mlx5 ' + name, cc, '-std=c99', *FLAGS, '-DDOCA_CORE_MLX5_IMPLEMENTATION',
        *('-DDOCA_CORE_NO_' + m for m in without), how, '-x', 'c', '-o', os.path.join(directory, 'mlx5.o'), '-include',
        os.path.join(ROOT, 'doca_core_mlx5.h'), os.devnull)


def main(part, cc):
    with tempfile.TemporaryDirectory() as directory:
        if part == 'each':
            look(cc, 'none', [], directory)
            for module in MODULES:
                look(cc, 'without ' + module, [module], directory)
                run('static, without ' + module, cc, '-std=c99', *FLAGS, '-DDOCA_CORE_STATIC',
                    '-DDOCA_CORE_NO_' + module, '-fsyntax-only', '-x', 'c', HEADER)
            look(cc, 'without any', MODULES, directory)
            look(cc, 'without any, checked', MODULES, directory, '-DDOCA_CORE_CHECK=2')
        elif part == 'but':
            for module in MODULES:
                look(cc, 'only SW and ' + module,
                     [m for m in MODULES if m not in (module, 'SW')], directory)
            look(cc, 'only FAULT', MODULES[:-1], directory)
        elif not os.path.exists('/usr/include/infiniband/mlx5dv.h'):
            print('no libibverbs (install libibverbs-dev)')
            return 77
        else:
            for module in MODULES:
                over_mlx5(cc, 'without ' + module, [module], directory, '-fsyntax-only')
            over_mlx5(cc, 'without any', MODULES, directory, '-c')
    return 1 if failed else 0


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ('each', 'but', 'mlx5'):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.environ.get('CC', 'cc')))
