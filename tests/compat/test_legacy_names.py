#!/usr/bin/env python3
"""Read the declarations that a program of DOCA 1.x gets, as a tool would: each name is declared
once, with the signature of that version, and the symbol that it links to is defined by the library.
Compilers and bindgen are checked in the same way.

usage: test_legacy_names.py declarations CC
       test_legacy_names.py symbols LIBRARY LINKER CC [FLAG...]
       test_legacy_names.py bindgen
Exit status: 0, 1 something is wrong, 64 usage, 77 there is no such tool."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(TESTS))
COMPAT = os.path.join(ROOT, 'tools', 'compat')
LEVELS = ['10300', '10500', '20000']
TAGS = ['mmap', 'ctx', 'dma', 'sha', 'graph', 'graph_node', 'graph_instance',
        'graph_user_node_cb_t', 'dma_job_memcpy']
VARIANTS = {  # by level: the form of names that are not the same at every level
    '10300': {},
    '10500': dict.fromkeys(['buf_inventory_create', 'mmap_create', 'mmap_create_from_export'],
                           '_15'),
}
VARIANTS['20000'] = {**VARIANTS['10500'], 'mmap_create': '_20'}
DECLARATION = re.compile(r'\bextern\s+((?:const\s+)?(?:struct\s+)?\w+[\s*]+)(\w+)\s*\(([^;]*?)\)\s*'
                         r'(?:__asm__\s*\(([^)]*)\)\s*)?;')

failed = []


def check(truth, what):
    if not truth:
        failed.append(what)
        print('FAILED: ' + what)


def run(*command, **keys):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True,
                          **keys).stdout


def flags(level, guide):
    out = ['-I' + ROOT, '-I' + COMPAT]
    if level:
        out.append('-DDOCA_CORE_LEGACY=' + level)
    if guide:
        out.append('-DDOCA_CORE_LEGACY_GUIDE')
    return out


def header(cc, level, guide, *more):
    """What is left of the header behind the preprocessor."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'program.c')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('#include "doca_core_legacy.h"\n')
        return run(*cc, '-E', '-P', *more, *flags(level, guide), path)


def squeeze(text):
    return re.sub(r'\s*([*(),])\s*', r'\1', ' '.join(text.split()))


def declarations(text):
    """{name: [(signature, symbol)]}"""
    out = {}
    for returned, name, args, label in DECLARATION.findall(text):
        if name.startswith('doca_'):
            symbol = ''.join(re.findall('"([^"]*)"', label)) or name
            out.setdefault(name, []).append((squeeze(returned) + '(' + squeeze(args) + ')', symbol))
    return out


def renamed(level, guide):
    """{name: symbol} of what the macros of >>legacy.names rename."""
    with open(os.path.join(COMPAT, 'doca_core_legacy.h'), encoding='utf-8') as file:
        names = file.read().split('/* ---- >>legacy.names')[1]
    out = {}
    for name, to in re.findall(r'#define doca_(\w+)(?:\s|\\)+doca_core_legacy_(\w+)', names):
        if name not in TAGS and (name != 'dev_as_devinfo' or guide):
            out['doca_' + name] = 'doca_core_legacy_' + name + VARIANTS[level].get(name, '')
            check(to.startswith(name), 'the macro of doca_%s names %s' % (name, to))
    return out


def plain(signature, prefix):
    """With the names of structures as the program has them."""
    for tag in TAGS:
        signature = re.sub(r'\bdoca_core_%s_%s\b' % (prefix, tag), 'doca_' + tag, signature)
    return signature


def look_at_declarations(cc):
    base = declarations(header(cc, '', False))
    check(len(base) > 400, 'the header alone has %d declarations' % len(base))
    for level in LEVELS:
        for guide in (False, True):
            where = level + (' with DOCA_CORE_LEGACY_GUIDE: ' if guide else ': ')
            text = header(cc, level, guide)
            found = declarations(text)
            olds = renamed(level, guide)
            check(len(olds) == 41 + guide, where + '%d names are renamed' % len(olds))
            for name, forms in found.items():
                check(len(forms) == 1, where + name + ' is declared %d times' % len(forms))
                signature, symbol = forms[0]
                if name.startswith('doca_core_today_'):
                    of_base, prefix = 'doca_' + name[len('doca_core_today_'):], 'today'
                    check(of_base in olds, where + name + ' hides nothing')
                else:
                    of_base, prefix = olds.get(name, name), 'legacy'
                check(symbol == of_base, where + name + ' links to ' + symbol)
                check(of_base in base, where + name + ' is not a call of the header')
                if of_base not in base:
                    continue
                wanted = base[of_base][0][0]
                if prefix == 'legacy':  # also other calls: the structures are those of today
                    if 'doca_core_legacy_' not in wanted and name not in olds:
                        for tag in TAGS[:-1]:
                            wanted = re.sub(r'\bdoca_%s\b' % tag, 'doca_core_today_' + tag, wanted)
                    wanted = plain(wanted, 'legacy')
                else:
                    signature = plain(signature, 'today')
                check(signature == wanted, where + '%s is %s, not %s' % (name, signature, wanted))
            missing = [name for name in olds if name not in found]
            check(not missing, where + 'not declared: ' + ' '.join(missing))
            hidden = {base_name for base_name in base if base_name not in found}
            hidden -= set(olds.values())
            check(not hidden, where + 'no longer declared: ' + ' '.join(sorted(hidden)))
            job = re.search(r'struct doca_dma_job_memcpy \{[^}]*\}', text)
            check(job and ('num_bytes_to_copy' in job.group()) == (level == '10300'),
                  where + 'struct doca_dma_job_memcpy is another version\'s')
            check(re.search(r'\bDOCA_DMA_JOB_MEMCPY = DOCA_ACTION_DMA_FIRST \+ %d\b' %
                            (1 if level == '10300' else 2), text),
                  where + 'DOCA_DMA_JOB_MEMCPY is another version\'s')
            macros = re.findall(r'#define (doca_\w+)', header(cc, level, guide, '-dM'))
            macros = [name for name in macros if 'doca_core_legacy_' in name or name in found or
                      name in olds or name[5:] in TAGS]
            check(not macros, where + 'macros: ' + ' '.join(sorted(macros)))


def look_at_symbols(library, linker, cc):
    """A program that takes every address, linked with the library: to the old code."""
    for level in LEVELS:
        olds = renamed(level, True)
        with tempfile.TemporaryDirectory() as scratch:
            source = os.path.join(scratch, 'program.c')
            with open(source, 'w', encoding='utf-8') as file:
                file.write('#include "doca_core_legacy.h"\n\ntypedef void (*any)(void);\n'
                           'any const all[] = {%s};\n\nint main(void)\n{\n'
                           '    struct doca_mmap *mmap = 0;\n\n'
                           '    return all[0] == 0 || doca_mmap_start(mmap) == DOCA_SUCCESS;\n}\n' %
                           ', '.join('(any)' + name for name in sorted(olds)))
            program = os.path.join(scratch, 'program')
            run(*cc, *flags(level, True), '-c', source, '-o', program + '.o')
            wants = set(re.findall(r'\bU (doca_core_legacy_\w+|doca_\w+)',
                                   run('nm', program + '.o')))
            wants = {name for name in wants if 'mmap_devs_is' not in name}
            check(wants == set(olds.values()), level + ': symbols that are not wanted: ' +
                  ' '.join(sorted(wants ^ set(olds.values()))))
            run(linker, program + '.o', library, '-lpthread', '-lm', '-o', program)
            run(program)


def in_rust(parameter):
    """Return the form in which bindgen declares a parameter."""
    constant, of_c, stars, name = re.fullmatch(
        r'(const )?(?:struct |union |enum )?(\w+) ?(\**) ?(\w+)', parameter).groups()
    of_rust = {'void': '::std::os::raw::c_void', 'char': '::std::os::raw::c_char',
               'int': '::std::os::raw::c_int', 'uint8_t': 'u8', 'uint16_t': 'u16',
               'uint32_t': 'u32', 'uint64_t': 'u64'}.get(of_c, of_c)
    if of_c.endswith('_cb_t'):  # a function type, which bindgen declares as a pointer
        return name + ': ' + of_c
    pointers = ['*mut '] * len(stars)
    if constant and stars:
        pointers[-1] = '*const '
    return name + ': ' + ''.join(pointers) + of_rust


def look_at_bindgen():
    bindgen = shutil.which('bindgen')
    cc = shutil.which('cc')
    if not bindgen or not cc:
        print('skipped: no bindgen (Debian: bindgen)')
        sys.exit(77)
    for level in LEVELS:
        wanted = declarations(header([cc], level, True))
        with tempfile.TemporaryDirectory() as scratch:
            source = os.path.join(scratch, 'program.h')
            with open(source, 'w', encoding='utf-8') as file:
                file.write('#include "doca_core_legacy.h"\n')
            out = run(bindgen, '--no-layout-tests', '--allowlist-function', 'doca_.*',
                      '--allowlist-type', 'doca_.*', source, '--', *flags(level, True))
        out = ' '.join(out.split())
        found = {}
        for link, name, args in re.findall(
                r'((?:# ?\[[^]]*\] )*)pub fn (\w+) ?\(([^;]*?)\) ?(?:->[^;]*)?;', out):
            symbol = re.search(r'link_name = "(?:\\u\{1\})?(\w+)"', link)
            found.setdefault(name, []).append((symbol.group(1) if symbol else name, args))
        for name, forms in found.items():
            if not name.startswith('doca_'):  # generated by bindgen for bit-fields
                continue
            check(len(forms) == 1, level + ': bindgen has %s %d times' % (name, len(forms)))
        for name, to in renamed(level, True).items():
            check(name in found, level + ': bindgen lacks ' + name)
            if name not in found:
                continue
            symbol, args = found[name][0]
            check(symbol == to, level + ': bindgen links %s to %s' % (name, symbol))
            signature = wanted[name][0][0]
            inside = signature[signature.index('(') + 1:-1]
            rust = [in_rust(parameter) for parameter in inside.split(',')]
            check([arg.strip() for arg in args.split(',') if arg.strip()] == rust,
                  level + ': bindgen has %s(%s), not %s' % (name, args, ', '.join(rust)))
        check(len(re.findall(r'\bpub struct doca_dma_job_memcpy\b', out)) == 1,
              level + ': bindgen has struct doca_dma_job_memcpy not once')
        for tag in ('doca_devinfo_remote', 'doca_dev_remote'):
            check(re.search(r'\bpub type %s\b' % tag, out), level + ': bindgen lacks ' + tag)


if sys.argv[1:2] == ['declarations'] and len(sys.argv) > 2:
    look_at_declarations(sys.argv[2:])
elif sys.argv[1:2] == ['symbols'] and len(sys.argv) > 4:
    look_at_symbols(sys.argv[2], sys.argv[3], sys.argv[4:])
elif sys.argv[1:] == ['bindgen']:
    look_at_bindgen()
else:
    sys.exit(64)
sys.exit(1 if failed else 0)
