#!/usr/bin/env python3
"""Tests of tools/apsh-config with type information, symbols and a map of memory that this program
makes. tests/compat/test_apsh_config.c shows that the library reads what the tool writes."""
import base64
import contextlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "apsh-config"
BANNER = "Linux version 6.1.0-test (builder@host) #1 SMP\n"
KALLSYMS = """0000000000000000 A fixed_percpu_data
ffffffffa4000000 T _text
ffffffffa4000000 T _stext
ffffffffa5a0b000 D init_top_pgt
ffffffffa5a0d940 D init_task
ffffffffa5414940 R linux_banner
ffffffffa5700000 D modules
ffffffffc0201000 t helper\t[virtio]
ffffffffc0202000 t init_task\t[virtio]
"""
IOMEM = """00000000-00000fff : Reserved
00001000-0009fbff : System RAM
0009fc00-0009ffff : Reserved
00100000-bffdffff : System RAM
  18a00000-196fffff : Kernel code
  19800000-1a1fffff : Kernel rodata
100000000-13fffffff : System RAM
"""


class Btf:
    def __init__(self):
        self.strings, self.types, self.num = b"\0", b"", 0

    def string(self, text):
        if text == "":
            return 0
        self.strings += text.encode() + b"\0"
        return len(self.strings) - len(text) - 1

    def add(self, name, kind, size, members=(), num=None, flag=0, tail=b""):
        count = len(members) if num is None else num
        self.types += struct.pack("<III", self.string(name), flag << 31 | kind << 24 | count, size)
        self.types += tail
        for member in members:
            self.types += struct.pack(f"<{len(member)}I", self.string(member[0]), *member[1:])
        self.num += 1
        return self.num

    def blob(self):
        return struct.pack("<HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(self.types), len(self.types),
                           len(self.strings)) + self.types + self.strings


def sample():
    b = Btf()
    number = b.add("int", 1, 4, tail=struct.pack("<I", 1 << 24 | 32))
    char = b.add("char", 1, 1, tail=struct.pack("<I", 8))
    text = b.add("", 3, 0, num=0, tail=struct.pack("<III", char, number, 16))
    pointer = b.add("", 2, b.num + 3)  # to task_struct, which follows
    inner = b.add("", 4, 8, [("pid", number, 0), ("tgid", number, 32)])
    assert b.num + 1 == pointer + 2
    b.add("task_struct", 4, 64, [("", inner, 8 * 8), ("comm", text, 16 * 8),
                                 ("real_parent", pointer, 32 * 8)])
    alias = b.add("number_t", 8, number)
    const = b.add("", 10, alias)
    b.add("list_head", 4, 16, [("next", pointer, 0), ("bits", const, 3 << 24 | 69)], flag=1)
    b.add("list_head", 5, 99, [("x", number, 0)])  # a union of the same name
    colour = b.add("colour", 6, 4, [("RED", 5), ("BLUE", 0xffffffff)], flag=1)
    b.add("wide", 19, 8, [("TOP", 1, 2)])
    later = b.add("later", 7, 0, flag=1)
    b.add("task_struct", 4, 1, [])  # a second one
    b.add("area", 5, 8, [("colour", colour, 0), ("later", later, 0)])
    return b


class Tool(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work)
        self.out = self.work / "out"
        (self.work / "btf").write_bytes(sample().blob())
        (self.work / "kallsyms").write_text(KALLSYMS)
        (self.work / "iomem").write_text(IOMEM)
        (self.work / "version").write_text(BANNER)

    def run_tool(self, status, *arguments, words=""):
        done = subprocess.run([sys.executable, "-B", TOOL, *map(str, arguments)], text=True,
                              cwd=self.work, capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 0 if status == 0 else 1, done.stderr)
        self.assertIn(words, done.stderr)
        return done

    def make(self, status=0, *more, words=""):
        return self.run_tool(status, "--btf", "btf", "--kallsyms", "kallsyms", "--iomem", "iomem",
                             "--version", "version", "-o", "out", *more, words=words)

    def symbols(self):
        return json.loads((self.out / "symbols.json").read_text())

    def test_names_of_the_files(self):
        done = self.make()
        self.assertEqual(done.stdout.split(), ["out/symbols.json", "out/mem_regions.json",
                                               "out/kpgd_file.conf"])
        self.assertEqual(len(os.listdir(self.out)), 3)
        self.make(0, "--files", "memregions")

    def test_types(self):
        self.make()
        isf = self.symbols()
        self.assertEqual(isf["metadata"]["format"], "6.2.0")
        user = isf["user_types"]
        self.assertEqual(user["task_struct"], {"kind": "struct", "size": 64, "fields": {
            "unnamed_field_0": {"anonymous": True, "offset": 8,
                                "type": {"kind": "struct", "name": "unnamed_5"}},
            "comm": {"offset": 16, "type": {"kind": "array", "count": 16, "subtype":
                                            {"kind": "base", "name": "char"}}},
            "real_parent": {"offset": 32, "type": {"kind": "pointer", "subtype":
                                                   {"kind": "struct", "name": "task_struct"}}}}})
        self.assertEqual(user["unnamed_5"]["fields"]["tgid"],
                         {"offset": 4, "type": {"kind": "base", "name": "int"}})
        self.assertEqual(user["list_head"]["kind"], "struct")
        self.assertEqual(user["list_head"]["fields"]["bits"], {"offset": 8, "type": {
            "kind": "bitfield", "bit_position": 5, "bit_length": 3,
            "type": {"kind": "base", "name": "int"}}})
        self.assertEqual(user["area"]["fields"]["colour"]["type"],
                         {"kind": "enum", "name": "colour"})
        self.assertEqual(user["area"]["fields"]["later"]["type"],
                         {"kind": "union", "name": "later"})
        self.assertEqual(isf["enums"]["colour"]["constants"], {"RED": 5, "BLUE": -1})
        self.assertEqual(isf["enums"]["wide"]["constants"], {"TOP": 2 << 32 | 1})
        self.assertEqual(isf["base_types"]["int"], {"size": 4, "signed": True, "kind": "int",
                                                    "endian": "little"})

    def test_symbols(self):
        self.make()
        table = self.symbols()["symbols"]
        self.assertEqual(table["_text"]["address"], 0xffffffff81000000)
        self.assertEqual(table["init_task"], {"address": 0xffffffff82a0d940, "type":
                                              {"kind": "struct", "name": "task_struct"}})
        self.assertEqual(table["fixed_percpu_data"]["address"], 0)
        self.assertNotIn("helper", table)
        self.assertEqual(base64.b64decode(table["linux_banner"]["constant_data"]).decode(),
                         BANNER + "\0")
        self.run_tool(0, "--btf", "btf", "--kallsyms", "kallsyms", "--files", "symbols", "-o",
                      "out")
        self.assertNotIn("constant_data", self.symbols()["symbols"]["linux_banner"])

    def test_regions(self):
        self.make()
        text = (self.out / "mem_regions.json").read_text()
        self.assertEqual(json.loads(text), {"allowed_regions": {
            "0": {"start": 0x1000, "length": 0x9ec00},
            "1": {"start": 0x100000, "length": 0xbffe0000 - 0x100000},
            "2": {"start": 0x100000000, "length": 0x40000000}}})

    def test_page_directory(self):
        self.make()
        self.assertEqual((self.out / "kpgd_file.conf").read_text(),
                         f"{0x18a00000 + 0x1a0b000:x}\nffffffffa5a0d940\n")
        (self.work / "kallsyms").write_text(KALLSYMS.replace("init_top_pgt", "swapper_pg_dir"))
        self.make()
        self.assertTrue((self.out / "kpgd_file.conf").read_text().startswith("1a40b000\n"))
        (self.work / "kallsyms").write_text(KALLSYMS.replace("init_top_pgt", "other"))
        self.make(65, words="init_top_pgt, init_level4_pgt")

    def test_arguments(self):
        done = self.run_tool(0, "--help")
        self.assertTrue(done.stdout.startswith("usage: tools/apsh-config"))
        self.run_tool(0, "-h")
        self.run_tool(64, words="-o DIR is missing")
        self.run_tool(64, "--nosuch", "-o", "out", words="--nosuch")
        self.run_tool(64, "-o", words="try --help")
        self.run_tool(64, "--btf", words="try --help")
        self.run_tool(64, "extra", "-o", "out", words="extra")
        self.make(64, "--files", "symbols,hash", words="hash")

    def test_files_that_cannot_be_used(self):
        for name in ("btf", "kallsyms", "iomem", "version"):
            self.make(66, f"--{name}", "nosuch", words="nosuch: No such file")
            self.make(66, f"--{name}", ".", words="Is a directory")
        (self.work / "file").write_text("")
        self.make(73, "-o", "file", words="File exists")
        self.make(73, "-o", "file/x", words="Not a directory")
        self.make(65, "--version", "iomem", words="not the banner")
        self.assertFalse(self.out.exists())

    def test_hidden_addresses(self):
        hidden = "".join(f"0000000000000000 {line.split(' ', 1)[1]}\n"
                         for line in KALLSYMS.splitlines())
        (self.work / "kallsyms").write_text(hidden)
        self.make(77, words="hidden")
        (self.work / "kallsyms").write_text(KALLSYMS)
        (self.work / "iomem").write_text("00000000-00000000 : System RAM\n"
                                         "  00000000-00000000 : Kernel code\n")
        self.make(77, words="hidden")

    def test_malformed_text(self):
        for name, text, words in (
                ("kallsyms", "", "no symbol"),
                ("kallsyms", "rubbish\n", "not a line of /proc/kallsyms"),
                ("kallsyms", KALLSYMS.replace(" _text", " other"), "no symbol _text"),
                ("kallsyms", KALLSYMS.replace("init_task\n", "x\n"), "no symbol init_task"),
                ("kallsyms", KALLSYMS.replace("ffffffffa4000000", "ffff800008000000"),
                 "not a kernel for x86-64"),
                ("iomem", "", "no line \"System RAM\""),
                ("iomem", "\xff\xfe", "not a line of /proc/iomem"),
                ("iomem", IOMEM.replace("Kernel code", "code"), "no line \"Kernel code\"")):
            before = (self.work / name).read_text()
            (self.work / name).write_text(text)
            self.make(65, words=words)
            (self.work / name).write_text(before)

    def test_malformed_types(self):
        good = sample().blob()
        for cut in (0, 10, 23, 24, 40, len(good) // 2, len(good) - 1):
            (self.work / "btf").write_bytes(good[:cut])
            self.make(65, words="no type information")
        tool = types.ModuleType("apsh_config")
        exec(compile(TOOL.read_text(), TOOL, "exec"), tool.__dict__)
        for at in range(len(good)):  # any damage gives one line and no endless loop
            for bits in (1, 0x55, 0xff):
                spoiled = bytearray(good)
                spoiled[at] ^= bits
                (self.work / "btf").write_bytes(bytes(spoiled))
                with contextlib.suppress(tool.Failure):
                    json.dumps(tool.Types(self.work / "btf").isf())


if __name__ == "__main__":
    unittest.main()
