// Links one relocatable ELF object in memory (System V ABI, "Object Files"; its x86-64 supplement, "Relocation"). Three
// steps: place the sections, copy them, apply the relocations. Every read is first checked against the object's end.
#include "runtime/emulator/ObjectLoader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace tawa {

LoadedObject::~LoadedObject() { munmap(pages, size); }

namespace {

constexpr size_t kMostBytes = size_t{1} << 30; // of a section, and of all of them: sums stay far from their types' end
constexpr size_t kStubBytes = 16;
constexpr uint64_t kNotPlaced = UINT64_MAX;

Status wrong(const std::string &what) {
  return {StatusCode::Emulator, "loading a host object: " + what + "; compile the kernel again"};
}

/// Kinds of pages, in the order in which they lie in memory.
enum Pages : unsigned { kCode, kConstants, kData, kPageKinds };
constexpr int kProtection[kPageKinds] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};

Pages pagesOf(const Elf64_Shdr &section) {
  return section.sh_flags & SHF_EXECINSTR ? kCode : section.sh_flags & SHF_WRITE ? kData : kConstants;
}

size_t alignTo(size_t value, size_t alignment) { return (value + alignment - 1) / alignment * alignment; }

class Linker {
public:
  Linker(std::string_view object, std::string_view entry, std::span<const emu::Symbol> symbols)
      : object(object), entry(entry), given(symbols) {}

  Result<std::shared_ptr<LoadedObject>> link() {
    for (auto step : {&Linker::readSections, &Linker::readSymbols, &Linker::place, &Linker::findEntry, &Linker::map,
                      &Linker::relocate, &Linker::protect})
      if (Status status = (this->*step)(); !status)
        return status;
    loaded->entry = reinterpret_cast<emu::KernelEntry>(memory + entryOffset);
    return std::move(loaded);
  }

private:
  // --- reading ---

  /// `count` records at an offset of the object, copied, because nothing there need be aligned.
  template <typename Record> std::optional<std::vector<Record>> records(uint64_t offset, uint64_t count) const {
    if (offset > object.size() || count > (object.size() - offset) / sizeof(Record))
      return std::nullopt;
    std::vector<Record> all(count);
    if (count)
      std::memcpy(all.data(), object.data() + offset, count * sizeof(Record));
    return all;
  }
  template <typename Record> std::optional<std::vector<Record>> recordsOf(const Elf64_Shdr &section) const {
    return records<Record>(section.sh_offset, section.sh_size / sizeof(Record));
  }

  Status readSections() {
    auto header = records<Elf64_Ehdr>(0, 1);
    if (!header || std::memcmp(header->front().e_ident, ELFMAG, SELFMAG) != 0)
      return wrong("it is no ELF file");
    const Elf64_Ehdr &file = header->front();
    bool isOurs = file.e_ident[EI_CLASS] == ELFCLASS64 && file.e_ident[EI_DATA] == ELFDATA2LSB &&
                  file.e_type == ET_REL && file.e_machine == EM_X86_64 && file.e_shentsize == sizeof(Elf64_Shdr);
    if (!isOurs)
      return wrong("it is no relocatable object for x86-64");
    auto all = records<Elf64_Shdr>(file.e_shoff, file.e_shnum);
    if (!all)
      return wrong("its table of sections is cut off");
    sections = std::move(*all);
    return Status::ok();
  }

  Status readSymbols() {
    auto found = std::ranges::find(sections, Elf64_Word{SHT_SYMTAB}, &Elf64_Shdr::sh_type);
    if (found == sections.end() || found->sh_link >= sections.size())
      return wrong("it has no symbols");
    auto all = recordsOf<Elf64_Sym>(*found);
    auto text = recordsOf<char>(sections[found->sh_link]);
    if (!all || !text || text->empty() || text->back() != '\0')
      return wrong("its symbols are cut off");
    table = std::move(*all);
    names = std::move(*text);
    return Status::ok();
  }

  std::string_view nameOf(const Elf64_Sym &symbol) const {
    return symbol.st_name < names.size() ? names.data() + symbol.st_name : "";
  }

  // --- placing ---

  /// Code, then a stub for each function outside, then constants, then data; each kind on pages of its own.
  Status place() {
    auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    offsets.assign(sections.size(), kNotPlaced);
    for (unsigned kind = 0; kind < kPageKinds; ++kind) {
      begins[kind] = end;
      for (size_t i = 0; i < sections.size(); ++i)
        if (sections[i].sh_flags & SHF_ALLOC && pagesOf(sections[i]) == kind)
          if (Status status = placeSection(i, page); !status)
            return status;
      if (kind == kCode) {
        stubs = alignTo(end, kStubBytes);
        end = stubs + table.size() * kStubBytes;
      }
      end = alignTo(end, page);
    }
    return Status::ok();
  }

  Status placeSection(size_t index, size_t page) {
    const Elf64_Shdr &section = sections[index];
    size_t alignment = std::max<size_t>(section.sh_addralign, 1);
    bool isSound = section.sh_size <= kMostBytes && end <= kMostBytes && alignment <= page &&
                   (alignment & (alignment - 1)) == 0 &&
                   (section.sh_type == SHT_NOBITS || records<char>(section.sh_offset, section.sh_size));
    if (!isSound)
      return wrong("section " + std::to_string(index) + " is cut off, or of an impossible size or alignment");
    offsets[index] = alignTo(end, alignment);
    end = offsets[index] + section.sh_size;
    return Status::ok();
  }

  Status findEntry() {
    for (const Elf64_Sym &symbol : table)
      if (isPlaced(symbol) && nameOf(symbol) == entry) {
        entryOffset = addressIn(symbol);
        return Status::ok();
      }
    return wrong("it has no function '" + std::string(entry) + "'");
  }

  Status map() {
    end = std::max<size_t>(end, 1);
    void *pages = mmap(nullptr, end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
      return {StatusCode::OutOfMemory, "no memory for " + std::to_string(end) + " bytes of machine code"};
    try {
      loaded = std::make_shared<LoadedObject>(pages, end);
    } catch (...) {
      munmap(pages, end);
      throw;
    }
    memory = static_cast<char *>(pages);
    for (size_t i = 0; i < sections.size(); ++i)
      if (offsets[i] != kNotPlaced && sections[i].sh_type != SHT_NOBITS && sections[i].sh_size)
        std::memcpy(memory + offsets[i], object.data() + sections[i].sh_offset, sections[i].sh_size);
    return Status::ok();
  }

  // --- resolving ---

  bool isPlaced(const Elf64_Sym &symbol) const {
    size_t index = symbol.st_shndx;
    return index != SHN_UNDEF && index < sections.size() && offsets[index] != kNotPlaced &&
           symbol.st_value <= sections[index].sh_size;
  }
  uint64_t addressIn(const Elf64_Sym &symbol) const { return offsets[symbol.st_shndx] + symbol.st_value; }

  /// Address of a symbol defined here or supplied; 0 where there is none.
  uint64_t addressOf(const Elf64_Sym &symbol) const {
    if (isPlaced(symbol))
      return reinterpret_cast<uint64_t>(memory) + addressIn(symbol);
    if (symbol.st_shndx == SHN_UNDEF)
      for (std::span<const emu::Symbol> symbols : {given, arithmeticHelpers()})
        for (const emu::Symbol &one : symbols)
          if (nameOf(symbol) == one.name)
            return reinterpret_cast<uint64_t>(one.address);
    return 0;
  }

  /// A jump, in that symbol's stub, to an address beyond the reach of a call from here.
  uint64_t stubFor(size_t symbol, uint64_t target) {
    constexpr std::array<uint8_t, 6> kJump = {0xff, 0x25, 0, 0, 0, 0}; // jmp *(next bytes)
    char *stub = memory + stubs + symbol * kStubBytes;
    std::memcpy(stub, kJump.data(), kJump.size());
    std::memcpy(stub + kJump.size(), &target, sizeof target);
    return reinterpret_cast<uint64_t>(stub);
  }

  Status relocate() {
    for (const Elf64_Shdr &section : sections) {
      bool isForUs =
          section.sh_type == SHT_RELA && section.sh_info < sections.size() && offsets[section.sh_info] != kNotPlaced;
      if (!isForUs)
        continue;
      auto all = recordsOf<Elf64_Rela>(section);
      if (!all)
        return wrong("its relocations are cut off");
      for (const Elf64_Rela &relocation : *all)
        if (Status status = apply(relocation, section.sh_info); !status)
          return status;
    }
    return Status::ok();
  }

  Status apply(const Elf64_Rela &relocation, size_t section) {
    size_t index = ELF64_R_SYM(relocation.r_info), type = ELF64_R_TYPE(relocation.r_info);
    bool isRelative = type == R_X86_64_PC32 || type == R_X86_64_PLT32;
    if (!isRelative && type != R_X86_64_64)
      return wrong("relocations of type " + std::to_string(type) + " are not known here");
    size_t bytes = isRelative ? 4 : 8, size = sections[section].sh_size;
    if (index >= table.size() || relocation.r_offset > size || bytes > size - relocation.r_offset)
      return wrong("a relocation lies outside of its section");
    uint64_t target = addressOf(table[index]);
    if (!target)
      return wrong("nothing here is called '" + std::string(nameOf(table[index])) + "'");
    char *place = memory + offsets[section] + relocation.r_offset;
    uint64_t value = target + static_cast<uint64_t>(relocation.r_addend);
    if (isRelative)
      return storeDistance(place, value, type == R_X86_64_PLT32 ? index : table.size(), relocation.r_addend);
    std::memcpy(place, &value, sizeof value);
    return Status::ok();
  }

  /// `symbol`: its stub is used where the target is too far away; the number of symbols means none.
  Status storeDistance(char *place, uint64_t value, size_t symbol, int64_t addend) {
    auto distance = static_cast<int64_t>(value - reinterpret_cast<uint64_t>(place));
    if (distance != static_cast<int32_t>(distance) && symbol < table.size()) {
      value = stubFor(symbol, value - static_cast<uint64_t>(addend)) + static_cast<uint64_t>(addend);
      distance = static_cast<int64_t>(value - reinterpret_cast<uint64_t>(place));
    }
    auto stored = static_cast<int32_t>(distance);
    if (distance != stored)
      return wrong("something that is no function is farther than 2 GiB away");
    std::memcpy(place, &stored, sizeof stored);
    return Status::ok();
  }

  Status protect() {
    for (unsigned kind = 0; kind < kPageKinds; ++kind) {
      size_t from = begins[kind], to = kind + 1 < kPageKinds ? begins[kind + 1] : end;
      if (to > from && mprotect(memory + from, to - from, kProtection[kind]) != 0)
        return wrong("this system does not let memory become executable");
    }
    return Status::ok();
  }

  std::string_view object, entry;
  std::span<const emu::Symbol> given;
  std::vector<Elf64_Shdr> sections;
  std::vector<uint64_t> offsets; // of sections in the memory
  std::vector<Elf64_Sym> table;
  std::vector<char> names;
  size_t begins[kPageKinds] = {}, stubs = 0, end = 0;
  uint64_t entryOffset = 0;
  std::shared_ptr<LoadedObject> loaded;
  char *memory = nullptr;
};

} // namespace

Result<std::shared_ptr<LoadedObject>> loadHostObject(std::string_view object, std::string_view entry,
                                                     std::span<const emu::Symbol> symbols) {
  return Linker(object, entry, symbols).link();
}

} // namespace tawa
