"""Writes tawa/_abi.py, the ctypes form of the C headers of include/tawa: constants, structs and functions, read from their
own declarations. So nothing is mirrored by hand, and a field added to a header is known here after the next build.

usage: bindgen.py HEADER... OUTPUT
"""

import pathlib
import re
import sys

SCALARS = {
    "char": "c_char",
    "int": "c_int",
    "double": "c_double",
    "size_t": "c_size_t",
    **{f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


class Header:
    """The declarations of a header that keeps to the style of tawa.h."""

    def __init__(self, text):
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        self.constants = self._constants(text)
        self.handles = re.findall(r"typedef struct (tawa_\w+) \*\1_t;", text)
        self.structs = {}
        for name, body in re.findall(r"typedef struct (tawa_\w+) {(.*?)}", text, flags=re.S):
            self.structs[name] = [self._declarator(field) for field in body.split(";") if field.strip()]
        self.enums = re.findall(r"typedef enum (tawa_\w+) {", text)
        self.callbacks = re.findall(r"typedef (\w+) \(\*(tawa_\w+_fn)\)\((.*?)\);", text, flags=re.S)
        self.functions = re.findall(r"TAWA_API ([^;()]*?)\b(tawa_\w+)\(([^;]*)\);", text)

    @staticmethod
    def _constants(text):
        found = {name: int(value) for name, value in re.findall(r"^#define TAWA_(\w+) (\d+)$", text, flags=re.M)}
        for _, body in re.findall(r"typedef enum (tawa_\w+) {(.*?)}", text, flags=re.S):
            following = 0
            for entry in filter(None, (part.strip() for part in body.split(","))):
                name, _, value = (part.strip() for part in entry.partition("="))
                name = name.removeprefix("TAWA_")
                found[name] = int(value) if value.isdigit() else found[value[5:]] if value else following
                following = found[name] + 1
        return found

    @staticmethod
    def _declarator(text):
        """("name", "type", length of the array or "") of `type name` or `type name[length]`."""
        match = re.fullmatch(r"\s*(.*?[\s*])(\w+)(?:\[(\w+)\])?\s*", text, flags=re.S)
        return match[2], match[1].strip(), match[3] or ""

    def type_of(self, text, known):
        """The ctypes type for a C type; structs that come later in the header, and handles, are plain addresses."""
        words = re.sub(r"\b(const|struct)\b", "", text)
        stars, base = words.count("*"), words.replace("*", "").strip()
        if base == "char" and stars == 1:
            return "c_char_p" if "const" in text else "c_void_p"  # what is not const is the caller's to free
        if base == "char" and stars == 2 and text.count("const") == 2:
            return "POINTER(c_char_p)"
        inner = self._base(base, known)
        if base in ("void", "char"):
            return "None" if stars == 0 else "c_void_p" if stars == 1 else "POINTER(c_void_p)"
        if stars and inner is None:
            return "c_void_p"
        return f"POINTER({inner})" if stars else inner

    def _base(self, base, known):
        name = base.removesuffix("_t")
        if base in SCALARS:
            return SCALARS[base]
        if name in self.structs:
            return name if name in known else None
        if name in self.handles:
            return "c_void_p"
        if name in self.enums:
            return "c_int"
        return base if base in known else None

    def types(self, parameters, known):
        if parameters.strip() == "void":
            return ""
        return ", ".join(self.type_of(self._declarator(each)[1], known) for each in parameters.split(","))

    def array(self, length):
        return length if length.isdigit() else str(self.constants[length[5:]])


def struct_text(header, name, known):
    lines = [f"class {name}(Struct):", "    _fields_ = ["]
    for field, kind, length in header.structs[name]:
        suffix = f" * {header.array(length)}" if length else ""
        lines.append(f'        ("{field}", {header.type_of(kind, known)}{suffix}),')
    return lines + ["    ]", ""]


def generate(header):
    lines = [
        '"""Constants, structs and functions of the C interface for ctypes. Made from its headers by bindgen.py."""',
        "",
        "import ctypes",
        "from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p",
        "",
        "UNKNOWN = -(1 << 63)",
        *(f"{name} = {value}" for name, value in header.constants.items()),
        "",
        "",
        "class Struct(ctypes.Structure):",
        '    """Every public struct opens with struct_size, reserved and next; this sets the size."""',
        "",
        "    def __init__(self, **fields):",
        "        super().__init__(struct_size=ctypes.sizeof(type(self)), **fields)",
        "",
        "",
    ]
    known = set()  # structs and callbacks that are written already
    for name in header.structs:
        lines += [*callbacks_ready(header, known), *struct_text(header, name, known), ""]
        known.add(name)
    lines += [*callbacks_ready(header, known), "FUNCTIONS = {"]
    for result, name, given in header.functions:
        lines.append(f'    "{name}": ({header.type_of(result.strip(), known)}, [{header.types(given, known)}]),')
    return "\n".join(lines + ["}", ""])


def callbacks_ready(header, known):
    """The callbacks that were not written yet and are given no struct that was not."""
    made = []
    for result, name, given in header.callbacks:
        needed = {struct for struct in header.structs if f"{struct}_t" in given}
        if name not in known and needed <= known:
            made.append(f"{name} = CFUNCTYPE({header.type_of(result, known)}, {header.types(given, known)})")
            known.add(name)
    return made + ["", ""] if made else []


def main():
    *headers, output = sys.argv[1:]
    text = generate(Header("".join(pathlib.Path(header).read_text(encoding="utf-8") for header in headers)))
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
