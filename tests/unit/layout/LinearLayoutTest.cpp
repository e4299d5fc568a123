// The laws of the layout algebra, on random maps of many shapes and on small ones written out by hand.
#include "compiler/layouts/algebra/LinearLayout.h"

#include <gtest/gtest.h>

#include <random>

namespace tawa {
namespace {

using Dim = LinearLayout::Dim;
using Basis = LinearLayout::Basis;

/// Random maps of given shapes. The generator starts from a fixed seed: every run sees the same maps.
class RandomMaps {
public:
  LinearLayout map(const std::vector<Dim> &ins, const std::vector<Dim> &outs) {
    std::vector<LinearLayout::InBases> bases;
    for (const Dim &in : ins) {
      bases.push_back({in.name, {}});
      for (unsigned b = 0; b < in.bits; ++b) {
        Basis image;
        for (const Dim &out : outs)
          image.push_back(random() & ((1u << out.bits) - 1));
        bases.back().second.push_back(image);
      }
    }
    return LinearLayout(bases, outs);
  }
  LinearLayout bijection(const std::vector<Dim> &ins, const std::vector<Dim> &outs) {
    for (;;) {
      LinearLayout candidate = map(ins, outs);
      if (candidate.isInvertible())
        return candidate;
    }
  }
  LinearLayout surjection(const std::vector<Dim> &ins, const std::vector<Dim> &outs) {
    for (;;) {
      LinearLayout candidate = map(ins, outs);
      if (candidate.isSurjective())
        return candidate;
    }
  }

private:
  std::mt19937 random{20240517};
};

LinearLayout identityOn(const std::vector<Dim> &dims) {
  LinearLayout identity;
  for (const Dim &dim : dims)
    identity = identity * LinearLayout::identity1D(dim.bits, dim.name, dim.name);
  return identity;
}

const std::vector<std::vector<Dim>> shapes = {
    {{"a", 3}}, {{"a", 1}, {"b", 2}}, {{"a", 2}, {"b", 0}, {"c", 3}}, {{"a", 4}, {"b", 3}}, {{"a", 0}},
};
const std::vector<std::vector<Dim>> targets = {
    {{"x", 3}}, {{"x", 2}, {"y", 1}}, {{"x", 4}, {"y", 1}}, {{"x", 3}, {"y", 4}}, {{"x", 0}},
};

unsigned bitsOf(const std::vector<Dim> &dims) {
  unsigned bits = 0;
  for (const Dim &dim : dims)
    bits += dim.bits;
  return bits;
}

TEST(LinearLayout, ImageIsXorOfBases) {
  LinearLayout map({{"a", {{1, 0}, {3, 1}}}, {"b", {{0, 2}}}}, {{"x", 2}, {"y", 2}});
  EXPECT_EQ(map.apply({0, 0}), (std::vector<uint32_t>{0, 0}));
  EXPECT_EQ(map.apply({3, 0}), (std::vector<uint32_t>{2, 1}));
  EXPECT_EQ(map.apply({3, 1}), (std::vector<uint32_t>{2, 3}));
  EXPECT_EQ(map.basis("a", 1, "x"), 3u);
  EXPECT_EQ(map.inBits("a"), 2u);
  EXPECT_EQ(map.outSize("y"), 4u);
  EXPECT_EQ(map.inBits("no such"), 0u);
  EXPECT_EQ(map.str(), "(x < 4, y < 4)\na 1 -> (1, 0)\na 2 -> (3, 1)\nb 1 -> (0, 2)\n");
}

TEST(LinearLayout, IsLinearAndFlatFormsAgree) {
  RandomMaps maps;
  for (const auto &ins : shapes)
    for (const auto &outs : targets) {
      LinearLayout map = maps.map(ins, outs);
      for (uint32_t i = 0; i < 1u << map.totalInBits(); ++i) {
        std::vector<uint32_t> inputs;
        uint32_t rest = i;
        for (const Dim &dim : ins) {
          inputs.push_back(rest & ((1u << dim.bits) - 1));
          rest >>= dim.bits;
        }
        uint32_t packed = 0;
        unsigned shift = 0;
        std::vector<uint32_t> image = map.apply(inputs);
        for (size_t d = 0; d < outs.size(); ++d) {
          packed |= image[d] << shift;
          shift += outs[d].bits;
        }
        ASSERT_EQ(map.applyFlat(i), packed);
        ASSERT_EQ(map.applyFlat(i) ^ map.applyFlat(i / 2), map.applyFlat(i ^ (i / 2)));
      }
    }
}

TEST(LinearLayout, ComposeIsAssociativeWithIdentity) {
  RandomMaps maps;
  const std::vector<Dim> a{{"a", 3}, {"b", 2}}, b{{"c", 2}, {"d", 3}}, c{{"e", 4}}, d{{"f", 1}, {"g", 2}};
  for (int i = 0; i < 50; ++i) {
    LinearLayout f = maps.map(a, b), g = maps.map(b, c), h = maps.map(c, d);
    EXPECT_EQ(f.compose(g).compose(h), f.compose(g.compose(h)));
    EXPECT_EQ(f.compose(identityOn(b)), f);
    EXPECT_EQ(identityOn(a).compose(f), f);
    for (uint32_t x = 0; x < 32; ++x)
      ASSERT_EQ(f.compose(g).applyFlat(x), g.applyFlat(f.applyFlat(x)));
  }
}

TEST(LinearLayout, ComposeMatchesDimensionsByName) {
  RandomMaps maps;
  LinearLayout f = maps.map({{"a", 4}}, {{"x", 2}, {"y", 2}});
  LinearLayout g = maps.map({{"x", 2}, {"y", 2}}, {{"z", 4}});
  EXPECT_EQ(f.transposeOuts({"y", "x"}).compose(g), f.compose(g));
  EXPECT_EQ(f.compose(g.transposeIns({"y", "x"})), f.compose(g));
}

TEST(LinearLayout, InverseUndoesOnBothSides) {
  RandomMaps maps;
  for (const auto &ins : shapes)
    for (const auto &outs : targets) {
      if (bitsOf(ins) != bitsOf(outs))
        continue;
      LinearLayout map = maps.bijection(ins, outs);
      auto inverse = map.inverse();
      ASSERT_TRUE(inverse);
      EXPECT_EQ(map.compose(*inverse), identityOn(ins));
      EXPECT_EQ(inverse->compose(map), identityOn(outs));
      EXPECT_EQ(inverse->inverse(), map);
    }
  EXPECT_FALSE(LinearLayout({{"a", {{1}, {1}}}}, {{"x", 2}}).inverse());
  EXPECT_FALSE(LinearLayout::identity1D(2, "a", "x").compose(LinearLayout::identity1D(3, "x", "x")).inverse());
}

TEST(LinearLayout, PseudoInverseIsTheSmallestPreimage) {
  RandomMaps maps;
  for (const auto &ins : shapes)
    for (const auto &outs : targets) {
      if (bitsOf(ins) < bitsOf(outs))
        continue;
      LinearLayout map = maps.surjection(ins, outs), right = map.pseudoInverse();
      EXPECT_EQ(right.compose(map), identityOn(outs));
      for (uint32_t y = 0; y < 1u << map.totalOutBits(); ++y) {
        uint32_t smallest = 0;
        while (map.applyFlat(smallest) != y)
          ++smallest;
        ASSERT_EQ(right.applyFlat(y), smallest) << map.str();
      }
    }
}

TEST(LinearLayout, InvertAndComposeConverts) {
  RandomMaps maps;
  const std::vector<Dim> x{{"a", 3}, {"b", 2}}, y{{"a", 2}, {"c", 4}}, t{{"u", 2}, {"v", 2}};
  for (int i = 0; i < 100; ++i) {
    LinearLayout from = maps.map(x, t), to = maps.surjection(y, t);
    LinearLayout conversion = from.invertAndCompose(to);
    EXPECT_EQ(conversion.compose(to), from);
    EXPECT_EQ(from.invertAndCompose(to.transposeOuts({"v", "u"})), conversion);
  }
}

TEST(LinearLayout, InvertAndComposeLeavesSharedBitsAlone) {
  // Both sides hold copies in lane bit 1: a lane takes the value from itself, not from the lane with that bit clear.
  LinearLayout from({{"lane", {{1}, {0}}}, {"register", {{2}}}}, {{"x", 2}});
  LinearLayout to({{"lane", {{1}, {0}}}, {"register", {{0}, {2}}}}, {{"x", 2}});
  LinearLayout conversion = from.invertAndCompose(to);
  EXPECT_EQ(conversion.basis("lane", 1), (Basis{2, 0}));
  EXPECT_EQ(conversion.basis("register", 0), (Basis{0, 2}));
}

TEST(LinearLayout, InvertAndComposeRefusesWhatIsNotThere) {
  LinearLayout all = LinearLayout::identity1D(3, "a", "x"), half({{"b", {{1}, {2}}}}, {{"x", 3}});
  EXPECT_FALSE(all.tryInvertAndCompose(half));
  EXPECT_TRUE(half.tryInvertAndCompose(all));
}

TEST(LinearLayout, ProductConcatenatesAndDivideLeftUndoesIt) {
  RandomMaps maps;
  for (const auto &ins : shapes)
    for (const auto &outs : targets) {
      LinearLayout tile = maps.map(ins, outs);
      LinearLayout rest = maps.map({{"b", 2}, {"a", 1}, {"z", 1}}, {{"y", 2}, {"w", 1}});
      LinearLayout product = tile * rest;
      EXPECT_EQ(product.totalInBits(), tile.totalInBits() + rest.totalInBits());
      EXPECT_EQ(tile * LinearLayout(), tile);
      EXPECT_EQ(LinearLayout() * tile, tile);
      auto quotient = product.divideLeft(tile);
      ASSERT_TRUE(quotient) << product.str();
      EXPECT_EQ(tile * *quotient, product);
    }
}

TEST(LinearLayout, ProductIsAssociative) {
  RandomMaps maps;
  for (int i = 0; i < 20; ++i) {
    LinearLayout f = maps.map({{"a", 2}}, {{"x", 2}}), g = maps.map({{"b", 1}, {"a", 1}}, {{"x", 1}, {"y", 2}});
    LinearLayout h = maps.map({{"a", 2}, {"b", 2}}, {{"y", 3}});
    EXPECT_EQ((f * g) * h, f * (g * h));
  }
}

TEST(LinearLayout, DivideLeftNeedsTheTileUntouched) {
  LinearLayout tile = LinearLayout::identity1D(2, "a", "x");
  EXPECT_TRUE(LinearLayout({{"a", {{1}, {2}, {4}}}}, {{"x", 3}}).divideLeft(tile));
  // A higher bit reaches into the tile; the tile's bit reaches beyond; another order; too few bits.
  EXPECT_FALSE(LinearLayout({{"a", {{1}, {2}, {5}}}}, {{"x", 3}}).divideLeft(tile));
  EXPECT_FALSE(LinearLayout({{"a", {{1}, {6}, {4}}}}, {{"x", 3}}).divideLeft(tile));
  EXPECT_FALSE(LinearLayout({{"a", {{2}, {1}, {4}}}}, {{"x", 3}}).divideLeft(tile));
  EXPECT_FALSE(LinearLayout({{"a", {{1}}}}, {{"x", 3}}).divideLeft(tile));
  EXPECT_FALSE(LinearLayout({{"a", {{1, 0}, {2, 1}}}}, {{"x", 2}, {"y", 1}}).divideLeft(tile));
}

TEST(LinearLayout, QuotientDropsWhatMapsToItself) {
  LinearLayout inner({{"register", {{1}, {3}}}}, {{"register", 2}});
  LinearLayout map = inner * LinearLayout::identity1D(5, "lane", "lane") * LinearLayout::identity1D(2, "warp", "warp");
  auto rest = map.quotient({"warp", "lane"});
  ASSERT_TRUE(rest);
  EXPECT_EQ(*rest, inner);
  LinearLayout crossed({{"register", {{1, 1}}}, {"lane", {{0, 1}}}}, {{"register", 1}, {"lane", 1}});
  EXPECT_FALSE(crossed.quotient({"lane"}));
  LinearLayout leaking({{"register", {{1, 0}}}, {"lane", {{1, 1}}}}, {{"register", 1}, {"lane", 1}});
  EXPECT_FALSE(leaking.quotient({"lane"}));
}

TEST(LinearLayout, PartsAndZeroBases) {
  LinearLayout map({{"a", {{1, 0}, {0, 0}, {0, 2}}}, {"b", {{0, 1}}}}, {{"x", 1}, {"y", 2}});
  EXPECT_EQ(map.sublayout({"a"}, {"y"}), LinearLayout({{"a", {{0}, {0}, {2}}}}, {{"y", 2}}));
  EXPECT_TRUE(map.isZeroOn({"b"}, {"x"}));
  EXPECT_FALSE(map.isZeroOn({"a"}, {"x"}));
  EXPECT_EQ(map.zeroBasisMask("a"), 2u);
  LinearLayout dense = map.removeZeroBases("a");
  EXPECT_EQ(dense, LinearLayout({{"a", {{1, 0}, {0, 2}}}, {"b", {{0, 1}}}}, {{"x", 1}, {"y", 2}}));
  EXPECT_EQ(map.rank(), 3u);
  EXPECT_TRUE(map.isSurjective());
  EXPECT_FALSE(map.isInjective());
  EXPECT_TRUE(dense.isInvertible());
  EXPECT_EQ(LinearLayout::zeros1D(3, "a", "x", 2).rank(), 0u);
}

TEST(LinearLayout, ViewsKeepTheMap) {
  RandomMaps maps;
  for (const auto &ins : shapes)
    for (const auto &outs : targets) {
      LinearLayout map = maps.map(ins, outs), flat = map.flattenIns("i").flattenOuts("o");
      EXPECT_EQ(flat.flatBases(), map.flatBases());
      EXPECT_EQ(flat.reshapeIns(ins).reshapeOuts(outs), map);
    }
  LinearLayout map = maps.map({{"a", 2}, {"b", 1}}, {{"x", 1}, {"y", 2}});
  LinearLayout transposed = map.transposeOuts({"y", "x"});
  EXPECT_EQ(transposed, map);
  EXPECT_NE(transposed.flatBases(), map.flatBases());
  EXPECT_EQ(map.renameIn("a", "c").renameIn("c", "a"), map);
  EXPECT_FALSE(map.renameOut("x", "z") == map);
  EXPECT_EQ(map.transposeIns({"b", "a"}).ins()[0].name, "b");
}

} // namespace
} // namespace tawa
