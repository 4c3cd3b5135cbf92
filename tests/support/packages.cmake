# Find the programs and libraries that some tests need. A test is registered as skipped, with the
# reason, when this machine does not have the program or library.

find_package(Threads REQUIRED)
find_package(OpenSSL QUIET COMPONENTS Crypto)
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(DPDK QUIET IMPORTED_TARGET libdpdk>=22.11)
  pkg_check_modules(RDMA_CORE QUIET IMPORTED_TARGET libibverbs>=1.14 libmlx5>=1.24)
endif()
find_program(DOCA_CORE_PYTHON python3)
find_program(DOCA_CORE_TCC tcc)
find_path(DOCA_CORE_JSON_C_INCLUDE json-c/json.h)
find_library(DOCA_CORE_JSON_C json-c)
find_path(DOCA_CORE_YARA_INCLUDE yara.h)
find_library(DOCA_CORE_YARA yara)
# test vectors of NIST's CAVP (short, long and Monte Carlo), from Debian's
# python3-cryptography-vectors
find_path(DOCA_CORE_SHA_VECTORS SHA2/SHA512LongMsg.rsp
  PATHS /usr/lib/python3/dist-packages/cryptography_vectors/hashes NO_DEFAULT_PATH)

# For tests of other machines: cross compilers, a C library for AArch64, and QEMU. Programs for
# AArch64 are linked statically, so that QEMU needs no path to that C library.
find_program(DOCA_CORE_CC_I386 i686-linux-gnu-gcc)
find_program(DOCA_CORE_CC_AARCH64 aarch64-linux-gnu-gcc)
find_program(DOCA_CORE_OBJDUMP_AARCH64 aarch64-linux-gnu-objdump)
find_program(DOCA_CORE_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
set(libc_aarch64 none)
if(DOCA_CORE_CC_AARCH64)
  execute_process(COMMAND ${DOCA_CORE_CC_AARCH64} -print-file-name=libc.a
    OUTPUT_VARIABLE libc_aarch64 OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(runs_aarch64 OFF)
if(has_tree_tests AND DOCA_CORE_QEMU_AARCH64 AND IS_ABSOLUTE "${libc_aarch64}")
  set(runs_aarch64 ON)
endif()
set(level_of_aarch64 -O1)
if(DOCA_CORE_TEST_DEEP)
  set(level_of_aarch64 -O2)
endif()

set(CMAKE_REQUIRED_FLAGS -fsanitize=thread)
include(CheckCSourceCompiles)
check_c_source_compiles("int main(void) { return 0; }" DOCA_CORE_HAS_TSAN)
unset(CMAKE_REQUIRED_FLAGS)

# The suites also run on emulated RDMA devices (tools/mlx5sim) where rdma-core and Python are
# installed.
set(has_emulator OFF)
if(RDMA_CORE_FOUND AND DOCA_CORE_PYTHON)
  set(has_emulator ON)
endif()
