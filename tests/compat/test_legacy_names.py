#!/usr/bin/env python3
"""Check the declarations that a program of DOCA 1.x gets: each name is declared once and has the
signature of that version, and the library defines the symbol that the name links to. The
declarations are read from the output of the preprocessor and of bindgen.

usage: test_legacy_names.py declarations CC
       test_legacy_names.py symbols LIBRARY LINKER CC [FLAG...]
       test_legacy_names.py bindgen
Exit status: 0 all checks passed, 1 a check failed, 64 usage error, 77 bindgen or cc is not
installed."""
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
VARIANTS = {  # level: {name: suffix of its symbol}, for names whose symbol depends on the level
    '10300': {},
    '10500': dict.fromkeys(['buf_inventory_create', 'mmap_create', 'mmap_create_from_export'],
                           '_15'),
}
VARIANTS['20000'] = {**VARIANTS['10500'], 'mmap_create': '_20'}
DECLARATION = re.compile(r'\bextern\s+((?:const\s+)?(?:struct\s+)?\w+[\s*]+)(\w+)\s*\(([^;]*?)\)\s*'
                         r'(?:__asm__\s*\(([^)]*)\)\s*)?;')

failed = []


def check(is_true, message):
    if not is_true:
        failed.append(message)
        print('FAILED: ' + message)


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
    """Return the preprocessed header."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'program.c')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('#include "doca_core_legacy.h"\n')
        return run(*cc, '-E', '-P', *more, *flags(level, guide), path)


def without_spaces(text):
    """Return the text with single spaces, and without spaces beside punctuation."""
    return re.sub(r'\s*([*(),])\s*', r'\1', ' '.join(text.split()))


def declarations(text):
    """Return {name: [(signature, symbol)]} of the functions that the text declares."""
    out = {}
    for returned, name, args, label in DECLARATION.findall(text):
        if name.startswith('doca_'):
            symbol = ''.join(re.findall('"([^"]*)"', label)) or name
            signature = without_spaces(returned) + '(' + without_spaces(args) + ')'
            out.setdefault(name, []).append((signature, symbol))
    return out


def renamed(level, guide):
    """Return {name: symbol} of the functions that the macros of >>legacy.names rename."""
    with open(os.path.join(COMPAT, 'doca_core_legacy.h'), encoding='utf-8') as file:
        names = file.read().split('/* ---- >>legacy.names')[1]
    out = {}
    for name, to in re.findall(r'#define doca_(\w+)(?:\s|\\)+doca_core_legacy_(\w+)', names):
        if name not in TAGS and (name != 'dev_as_devinfo' or guide):
            out['doca_' + name] = 'doca_core_legacy_' + name + VARIANTS[level].get(name, '')
            check(to.startswith(name), 'the macro doca_%s expands to %s' % (name, to))
    return out


def plain(signature, prefix):
    """Return the signature with the names of structures that the program uses."""
    for tag in TAGS:
        signature = re.sub(r'\bdoca_core_%s_%s\b' % (prefix, tag), 'doca_' + tag, signature)
    return signature


def check_declarations(cc):
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
                    check(of_base in olds, where + name + ' has no renamed counterpart')
                else:
                    of_base, prefix = olds.get(name, name), 'legacy'
                check(symbol == of_base, where + name + ' links to ' + symbol)
                check(of_base in base, where + name + ' is not declared by the header alone')
                if of_base not in base:
                    continue
                wanted = base[of_base][0][0]
                if prefix == 'legacy':  # functions that are not renamed use today's structures
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
                  where + 'struct doca_dma_job_memcpy has the wrong members')
            check(re.search(r'\bDOCA_DMA_JOB_MEMCPY = DOCA_ACTION_DMA_FIRST \+ %d\b' %
                            (1 if level == '10300' else 2), text),
                  where + 'DOCA_DMA_JOB_MEMCPY has the wrong value')
            macros = re.findall(r'#define (doca_\w+)', header(cc, level, guide, '-dM'))
            macros = [name for name in macros if 'doca_core_legacy_' in name or name in found or
                      name in olds or name[5:] in TAGS]
            check(not macros, where + 'macros: ' + ' '.join(sorted(macros)))


def check_symbols(library, linker, cc):
    """Check that a program which takes the address of every renamed function links with the library
    and calls the old functions."""
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
            check(wants == set(olds.values()), level + ': missing or unexpected symbols: ' +
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


def check_bindgen():
    bindgen = shutil.which('bindgen')
    cc = shutil.which('cc')
    if not bindgen or not cc:
        print('skipped: bindgen or cc is not installed (Debian: bindgen)')
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
            check(len(forms) == 1, level + ': bindgen declares %s %d times' % (name, len(forms)))
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
                  level + ': bindgen declares %s(%s), not %s' % (name, args, ', '.join(rust)))
        check(len(re.findall(r'\bpub struct doca_dma_job_memcpy\b', out)) == 1,
              level + ': bindgen does not declare struct doca_dma_job_memcpy once')
        for tag in ('doca_devinfo_remote', 'doca_dev_remote'):
            check(re.search(r'\bpub type %s\b' % tag, out), level + ': bindgen lacks ' + tag)


if sys.argv[1:2] == ['declarations'] and len(sys.argv) > 2:
    check_declarations(sys.argv[2:])
elif sys.argv[1:2] == ['symbols'] and len(sys.argv) > 4:
    check_symbols(sys.argv[2], sys.argv[3], sys.argv[4:])
elif sys.argv[1:] == ['bindgen']:
    check_bindgen()
else:
    sys.exit(64)
sys.exit(1 if failed else 0)
