#!/usr/bin/env python3
"""Write two copies of a generated header. With these copies, suites can call private functions of
the header although its code is in another object, which is compiled once for all suites.

usage: visible.py HEADER DIRECTORY
  DIRECTORY/code/NAME      the header; its private functions and data are not static
  DIRECTORY/declared/NAME  the same without code: the API, all types and macros, the inline
                           functions, and declarations of all other functions and data

A suite that includes HEADER with the macro for its implementation is compiled, unchanged, with
-IDIRECTORY/declared, and linked with an object that is compiled with -IDIRECTORY/code. The copies
rely on the layout of the headers: a declaration or definition begins in the first column, and a
body ends with a brace in the first column.

Exit status: 0 written, 64 wrong arguments"""
import os
import re
import sys

BEGINS = re.compile(r'(?!extern "C")[A-Za-z_]')
BEGINS_PRIVATE = re.compile(
    r'#define DOCA_PRIV_DECL static$|#if defined\(DOCA_CORE_(\w+_)?IMPLEMENTATION\)')
HIDDEN = re.compile(r'(static|DOCA_PRIV_DECL) ')
INLINE = re.compile(r'static inline\b|.*\bDOCA_PRIV_\w*HOT\b')
VALUE = re.compile(r'\s=\s')
TYPE = re.compile(r'(struct|union|enum)( \w+)? \{')
CALL = re.compile(r'[A-Z]\w*\(.*\);?$', re.S)  # of a macro that makes a declaration
NOT_INLINE = re.compile(r'\w*(ASSERT|KERNEL|STREAM)')  # macros that make no inline function
COMMENT = re.compile(r' */\*.*?\*/$')


def end_of_item(lines, at):
    """Return the index behind the declaration, definition or call of a macro that begins here."""
    begin = at
    while True:
        line = COMMENT.sub('', lines[at])
        at += 1
        if line.endswith(';') or CALL.match('\n'.join(lines[begin:at])):
            return at
        if line.endswith('{'):
            break
    while not lines[at].startswith('}') or lines[at].endswith('{'):  # also: } name[] = {
        at += 1
    return at + 1


def visible(item):
    """Return the item with external linkage."""
    return item if INLINE.match(item[0]) else [HIDDEN.sub('', item[0], count=1)] + item[1:]


def declared(item):
    """Return the item without code and without the value of data."""
    text = '\n'.join(item)
    if INLINE.match(text) or TYPE.match(item[0]):
        return item
    if CALL.match(text):
        return [] if NOT_INLINE.match(text) else item
    if '{' in item:  # a function
        head = visible(item[:item.index('{')])
        return head[:-1] + [head[-1] + ';']
    before_value = VALUE.split(text)[0]
    if '(' in before_value or before_value == text and not HIDDEN.match(text):  # a declaration
        return visible(item)
    return ['extern ' + HIDDEN.sub('', before_value, count=1).rstrip(';') + ';']


def write(path, text):
    """Write the file, unless it has this text: a new file would be compiled again."""
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == text:
                return
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    header, directory = arguments
    with open(header, encoding='utf-8') as file:
        lines = file.read().split('\n')
    at = next(i for i, line in enumerate(lines) if BEGINS_PRIVATE.match(line))
    copies = {'code': lines[:at], 'declared': lines[:at]}
    while at < len(lines):
        if BEGINS.match(lines[at]):
            end = end_of_item(lines, at)
            copies['code'] += visible(lines[at:end])
            copies['declared'] += declared(lines[at:end])
        else:
            end = at + 1
            while lines[end - 1].endswith('\\'):
                end += 1
            for copy in copies.values():
                copy += lines[at:end]
                if copy[-1] == '#define DOCA_PRIV_DECL static':  # arguments of macros, too
                    copy[-1] = '#define DOCA_PRIV_DECL'
        at = end
    for folder, copy in copies.items():
        os.makedirs(os.path.join(directory, folder), exist_ok=True)
        write(os.path.join(directory, folder, os.path.basename(header)), '\n'.join(copy))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
