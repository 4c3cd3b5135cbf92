/* doca_core_argp.h - read the flags of a DOCA program from the command line and a JSON file
 *
 * This is the argument parser of the vendor's SDK (doca_argp.h, all functions up to 3.3), for use
 * with doca_core.h. A program registers its flags, each with a callback that stores the value;
 * doca_argp_start() then reads them. The parser needs a hosted system with POSIX open(), read() and
 * write(). It allocates no heap memory (json-c does, see DOCA_CORE_ARGP_JSON_C): its tables, the
 * texts of the flags and the JSON file are in static memory, whose sizes are macros below.
 *
 * DO THIS in one C (or C++) file, and include the header without the macro everywhere else:
 *
 *     #include "doca_core.h"
 *     #define DOCA_CORE_ARGP_IMPLEMENTATION
 *     #include "doca_core_argp.h"
 *
 * THE COMMAND LINE. A flag is written `-x VALUE`, `--name VALUE` or `--name=VALUE`. A flag of type
 * BOOLEAN has no value; `--name=true` and `--name=false` are also accepted. `false` means that the
 * flag is not given, but it still counts when the parser looks for flags that are given twice. A
 * short name may have several letters, so a value must not be joined to it. The parser never takes
 * the name of a flag as the value of the flag before it; pass such a value as `--name=VALUE`.
 * Integers are decimal, or hexadecimal with 0x.
 *
 * A DEVICE (3.x) is written `pci/0000:03:00.0` or `03:00.0`, or as the name of an IB device or of a
 * network interface. A DEVICE_REP is a device, a comma, and one of its representors: the end of the
 * representor's interface name (pf0vf1 or pf0sf88), sfN for a scalable function, a PCI address or a
 * VUID. When the device is left out, the parser looks for the representor on all devices. The text
 * after a further comma is passed on as the arguments of the device:
 *
 *     -a pci/0000:03:00.0,dv_flow_en=2 -r pci/0000:03:00.0,pf0vf0
 *
 * The parser opens a device when it calls the callback of the flag, after the DPDK callback. It
 * opens each device once per start. The program must close the devices and representors that its
 * callbacks receive. A DOUBLE is decimal, with or without an exponent. (Everything in this
 * paragraph and the one before is Assumed, except for the pci/ forms.)
 *
 * Every program has the flags below. A program can register flags of its own with these names,
 * except -j and --json; the built-in flag then loses the name.
 *
 *     -h, --help          print all flags to standard output, exit with status 0     (Assumed: 0)
 *     -v, --version       call the version callback or print versions, exit with 0   (Assumed: 0)
 *     -l, --log-level N   level of the program's own messages: 10 disable, 20 critical, 30 error,
 *                         40 warning, 50 info, 60 debug or 70 trace
 *     --sdk-log-level N   level of the messages of the library, in the same numbers
 *     -j, --json FILE     read more flags from a file; refused when the program runs with more
 *                         rights than its caller (setuid and the like)
 *
 * COMMANDS (3.0). A program may have commands. Each command may have flags and commands of its own:
 *
 *     program [flags] command [flags] command [flags]
 *
 * The flags of a program or command stand before the next command. Inherited flags, and the flags
 * that every program has, may also stand after it. When two flags have the same name, the flag of
 * the innermost command is used. The keys of a JSON file name flags of the program and of the
 * commands on the command line. --help describes the last command that stands before it. If the
 * program has commands, the command line must contain one of them. If this command has no callback
 * but has commands of its own, the line must also contain one of those, and so on. If a singular
 * flag (doca_argp_param_set_singular()) is given, no command is required. (All of this paragraph is
 * Assumed.)
 *
 * LOG LEVELS. When doca_core_log.h was included before the implementation, the levels are passed to
 * doca_log_level_set_global_lower_limit() and ..._sdk_limit(). Otherwise --sdk-log-level sets the
 * level of the library's own log; without it, --log-level does.
 *
 * A DPDK PROGRAM (doca_argp_set_dpdk_program) is started as `program EAL-FLAGS -- FLAGS`. Its
 * callback receives argv[0] and the EAL flags. Without `--`, all words are EAL flags; but if one of
 * them is a help, version or json flag, all words are flags of the program. (Assumed.)
 *
 * THE JSON FILE follows RFC 8259. As in the vendor's files, // starts a comment that ends with the
 * line:
 *
 *     {
 *         "doca_dpdk_flags": {            // read by DPDK programs without EAL flags in argv
 *             "devices": [ { "device": "pf", "id": "0000:03:00.0", "hws": true } ],
 *             "core-mask": 3, "core-list": "0-3", "flags": "--file-prefix x"
 *         },
 *         "doca_general_flags": { "log-level": 60, "sdk-log-level": 40 },
 *         "doca_program_flags": { "pci-addr": "03:00.0", "verbose": true, "port": [1, 2] }
 *     }
 *
 * Keys are long names. An array gives several values to a flag with multiplicity. `false` means
 * that a BOOLEAN flag is not given. A flag on the command line, even with =false, replaces the
 * value in the file. The parser ignores unknown keys and keys of flags that are for the command
 * line only, with a line on standard error for each. A device is a `pf` or `vf` (its address), an
 * `sf` (auxiliary:mlx5_core.sf.ID) or `regex` (ID,class=regex). "sft" appends ,sft_en=1 or
 * ,sft_en=0, and "hws": true appends ,dv_flow_en=2 (Assumed).
 *
 * ERRORS are one line each in the form of the library's errors. They go to standard error or to the
 * logger callback. The line names the flag, or the file, line and column (in bytes). Before the
 * line about a mistake on the command line the parser prints all flags. It checks the whole command
 * line and file before it calls the first callback.
 *
 *     doca_core: doca_argp_start: --port: "12x" is not an integer [INVALID_VALUE]
 *     doca_core: doca_argp_start: a.json:3:17: expected ',' or '}' [IO_FAILED]
 *
 * THREADS. There is one parser per process. Only one thread at a time may call it.
 *
 * DIFFERENCES FROM THE VENDOR'S LIBRARY
 *   - When start fails, it returns an error code. The vendor's reference lists the codes, but the
 *     guide says that it exits.
 *   - A setter that is called with NULL, or for a registered flag or command, reports the error and
 *     does nothing. The vendor's behaviour is undefined.
 *   - The callback of a flag of type JSON_OBJ receives the text of the object, with blanks in place
 *     of comments. Assumed.
 *
 * Source: DOCA Arg Parser guide 2.5.1 and 3.0; DOCA Libraries API, "DOCA Arg Parser".
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/argp/. Change the
 * parts.
 */
