// mma.sync.m16n8kK (PTX ISA, "Matrix fragments for mma.m16n8k*"): K is 32 bytes of a row of A.
//
// Lane l = 4 g + t. Register r of A holds the four bytes at byte 4 t of the 16-byte half r / 2 of row g + 8 (r mod 2),
// register r of B those of half r of column g, whatever the element type. C and D: rows g and g + 8, columns 2 t and
// 2 t + 1.
#include "runtime/emulator/Mma.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Floats.h"
#include "runtime/emulator/Sm.h"

#include <bit>
#include <cstring>

namespace tawa::emu {

namespace {

constexpr uint32_t kRows = 16, kColumns = 8, kRowBytes = 32;

struct MmaTypes {
  ElementType a, b, d;
  bool unsignedA, unsignedB;
  explicit MmaTypes(uint32_t bits)
      : a(static_cast<ElementType>(bits & 0xff)), b(static_cast<ElementType>(bits >> 8 & 0xff)),
        d(static_cast<ElementType>(bits >> 16 & 0xff)), unsignedA(bits >> 24 & 1), unsignedB(bits >> 25 & 1) {}
};

float elementAt(ElementType type, bool isUnsigned, const uint8_t *row, uint32_t k) {
  uint16_t half;
  float word;
  switch (type) {
  case ElementType::F16:
    memcpy(&half, row + k * sizeof half, sizeof half);
    return halfToFloat(half);
  case ElementType::BF16:
    memcpy(&half, row + k * sizeof half, sizeof half);
    return bfloatToFloat(half);
  case ElementType::F32: // tf32: the low 13 mantissa bits are ignored
    memcpy(&word, row + k * sizeof word, sizeof word);
    return std::bit_cast<float>(std::bit_cast<uint32_t>(word) & 0xffffe000u);
  case ElementType::I8:
    return isUnsigned ? static_cast<float>(row[k]) : static_cast<float>(static_cast<int8_t>(row[k]));
  default:
    return fp8ToFloat(type, row[k]);
  }
}

/// All sums of the tile. Those of bytes are below 2^24: exact in f32.
void multiply(MmaMeeting &meeting) {
  MmaTypes types(meeting.types);
  uint8_t a[kRows][kRowBytes], b[kColumns][kRowBytes];
  for (uint32_t lane = 0; lane < kWarpThreads; ++lane) {
    for (uint32_t r = 0; r < 4; ++r)
      memcpy(&a[lane / 4 + r % 2 * 8][r / 2 * 16 + lane % 4 * 4], &meeting.a[lane][r], 4);
    for (uint32_t r = 0; r < 2; ++r)
      memcpy(&b[lane / 4][r * 16 + lane % 4 * 4], &meeting.b[lane][r], 4);
  }
  uint32_t depth = kRowBytes / elementBytes(types.a);
  float wideA[kRows][kRowBytes], wideB[kColumns][kRowBytes];
  for (uint32_t k = 0; k < depth; ++k) {
    for (uint32_t row = 0; row < kRows; ++row)
      wideA[row][k] = elementAt(types.a, types.unsignedA, a[row], k);
    for (uint32_t column = 0; column < kColumns; ++column)
      wideB[column][k] = elementAt(types.b, types.unsignedB, b[column], k);
  }
  for (uint32_t row = 0; row < kRows; ++row)
    for (uint32_t column = 0; column < kColumns; ++column) {
      float sum = 0;
      for (uint32_t k = 0; k < depth; ++k)
        sum += wideA[row][k] * wideB[column][k];
      meeting.sums[row][column] = sum;
    }
}

/// Blocks until all lanes have brought their fragments; then the sums are there.
const MmaMeeting &meet(Thread &self, const uint32_t (&a)[4], const uint32_t (&b)[2], uint32_t types) {
  Warp &warp = *self.warp;
  Scheduler &scheduler = self.cta->cluster->scheduler;
  MmaMeeting &meeting = warp.mma[self.products++ & 1];
  if (meeting.arrived == 0)
    meeting.types = types;
  else if (meeting.types != types)
    self.cta->cluster->fail(self, "the lanes of warp %u disagree about the types of an mma", warp.number);
  memcpy(meeting.a[self.laneId], a, sizeof a);
  memcpy(meeting.b[self.laneId], b, sizeof b);
  if (++meeting.arrived < kWarpThreads) {
    scheduler.block(self, {Wait::Kind::Exchange, 0, 0});
    return meeting;
  }
  meeting.arrived = 0;
  multiply(meeting);
  for (uint32_t lane = 0; lane < kWarpThreads; ++lane)
    if (&warp.lanes[lane] != &self)
      scheduler.wake(warp.lanes[lane]);
  return meeting;
}

/// D = C + sums for the four elements of a lane, in the form D's type has in registers.
void accumulate(ElementType d, const float (&sums)[4], uint32_t *registers) {
  for (uint32_t element = 0; element < 4; ++element) {
    if (d == ElementType::F32) {
      registers[element] = std::bit_cast<uint32_t>(std::bit_cast<float>(registers[element]) + sums[element]);
    } else if (d == ElementType::I32) {
      registers[element] += static_cast<uint32_t>(static_cast<int32_t>(sums[element]));
    } else {
      uint32_t &word = registers[element / 2], shift = element % 2 * 16;
      uint32_t half = floatToHalf(halfToFloat(static_cast<uint16_t>(word >> shift)) + sums[element]);
      word = (word & ~(0xffffu << shift)) | half << shift;
    }
  }
}

} // namespace

namespace abi {

extern "C" v tawa_emu_mma(p thread, i a0, i a1, i a2, i a3, i b0, i b1, i types, p registers) {
  Thread &caller = self(thread);
  const MmaMeeting &meeting = meet(caller, {a0, a1, a2, a3}, {b0, b1}, types);
  uint32_t row = caller.laneId / 4, column = caller.laneId % 4 * 2;
  const float own[4] = {meeting.sums[row][column], meeting.sums[row][column + 1], meeting.sums[row + 8][column],
                        meeting.sums[row + 8][column + 1]};
  accumulate(MmaTypes(types).d, own, static_cast<uint32_t *>(registers));
}

} // namespace abi
} // namespace tawa::emu
