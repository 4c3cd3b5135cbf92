#!/usr/bin/env python3
"""Run a program, or skip with status 77 where the kernel does not execute its format.

usage: run_if_kernel_can.py PROGRAM [ARGUMENT]...

A kernel without 32-bit support answers ENOEXEC for such a program; shells and ctest would then read
the file as a shell script. Every other failure is a failure.
"""

import errno
import os
import sys

try:
    os.execv(sys.argv[1], sys.argv[1:])
except OSError as error:
    if error.errno == errno.ENOEXEC:
        print("skipped: this kernel does not run programs of 32 bits")
        sys.exit(77)
    print(f"{sys.argv[1]}: {error.strerror}")
    sys.exit(1)
