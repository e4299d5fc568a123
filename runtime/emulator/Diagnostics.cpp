// The kernel's own messages: assert and print.
#include "runtime/artifact/ElementType.h"
#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Floats.h"
#include "runtime/emulator/Sm.h"

#include <bit>
#include <cinttypes>
#include <cstdio>

namespace tawa::emu {

namespace {

/// Text of fixed size: a fiber owns nothing.
struct Line {
  char text[1024];
  size_t length = 0;
  __attribute__((format(printf, 2, 3))) void add(const char *format, ...) {
    va_list values;
    va_start(values, format);
    int added = vsnprintf(text + length, sizeof text - length, format, values);
    va_end(values);
    length = std::min(length + static_cast<size_t>(std::max(added, 0)), sizeof text - 1);
  }
};

double floatValue(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::F16:
    return halfToFloat(static_cast<uint16_t>(bits));
  case ElementType::BF16:
    return bfloatToFloat(static_cast<uint16_t>(bits));
  case ElementType::F32:
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  default:
    return std::bit_cast<double>(bits);
  }
}

void addValue(Line &line, ElementType type, uint64_t bits, bool hex) {
  bool isFloat = type >= ElementType::F16;
  if (isFloat)
    return line.add(" %g", floatValue(type, bits));
  if (hex)
    return line.add(" 0x%" PRIx64, bits);
  unsigned unused = 64 - elementBits(type);
  line.add(" %" PRId64, static_cast<int64_t>(bits << unused) >> unused);
}

} // namespace

namespace abi {

extern "C" v tawa_emu_check(p thread, i holds, p message) {
  if (holds)
    return;
  Thread &caller = self(thread);
  caller.cta->cluster->fail(caller, "assertion failed: %s", static_cast<const char *>(message));
}

extern "C" v tawa_emu_print(p thread, p text, i hex, i count, p values) {
  const Thread &caller = self(thread);
  auto *words = static_cast<const uint64_t *>(values);
  Line line;
  line.add("CTA (%u,%u,%u) thread %u: %s", caller.ctaid[0], caller.ctaid[1], caller.ctaid[2], caller.tid[0],
           static_cast<const char *>(text));
  for (uint32_t index = 0; index < count; ++index)
    addValue(line, static_cast<ElementType>(words[count + index]), words[index], hex != 0);
  printf("%s\n", line.text);
  fflush(stdout);
}

} // namespace abi
} // namespace tawa::emu
