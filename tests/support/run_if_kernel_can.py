#!/usr/bin/env python3
"""Run a program, or exit with status 77 (skipped) if the kernel cannot execute its format.

usage: run_if_kernel_can.py PROGRAM [ARGUMENT]...

A kernel without 32-bit support refuses a 32-bit program with ENOEXEC; a shell or ctest would then
run the file as a shell script. After any other error of execv() the exit status is 1.
"""

import errno
import os
import sys

try:
    os.execv(sys.argv[1], sys.argv[1:])
except OSError as error:
    if error.errno == errno.ENOEXEC:
        print("skipped: this kernel does not run 32-bit programs")
        sys.exit(77)
    print(f"{sys.argv[1]}: {error.strerror}")
    sys.exit(1)
