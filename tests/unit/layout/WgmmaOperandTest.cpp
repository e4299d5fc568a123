// Matrix descriptors against CUTLASS-style canonical layouts, evaluated here as shapes and strides in units of 16
// bytes, for every element of every instruction; and against constants known to be right on the device.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa {
namespace {

const Swizzle allSwizzles[] = {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128};

struct Mode {
  uint32_t extent;
  uint32_t stride;
};
/// Index of a number in a hierarchical shape: the first mode varies fastest, the last takes what is left.
uint32_t strided(uint32_t index, const std::vector<Mode> &modes) {
  uint32_t result = 0;
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    result += index % modes[i].extent * modes[i].stride;
    index /= modes[i].extent;
  }
  return result + index * modes.back().stride;
}

/// Byte address of element (mn, k) of one instruction, from the fields of the descriptor alone.
uint32_t canonicalAddress(uint64_t descriptor, bool mnMajor, uint32_t elementBytes, uint32_t mn, uint32_t k) {
  const uint32_t start = descriptor & 0x3fff, leading = descriptor >> 16 & 0x3fff, stride = descriptor >> 32 & 0x3fff;
  const unsigned field = descriptor >> 62;
  const uint32_t width = field == 1 ? 8 : field == 2 ? 4 : field == 3 ? 2 : 1; // 16-byte units of an atom row
  const uint32_t perUnit = 16 / elementBytes;
  uint32_t unit, within;
  if (!mnMajor) {
    // ((8, m), units of k): ((width, stride), (1 inside a swizzled row | leading))
    within = k % perUnit;
    unit = strided(mn, {{8, width}, {0, stride}}) + k / perUnit * (field ? 1 : leading);
  } else {
    within = mn % perUnit;
    if (field) // ((width, m), (8, k)): ((1, leading), (width, stride))
      unit = strided(mn / perUnit, {{width, 1}, {0, leading}}) + strided(k, {{8, width}, {0, stride}});
    else // ((1, m), (8, k)): ((x, stride), (1, leading))
      unit = mn / perUnit * stride + strided(k, {{8, 1}, {0, leading}});
  }
  uint32_t address = (start + unit) * 16 + within * elementBytes;
  const uint32_t mask = field == 1 ? 7 : field == 2 ? 3 : field == 3 ? 1 : 0;
  return address ^ ((address >> 3) & (mask << 4));
}

bool readsTheTile(const WgmmaSmemOperand &operand, const LinearLayout &shared) {
  LinearLayout inverse = *shared.inverse();
  const uint32_t elementBytes = operand.elementBits / 8;
  uint64_t read = 0;
  for (uint32_t block = 0; block < operand.blockOffsets.size(); ++block)
    for (uint32_t step = 0; step < operand.stepOffsets.size(); ++step) {
      uint64_t start = operand.blockOffsets[block] + operand.stepOffsets[step];
      uint64_t descriptor = encodeDescriptorConstant(operand) | start >> 4;
      for (uint32_t mn = 0; mn < operand.instrMN; ++mn)
        for (uint32_t k = 0; k < operand.instrK(); ++k, ++read) {
          std::vector<uint32_t> at(2);
          at[operand.mnDim] = block * operand.instrMN + mn;
          at[1 - operand.mnDim] = step * operand.instrK() + k;
          uint32_t address = canonicalAddress(descriptor, operand.mnMajor, elementBytes, mn, k);
          if (inverse.apply(at)[0] * elementBytes != address)
            return false;
          if (descriptorElementAddress(descriptor, operand.mnMajor, operand.elementBits, mn, k) != address)
            return false;
        }
    }
  return read == shared.inSize("offset");
}

/// Derives, checks in both ways and returns the operand.
WgmmaSmemOperand derived(const LinearLayout &shared, unsigned elementBits, unsigned mnDim, uint32_t instrMN) {
  WgmmaFailure why = WgmmaFailure::None;
  auto operand = deriveWgmmaOperand(shared, elementBits, mnDim, instrMN, &why);
  EXPECT_TRUE(operand) << describe(why) << " instrMN " << instrMN << "\n" << shared.str();
  if (!operand)
    return {};
  EXPECT_TRUE(readsTheTile(*operand, shared)) << shared.str();
  EXPECT_TRUE(checkWgmmaOperand(*operand, shared));
  return *operand;
}

TEST(WgmmaOperand, KMajorTilesOfEveryTypeAndSwizzle) {
  for (unsigned elementBits : {8u, 16u, 32u})
    for (Swizzle swizzle : allSwizzles)
      for (uint32_t mn : {8u, 64u, 256u})
        for (uint32_t kBytes = 32; kBytes <= 256; kBytes *= 2)
          for (unsigned mnDim : {0u, 1u})
            for (uint32_t instrMN : {8u, 64u, 256u}) {
              const uint32_t k = kBytes * 8 / elementBits;
              if (instrMN > mn || kBytes < swizzleBytes(swizzle))
                continue;
              // Stored with k contiguous: rows of A, or the columns of a B given as [k, n].
              uint32_t panel = swizzle == Swizzle::None ? 16 : 0;
              LinearLayout shared = mnDim == 0 ? sharedSwizzled(mn, k, elementBits, swizzle, true, panel)
                                               : sharedSwizzled(k, mn, elementBits, swizzle, false, panel);
              WgmmaSmemOperand operand = derived(shared, elementBits, mnDim, instrMN);
              EXPECT_FALSE(operand.mnMajor);
              EXPECT_EQ(operand.swizzle, swizzle);
              EXPECT_EQ(operand.stepOffsets.size(), kBytes / 32);
              EXPECT_EQ(operand.blockOffsets.size(), mn / instrMN);
              EXPECT_EQ(operand.strideByteOffset, instrMN == 8 ? 0 : 8 * swizzleBytes(swizzle));
              EXPECT_EQ(operand.leadingByteOffset, swizzle == Swizzle::None ? mn * 16 : 0);
            }
}

TEST(WgmmaOperand, MNMajorTilesOf16Bits) {
  for (Swizzle swizzle : allSwizzles)
    for (uint32_t mn : {8u, 16u, 64u, 128u, 256u})
      for (uint32_t k : {16u, 64u, 128u})
        for (unsigned mnDim : {0u, 1u})
          for (uint32_t instrMN = 8; instrMN <= mn; instrMN *= 2) {
            // The atom's row must be filled by the tile; an instruction may still read only a part of it.
            if (mn * 2 < swizzleBytes(swizzle) || instrMN * 2 < swizzleBytes(swizzle))
              continue;
            uint32_t panel = swizzle == Swizzle::None ? 16 : 0;
            LinearLayout shared = mnDim == 0 ? sharedSwizzled(mn, k, 16, swizzle, false, panel)
                                             : sharedSwizzled(k, mn, 16, swizzle, true, panel);
            WgmmaSmemOperand operand = derived(shared, 16, mnDim, instrMN);
            EXPECT_TRUE(operand.mnMajor);
            EXPECT_EQ(operand.swizzle, swizzle);
          }
}

TEST(WgmmaOperand, ConstantsKnownFromTheDevice) {
  // K-major f16 and fp8, 128-byte swizzle: stride 1024, and 32 bytes further for each step inside the atom.
  LinearLayout a = sharedSwizzled(128, 128, 16, Swizzle::B128);
  WgmmaSmemOperand operandA = derived(a, 16, 0, 64);
  EXPECT_EQ(encodeDescriptorConstant(operandA), 0x4000004000000000u);
  EXPECT_EQ(operandA.stepOffsets, (std::vector<uint32_t>{0, 32, 64, 96, 16384, 16416, 16448, 16480}));
  EXPECT_EQ(operandA.blockOffsets, (std::vector<uint32_t>{0, 8192}));
  WgmmaSmemOperand fp8 = derived(sharedSwizzled(128, 128, 8, Swizzle::B128), 8, 0, 64);
  EXPECT_EQ(encodeDescriptorConstant(fp8), 0x4000004000000000u);
  // V of attention, 128 rows of k by 128 columns, contiguous along N: leading 16384 to the next panel, stride 1024.
  WgmmaSmemOperand v = derived(sharedSwizzled(128, 128, 16, Swizzle::B128), 16, 1, 128);
  EXPECT_TRUE(v.mnMajor);
  EXPECT_EQ(encodeDescriptorConstant(v), 0x4000004004000000u);
  EXPECT_EQ(v.stepOffsets[1], 2048u);
}

TEST(WgmmaOperand, TransposedViewsNeedNoCopy) {
  // K of attention is stored [n, d] and read as [d, n]: the view exchanges coordinates, the descriptor follows.
  LinearLayout stored = sharedSwizzled(128, 64, 16, Swizzle::B128);
  WgmmaSmemOperand direct = derived(stored, 16, 0, 128), view = derived(permuteAxes(stored, {1, 0}), 16, 1, 128);
  EXPECT_EQ(encodeDescriptorConstant(direct), encodeDescriptorConstant(view));
  EXPECT_FALSE(view.mnMajor);
  EXPECT_EQ(direct.stepOffsets, view.stepOffsets);
}

TEST(WgmmaOperand, RefusalsHaveReasons) {
  auto reason = [](const LinearLayout &layout, unsigned elementBits, unsigned mnDim, uint32_t instrMN) {
    WgmmaFailure why = WgmmaFailure::None;
    EXPECT_FALSE(deriveWgmmaOperand(layout, elementBits, mnDim, instrMN, &why));
    EXPECT_FALSE(std::string(describe(why)).empty());
    return why;
  };
  EXPECT_EQ(reason(sharedSwizzled(128, 128, 8, Swizzle::B128), 8, 1, 128), WgmmaFailure::MNMajorType);
  EXPECT_EQ(reason(sharedSwizzled(128, 64, 32, Swizzle::B128), 32, 1, 64), WgmmaFailure::MNMajorType);
  EXPECT_EQ(reason(sharedRowMajor({64, 64}), 16, 0, 64), WgmmaFailure::NoCanonicalForm);
  EXPECT_EQ(reason(sharedSwizzled(32, 64, 16, Swizzle::B128), 16, 0, 64), WgmmaFailure::TooFewMN);
  EXPECT_EQ(reason(sharedSwizzled(64, 8, 16, Swizzle::None), 16, 0, 64), WgmmaFailure::TooFewK);
  EXPECT_EQ(reason(LinearLayout({{"offset", {{1, 0}, {1, 0}}}}, {{"dim0", 1}, {"dim1", 0}}), 16, 0, 64),
            WgmmaFailure::NotBijective);
  // Rows exchanged inside the atom: a bijection that no descriptor describes.
  LinearLayout tile = sharedSwizzled(64, 64, 16, Swizzle::B128);
  LinearLayout exchange({{"dim0", {{2, 0}, {1, 0}, {4, 0}, {8, 0}, {16, 0}, {32, 0}}},
                         {"dim1", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}}}},
                        tile.outs());
  EXPECT_EQ(reason(tile.compose(exchange), 16, 0, 64), WgmmaFailure::NoCanonicalForm);
  // 2^19 bytes between the 16-byte columns are more than a field holds.
  EXPECT_EQ(reason(sharedSwizzled(32768, 16, 16, Swizzle::None, true, 16), 16, 0, 64), WgmmaFailure::OffsetRange);
}

TEST(WgmmaOperand, TheCheckSeesWrongFields) {
  LinearLayout shared = sharedSwizzled(128, 128, 16, Swizzle::B128);
  const WgmmaSmemOperand right = derived(shared, 16, 1, 128);
  auto broken = [&](auto change) {
    WgmmaSmemOperand operand = right;
    change(operand);
    EXPECT_FALSE(readsTheTile(operand, shared));
    return !checkWgmmaOperand(operand, shared);
  };
  EXPECT_TRUE(broken([](WgmmaSmemOperand &o) { o.leadingByteOffset *= 2; }));
  EXPECT_TRUE(broken([](WgmmaSmemOperand &o) { o.strideByteOffset *= 2; }));
  EXPECT_TRUE(broken([](WgmmaSmemOperand &o) { o.swizzle = Swizzle::B64; }));
  EXPECT_TRUE(broken([](WgmmaSmemOperand &o) { o.mnMajor = false; }));
  EXPECT_TRUE(broken([](WgmmaSmemOperand &o) { o.stepOffsets[1] += 32; }));
  EXPECT_TRUE(broken([](WgmmaSmemOperand &o) { o.stepOffsets.pop_back(); }));
}

} // namespace
} // namespace tawa
