// The note NT_GNU_BUILD_ID, which is loaded with the rest (elf(5), "Notes").
#include "runtime/support/BuildId.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>

namespace tawa {

static std::string hexadecimal(const unsigned char *bytes, size_t count) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text.append(1, digits[bytes[i] >> 4]).append(1, digits[bytes[i] & 15]);
  return text;
}

/// Name and description of a note are padded to four bytes.
static size_t padded(size_t size) { return (size + 3) / 4 * 4; }

/// Found while the loader holds its lock, where nothing may be thrown.
struct Bytes {
  const unsigned char *first = nullptr;
  size_t count = 0;
};

static Bytes findBuildId(const unsigned char *notes, size_t size) {
  ElfW(Nhdr) header;
  for (size_t at = 0; at + sizeof(header) <= size;) {
    std::memcpy(&header, notes + at, sizeof(header));
    size_t name = at + sizeof(header), description = name + padded(header.n_namesz);
    if (description + header.n_descsz > size)
      break;
    if (header.n_type == NT_GNU_BUILD_ID && std::memcmp(notes + name, "GNU", 4) == 0)
      return {notes + description, header.n_descsz};
    at = description + padded(header.n_descsz);
  }
  return {};
}

/// Looks at each loaded object for the one that this function is in.
static int visit(dl_phdr_info *object, size_t, void *found) {
  auto here = reinterpret_cast<uintptr_t>(&visit);
  auto begin = object->dlpi_phdr, end = begin + object->dlpi_phnum;
  bool isOurs = std::any_of(begin, end, [&](const ElfW(Phdr) & segment) {
    uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    return segment.p_type == PT_LOAD && here >= start && here - start < segment.p_memsz;
  });
  if (!isOurs)
    return 0;
  auto *id = static_cast<Bytes *>(found);
  for (auto segment = begin; segment != end && id->count == 0; ++segment)
    if (segment->p_type == PT_NOTE) {
      uintptr_t notes = object->dlpi_addr + segment->p_vaddr;
      *id = findBuildId(reinterpret_cast<const unsigned char *>(notes), segment->p_memsz); // NOLINT
    }
  return 1;
}

std::string buildId() {
  Bytes found;
  dl_iterate_phdr(visit, &found);
  return hexadecimal(found.first, found.count);
}

} // namespace tawa
