// The two forms of an accumulator, and which register of which thread holds which element (PTX ISA, "Register fragments
// and shared memory matrix layouts" of wgmma): thread t, warp w = t / 32, lane l:
//
//   32-bit D:  register 4j + 2h + b   is row 16w + 8h + l/4, column 8j + 2(l%4) + b
//   16-bit D:  register 2j + h holds, in its halves b, the same elements
#include "runtime/emulator/Wgmma.h"

#include <bit>
#include <cstring>

namespace tawa::emu {

constexpr uint32_t kThreads = 128;

namespace {
uint32_t rowOf(uint32_t thread, uint32_t h) { return thread / 32 * 16 + h * 8 + thread % 32 / 4; }
uint32_t columnOf(uint32_t thread, uint32_t j, uint32_t b) { return j * 8 + thread % 4 * 2 + b; }
} // namespace

void Accumulator::start(uint32_t registersPerThread) {
  form = Form::Poison;
  perThread = registersPerThread;
  products = frees = 0;
  inUse = true;
}

uint32_t Accumulator::load(uint32_t thread, uint32_t index) const {
  auto *words = elements.data()->words;
  if (type != ElementType::F16)
    return words[columnOf(thread, index / 4, index & 1) * kWgmmaRows + rowOf(thread, index >> 1 & 1)];
  uint32_t result = 0;
  if (index / 2 * 8 >= columns) // registers beyond a 16-bit D's n/4
    return 0xffffffffu;
  for (uint32_t b = 0; b < 2; ++b) {
    uint32_t bits = words[columnOf(thread, index / 2, b) * kWgmmaRows + rowOf(thread, index & 1)];
    result |= static_cast<uint32_t>(floatToHalf(std::bit_cast<float>(bits))) << (16 * b);
  }
  return result;
}

void Accumulator::store(uint32_t thread, uint32_t index, uint32_t value) {
  auto *words = elements.data()->words;
  if (type != ElementType::F16) {
    words[columnOf(thread, index / 4, index & 1) * kWgmmaRows + rowOf(thread, index >> 1 & 1)] = value;
    return;
  }
  if (index / 2 * 8 >= columns)
    return;
  for (uint32_t b = 0; b < 2; ++b) {
    float element = halfToFloat(static_cast<uint16_t>(value >> (16 * b)));
    words[columnOf(thread, index / 2, b) * kWgmmaRows + rowOf(thread, index & 1)] = std::bit_cast<uint32_t>(element);
  }
}

void Accumulator::toRegisters() {
  file.resize(size_t(kThreads) * perThread);
  if (form == Form::Poison)
    memset(file.data(), 0xff, file.size() * sizeof(uint32_t));
  if (form == Form::Matrix)
    for (uint32_t thread = 0; thread < kThreads; ++thread)
      for (uint32_t i = 0; i < perThread; ++i)
        file[thread * perThread + i] = load(thread, i);
  form = Form::Registers;
}

void Accumulator::toMatrix() {
  for (uint32_t thread = 0; thread < kThreads; ++thread)
    for (uint32_t i = 0; i < perThread; ++i)
      store(thread, i, file[thread * perThread + i]);
  form = Form::Matrix;
}

void *Accumulator::matrix(ElementType wanted, uint32_t n, bool keep) {
  if (form == Form::Matrix && (type == wanted || !keep) && columns == n) {
    type = wanted;
    return elements.data();
  }
  if (keep)
    toRegisters();
  type = wanted;
  columns = n;
  elements.resize(size_t(n) * kWgmmaRows / 16);
  if (keep)
    toMatrix();
  form = Form::Matrix;
  return elements.data();
}

void Accumulator::write(uint32_t thread, const uint32_t *values) {
  if (form != Form::Registers)
    toRegisters();
  memcpy(file.data() + size_t(thread) * perThread, values, perThread * sizeof(uint32_t));
}

void Accumulator::read(uint32_t thread, uint32_t *values) const {
  if (form == Form::Poison) {
    memset(values, 0xff, perThread * sizeof(uint32_t));
  } else if (form == Form::Registers) {
    memcpy(values, file.data() + size_t(thread) * perThread, perThread * sizeof(uint32_t));
  } else {
    for (uint32_t i = 0; i < perThread; ++i)
      values[i] = load(thread, i);
  }
}

} // namespace tawa::emu
