"""Make the kernel image and the initramfs that tools/rxe-guest and tools/apsh-guest boot.

The initramfs consists of two cpio archives. The first contains files of Debian's packages; it is
made once per kernel version and kept. The second contains the programs of one run. Nothing is
installed, and no root is needed."""
import contextlib
import ctypes
import fcntl
import hashlib
import lzma
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tarfile
import time
import zlib

# In the order of loading. A module that is built into the kernel has no file and is left out.
MODULES = """virtio_ring virtio virtio_mmio virtio_pci_legacy_dev virtio_pci_modern_dev
virtio_pci virtio_console failover net_failover virtio_net veth crc32_generic udp_tunnel
ip6_udp_tunnel configfs ib_core ib_uverbs rdma_rxe iw_cm ib_cm rdma_cm rdma_ucm""".split()
# Names of Debian's packages; after a bar, the names in other versions of Debian.
PACKAGES = """busybox-static iproute2 ibverbs-providers libibverbs1 libbpf1|libbpf0 libbsd0 libc6
libcap2 libelf1|libelf1t64 libgcc-s1 libmd0 libmnl0 libnl-3-200|libnl-3-200t64
libnl-route-3-200|libnl-route-3-200t64 libzstd1 zlib1g""".split()
# Of these packages: programs, the provider, and libraries.
FILES = re.compile(r"""usr/bin/busybox | usr/s?bin/(ip|rdma) | etc/libibverbs\.d/rxe\.driver |
usr/lib/[^/]+/libibverbs/librxe-rdmav\d+\.so |
usr/lib(/[^/]+|64)/(lib|ld-linux)[^/]*\.so[.0-9]*""", re.X)
LINKER = "/lib64/ld-linux-x86-64.so.2"
DOWNLOAD_SECONDS = 900


class Failure(Exception):
    """One line for the user, and the exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def missing(what, supply):
    return Failure(77, f"missing: {what}; supply it with: {supply}")


# ---- archives

def in_guest(path):
    """The name of a file in the guest, where /bin and /lib are links into /usr."""
    path = os.path.normpath(str(path)).lstrip("/")
    return f"usr/{path}" if re.match(r"(bin|sbin|lib|lib32|lib64)/", path) else path


def cpio(files):
    """An archive of {name: (mode, data)}; names without a leading slash. Directories are added."""
    names = {}
    for name in files:
        for parent in reversed(pathlib.PurePosixPath(name).parents):
            names.setdefault(str(parent), (0o040755, b""))
    names.pop(".", None)
    names.update(files)
    names["TRAILER!!!"] = (0, b"")
    out = []
    for name, (mode, data) in names.items():
        head = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name.encode()) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % n for n in head) + name.encode() + b"\0"
        out += [head, bytes(-len(head) % 4), data, bytes(-len(data) % 4)]
    return b"".join(out)


# ---- packages

def lines_of(*command, cwd=None, seconds=60):
    """Return the lines that a command prints; its error output becomes the text of the
    exception."""
    with child(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
               stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}) as p:
        try:
            out, err = p.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise OSError(0, f"no end within {seconds} s", command[0]) from None
        if p.returncode != 0:
            said = [line for line in err.splitlines() if line.startswith(("E:", "dpkg-deb: error"))]
            raise OSError(0, (said or ["failed"])[0], command[0])
        return out.splitlines()


LIBC = ctypes.CDLL(None)


def end_with_parent():
    LIBC.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL


@contextlib.contextmanager
def child(command, **how):
    """Start a process in a session of its own that does not outlive the block."""
    with subprocess.Popen(command, start_new_session=True, preexec_fn=end_with_parent, **how) as p:
        try:
            yield p
        finally:
            with contextlib.suppress(OSError):
                os.killpg(p.pid, 9)


def kernel_packages():
    """Return the names of the packages that contain the current kernel and its modules. From Linux
    6.19 on, Debian has a package for each of the two."""
    def depends(name):
        lines = lines_of("apt-cache", "depends", name)
        return [line.split()[-1] for line in lines if "Depends: linux-" in line]

    image = [name for name in depends("linux-image-amd64") if name.startswith("linux-image-")][0]
    parts = [name for name in depends(image)
             if name.startswith(("linux-binary-", "linux-modules-"))]
    return parts or [image]


def package_files():
    """Return {file name: package} of the packages that apt lists as current, the kernel's first."""
    for tool in ("apt-get", "apt-cache", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise missing(f"{tool}, of Debian, to make the guest's image",
                          "a machine with Debian, or a copy of the cache of one (see --help)")
    try:
        kernel = kernel_packages()
        known = set(lines_of("apt-cache", "pkgnames"))
        names = kernel + [next((n for n in p.split("|") if n in known), p.split("|")[0])
                            for p in PACKAGES]
        uris = lines_of("apt-get", "download", "--print-uris", *names)
    except (OSError, IndexError) as error:
        reason = f" ({error.strerror})" if isinstance(error, OSError) else ""
        raise missing(f"packages of Debian for the guest{reason}",
                      "apt-get update (as root, with Debian's sources)") from None
    found = [line.split()[1] for line in uris if line.startswith("'")]
    found.sort(key=lambda name: not name.startswith(tuple(kernel)))
    return {name: name.split("_")[0] for name in found}


def download(files, cache, allowed):
    """Bring what is not in the cache; it appears there whole or not at all."""
    absent = {name: package for name, package in files.items() if not (cache / name).exists()}
    if not absent:
        return
    if not allowed:
        raise missing(f"{len(absent)} packages in {cache}", "tools/rxe-guest --build")
    fresh = cache / "download.tmp"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        user = ["-o", "APT::Sandbox::User=root"] if os.geteuid() == 0 else []
        lines_of("apt-get", "-q", *user, "-o", "Acquire::Retries=2", "-o",
                 "Acquire::http::Timeout=30", "download", *absent.values(), cwd=fresh,
                 seconds=DOWNLOAD_SECONDS)
        for name in absent:
            os.rename(fresh / name, cache / name)
    except OSError as error:
        if "No space left" in str(error):
            raise OSError(28, "No space left on device", str(cache)) from None
        raise missing(f"packages of Debian for the guest ({error.strerror})",
                      "tools/rxe-guest --build, where Debian's packages are in reach") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def unpack(deb, wanted):
    """Return {name in the guest: (mode, data)} of a package's files and links whose names are
    wanted."""
    files = {}
    command = ["dpkg-deb", "--fsys-tarfile", str(deb)]
    with child(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
        try:
            with tarfile.open(fileobj=p.stdout, mode="r|") as tar:
                for member in tar:
                    name = in_guest(member.name)
                    if wanted(name) and member.isfile():
                        files[name] = 0o100000 | member.mode & 0o777, tar.extractfile(member).read()
                    elif wanted(name) and member.issym():
                        files[name] = 0o120777, member.linkname.encode()
            p.stdout.read()
            if p.wait() != 0:
                raise tarfile.ReadError
        except tarfile.ReadError:
            deb.unlink()
            raise Failure(66, f"{deb} was damaged, and is removed: try again") from None
    return files


# ---- the image

def elf_of_bzimage(data):
    """Return the uncompressed kernel inside a bzImage, so that no guest has to unpack it, which is
    slow. Images of other formats boot as they are."""
    start = ((data[0x1f1] or 4) + 1) * 512 + struct.unpack_from("<I", data, 0x248)[0]
    packed = data[start:start + struct.unpack_from("<I", data, 0x24c)[0]]
    try:
        if packed[:4] == b"\xfd7zX":
            plain = lzma.LZMADecompressor().decompress(packed)
        else:
            plain = zlib.decompressobj(31).decompress(packed)
    except (lzma.LZMAError, zlib.error):
        return data
    return plain if plain[:4] == b"\x7fELF" else data


def kernel_files(debs):
    """The kernel as packed, and its modules under names that sort as they are loaded."""
    pattern = re.compile(r"boot/vmlinuz-[^/]+|usr/lib/modules/[^/]+/vmlinuz|"
                         r"usr/lib/modules/.*/(%s)\.ko(\.xz)?" % "|".join(MODULES))
    kernel, modules, files = None, {}, {}
    for deb in debs:
        files.update(unpack(deb, pattern.fullmatch))
    for name, (_, data) in files.items():
        match = pattern.fullmatch(name)
        if match[1] is None:
            kernel = data
        else:
            data = lzma.decompress(data) if match[2] else data
            modules[f"lib/rxe/{MODULES.index(match[1]):02}-{match[1]}.ko"] = 0o100644, data
    if kernel is None or not any(name.endswith("-rdma_rxe.ko") for name in modules):
        raise Failure(1, f"{debs[0].name} has no kernel with rdma_rxe")
    return kernel, {in_guest(name): entry for name, entry in modules.items()}


def base_files(debs):
    """Return the files of every guest, besides the kernel's modules."""
    files = {}
    for deb in debs:
        files.update(unpack(deb, FILES.fullmatch))
    for name in ("bin", "sbin", "lib", "lib64"):
        files[name] = 0o120777, f"usr/{name}".encode()
    return files


class Cache:
    """Packages, images and the probe, in the user's cache directory."""

    def __init__(self):
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):
            base = os.path.join(os.path.expanduser("~"), ".cache")
        self.root = pathlib.Path(base) / "doca_core" / "rxe-guest"
        recipe = hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()[:8]
        self.suffix = f"-{recipe}.image"

    def made(self):
        """The images of this recipe, the latest first."""
        return sorted(self.root.glob(f"*{self.suffix}"), key=os.path.getmtime, reverse=True)

    def image(self, may_download):
        """Return the directory with `kernel`, `vmlinuz` and `base.cpio`. It is made when apt has a
        newer kernel."""
        made = self.made()
        lists = "/var/lib/apt/lists"
        if made and (not may_download or not os.path.exists(lists)
                     or os.path.getmtime(lists) <= os.path.getmtime(made[0])):
            return made[0]
        try:
            return self.make(package_files(), may_download)
        except (Failure, OSError):
            if not made:
                raise
            return made[0]  # an older image, which is good enough

    def make(self, files, may_download):
        kernel = next(iter(files))
        image = self.root / (kernel.rsplit("_", 1)[0] + self.suffix)
        if image.exists():
            os.utime(image)
            return image
        self.root.mkdir(parents=True, exist_ok=True)
        with open(self.root / "lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if image.exists():
                return image
            packages = self.root / "packages"
            packages.mkdir(exist_ok=True)
            download(files, packages, may_download)
            debs = [packages / name for name in files]
            num = sum(deb.name.startswith("linux-") for deb in debs)
            self.write(image, *kernel_files(debs[:num]), base_files(debs[num:]))
            self.forget(image, packages, files)
        return image

    def forget(self, image, packages, files):
        """Remove what is of older kernels, and what other versions of this left a month ago."""
        month_ago = time.time() - 30 * 86400
        for old in packages.iterdir():
            if old.name not in files:
                old.unlink()
        for old in self.root.glob("*.image"):
            if old != image and (old in self.made() or old.stat().st_mtime < month_ago):
                shutil.rmtree(old)

    def write(self, image, kernel, modules, files):
        fresh = self.root / "image.tmp"
        shutil.rmtree(fresh, ignore_errors=True)
        try:
            fresh.mkdir()
            (fresh / "kernel").write_bytes(elf_of_bzimage(kernel))
            (fresh / "vmlinuz").write_bytes(kernel)  # which relocates itself (KASLR)
            (fresh / "base.cpio").write_bytes(cpio({**files, **modules}))
            os.rename(fresh, image)
        except OSError as error:  # when the disk is full, it names no file
            raise OSError(error.errno, error.strerror, str(image)) from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


# ---- the programs of a run

class Programs:
    """Files of this machine under the same names in the guest, with the libraries they need."""

    def __init__(self):
        self.files = {}
        self.folders = set()  # of libraries; the guest's linker has no configuration

    def add(self, path):
        """A file, or all files of a directory."""
        path = os.path.abspath(path)
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                for name in names:
                    self.add(os.path.join(folder, name))
            return
        if in_guest(path) in self.files:
            return
        try:
            with open(path, "rb") as f:
                data = f.read()
                mode = os.fstat(f.fileno()).st_mode & 0o777
        except OSError as error:
            raise Failure(66, f"{path}: {error.strerror}") from None
        self.files[in_guest(path)] = 0o100000 | mode, data
        script = re.match(rb"#! *(/[^ \n]+)", data)
        if script and os.path.isfile(script[1]):
            self.add(script[1].decode())
        if data[:4] == b"\x7fELF":
            self.add_libraries(path)

    def add_libraries(self, path):
        """All that are in the closure of NEEDED, found as the dynamic linker does."""
        try:
            lines = lines_of(LINKER, "--list", path)
        except OSError:
            return  # static, or of another machine
        for line in lines:
            match = re.fullmatch(r"\s*(?:(\S+) => )?(/.*?|not found)(?: \(0x\w+\))?", line)
            if match and match[2] == "not found":
                raise Failure(127, f"{path} needs {match[1]}, which is not on this machine")
            if match:
                self.add(match[2])
                if match[1]:
                    self.folders.add(os.path.dirname(match[2]))
