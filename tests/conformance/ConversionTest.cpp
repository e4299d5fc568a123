// Runs every conversion between register layouts: a tensor that counts its elements is converted from each layout of a
// list to each other one, and every register of every thread, copies included, is compared with what the layout assigns
// to it. Many conversions form one kernel, for the emulator, with its race detection on.
#include "compiler/target/hopper/TawaToSM90/ConversionPlan.h"
#include "tests/conformance/LaidOut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>

namespace tawa::conformance {
namespace {

//===--- Layouts --------------------------------------------------------------------------------------------------===//

constexpr uint32_t kRows = 64, kColumns = 32, kWarps = 4;
constexpr unsigned kLaneBits = 5;

struct Named {
  std::string name;
  LinearLayout layout;
};

/// The layout with its register bits in reverse order.
LinearLayout reversedRegisters(const LinearLayout &layout) {
  std::vector<LinearLayout::InBases> bases;
  for (const LinearLayout::Dim &in : layout.ins()) {
    bases.push_back({in.name, {}});
    for (unsigned bit = 0; bit < in.bits; ++bit)
      bases.back().second.push_back(layout.basis(in.name, in.name == "register" ? in.bits - 1 - bit : bit));
  }
  return LinearLayout(std::move(bases), layout.outs());
}

/// The layout with one more bit of an input, which holds copies.
LinearLayout withCopies(const LinearLayout &layout, const std::string &of, unsigned position) {
  std::vector<LinearLayout::InBases> bases;
  for (const LinearLayout::Dim &in : layout.ins()) {
    bases.push_back({in.name, {}});
    for (unsigned bit = 0; bit < in.bits; ++bit)
      bases.back().second.push_back(layout.basis(in.name, bit));
    if (in.name == of)
      bases.back().second.insert(bases.back().second.begin() + position, {0, 0});
  }
  return LinearLayout(std::move(bases), layout.outs());
}

void addBlocked(std::vector<Named> &list) {
  const std::vector<unsigned> rowsFirst{0, 1}, columnsFirst{1, 0};
  for (const auto &order : {columnsFirst, rowsFirst})
    for (uint32_t vector : {1, 2, 4, 8})
      for (const auto &warpOrder : {rowsFirst, columnsFirst})
        for (uint32_t lanes : {32u, 4u}) {
          BlockedPlan plan{vector, kWarps, order, warpOrder, {}};
          if (lanes != 32)
            plan.maxLanes = order == columnsFirst ? std::vector<uint32_t>{32, lanes} : std::vector<uint32_t>{lanes, 32};
          list.push_back({"blocked by " + std::to_string(order[0]) + " vector " + std::to_string(vector) + " warps " +
                              std::to_string(warpOrder[0]) + " lanes " + std::to_string(lanes),
                          blocked({kRows, kColumns}, plan)});
        }
}

void addFragments(std::vector<Named> &list) {
  list.push_back({"wgmma accumulator", wgmmaAccumulator(kRows, kColumns, kColumns, kWarps)});
  list.push_back({"wgmma accumulator of n8", wgmmaAccumulator(kRows, kColumns, 8, kWarps)});
  for (unsigned bits : {8, 16, 32})
    list.push_back({"wgmma A " + std::to_string(bits), wgmmaOperandA(kRows, kColumns, bits, kWarps)});
  for (MmaWarps split : {MmaWarps{4, 1, 4}, MmaWarps{2, 2, 4}, MmaWarps{1, 4, 4}, MmaWarps{2, 1, 4}}) {
    std::string name = std::to_string(split.m) + "x" + std::to_string(split.n);
    list.push_back({"mma accumulator " + name, mmaAccumulator(kRows, kColumns, split)});
    list.push_back({"mma A 16 " + name, mmaOperandA(kRows, kColumns, 16, split)});
    list.push_back({"mma B 16 " + name, mmaOperandB(kRows, kColumns, 16, split)});
  }
  list.push_back({"mma A 8", mmaOperandA(kRows, kColumns, 8, {2, 2, 4})});
  list.push_back({"mma B 32", mmaOperandB(kRows, kColumns, 32, {2, 2, 4})});
}

void addViews(std::vector<Named> &list) {
  LinearLayout tall = blocked({kColumns, kRows}, 4, kWarps);
  list.push_back({"transposed", permuteAxes(tall, {1, 0})});
  list.push_back({"transposed accumulator", permuteAxes(mmaAccumulator(kColumns, kRows, {2, 2, 4}), {1, 0})});
  list.push_back({"reshaped", reshapeTensor(blocked({16, 16, 8}, 2, kWarps, {1, 2, 0}), {kRows, kColumns})});
  LinearLayout cube = blocked({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 2, kWarps, {3, 9, 1, 7, 5, 0, 2, 4, 6, 8, 10});
  list.push_back({"hypercube", reshapeTensor(cube, {kRows, kColumns})});
  list.push_back({"sliced", sliceAxis(blocked({4, kRows, kColumns}, 2, kWarps, {2, 0, 1}), 0)});
  list.push_back({"sliced accumulator",
                  sliceAxis(reshapeTensor(wgmmaAccumulator(64, 128, 128, kWarps), {kRows, 4, kColumns}), 1)});
  list.push_back({"reversed registers", reversedRegisters(blocked({kRows, kColumns}, 4, kWarps))});
  list.push_back({"copies in low registers", withCopies(blocked({kRows, kColumns}, 4, kWarps), "register", 0)});
  list.push_back({"copies in high registers", withCopies(mmaAccumulator(kRows, kColumns, {2, 2, 4}), "register", 4)});
  BlockedPlan few{4, kWarps, {1, 0}, {}, {2, 4}};
  list.push_back({"copies in lanes", blocked({kRows, kColumns}, few)});
  list.push_back({"everything everywhere", blocked({kRows, kColumns}, BlockedPlan{8, kWarps, {1, 0}, {}, {1, 1}})});
}

const std::vector<Named> &layouts() {
  static const std::vector<Named> list = [] {
    std::vector<Named> made;
    addBlocked(made);
    addFragments(made);
    addViews(made);
    return made;
  }();
  return list;
}

//===--- Kernels --------------------------------------------------------------------------------------------------===//

/// How a tensor of the elements under test is made of numbers, and numbers of it.
struct ElementKind {
  std::string type, make, read; ///< `make` takes %0 to %1, `read` back; $I and $T are the tensor types of both.
};
const ElementKind kWord{"i32", "%1 = arith.addi %0, %zero : $I", "%1 = arith.addi %0, %zero : $I"};
const ElementKind kHalf{"f16", "%1 = arith.uitofp %0 : $I to $T", "%1 = arith.fptoui %0 : $T to $I"};
const ElementKind kByte{"i8", "%1 = arith.trunci %0 : $I to $T", "%1 = arith.extui %0 : $T to $I"};
const ElementKind kBit{"i1", "%1 = arith.trunci %0 : $I to $T", "%1 = arith.extui %0 : $T to $I"};
const ElementKind kLong{"i64", "%1 = arith.extui %0 : $I to $T", "%1 = arith.trunci %0 : $T to $I"};
const ElementKind kPointer{"!tt.ptr<i8>", "%w = arith.extui %0 : $I to $L\n%1 = tt.int_to_ptr %w : $L -> $T",
                           "%w = tt.ptr_to_int %0 : $T -> $L\n%1 = arith.trunci %w : $L to $I"};

class KernelText {
public:
  KernelText(const ElementKind &kind, uint32_t mask, int error) : kind(kind), mask(mask), error(error) {
    text = "tt.func public @convert() {\ntawa.warp_group main warps(" + std::to_string(kWarps) + ") registers(0) {\n";
  }
  void add(const Named &from, const Named &to) {
    std::string source = printed(from.layout), target = printed(to.layout);
    std::string counted = count(from.layout, source, 0), made = fresh();
    emit(kind.make, counted, made, source);
    std::string moved = fresh(), read = fresh(), same = fresh();
    text += moved + " = tawa.convert_layout " + made + " : " + tensor(kind.type, source) + " -> " +
            tensor(kind.type, target) + "\n";
    emit(kind.read, moved, read, target);
    std::string expected = count(to.layout, target, error);
    text += same + " = arith.cmpi eq, " + read + ", " + expected + " : " + tensor("i32", target) + "\n";
    text += "tt.assert " + same + ", \"" + from.name + " -> " + to.name + "\" : " + tensor("i1", target) + "\n";
  }
  std::string finish() const { return text + "}\ntt.return\n}\n"; }

private:
  std::string fresh() { return "%v" + std::to_string(values++); }
  std::string tensor(const std::string &element, const std::string &layout) const {
    return "tensor<" + std::to_string(kRows) + "x" + std::to_string(kColumns) + "x" + element + ", " + layout + ">";
  }
  /// The number of each element, of which only the bits of the mask are kept.
  std::string count(const LinearLayout &layout, const std::string &printedLayout, int offset) {
    std::string line = fresh(), tile = fresh(), bits = fresh(), result = fresh();
    std::string flat = printed(reshapeTensor(layout, {kRows * kColumns}));
    std::string lineType = "tensor<" + std::to_string(kRows * kColumns) + "xi32, " + flat + ">";
    std::string type = tensor("i32", printedLayout);
    text += line + " = tt.make_range {start = " + std::to_string(offset) +
            " : i32, end = " + std::to_string(offset + kRows * kColumns) + " : i32} : " + lineType + "\n";
    text += tile + " = tt.reshape " + line + " : " + lineType + " -> " + type + "\n";
    text += bits + " = arith.constant dense<" + std::to_string(mask) + "> : " + type + "\n";
    text += result + " = arith.andi " + tile + ", " + bits + " : " + type + "\n";
    return result;
  }
  void emit(std::string body, const std::string &from, const std::string &to, const std::string &layout) {
    std::string zero = fresh(), wide = fresh();
    if (body.find("%zero") != std::string::npos)
      text += zero + " = arith.constant dense<0> : " + tensor("i32", layout) + "\n";
    const std::pair<std::string, std::string> places[] = {{"%0", from},
                                                          {"%1", to},
                                                          {"%zero", zero},
                                                          {"%w", wide},
                                                          {"$I", tensor("i32", layout)},
                                                          {"$L", tensor("i64", layout)},
                                                          {"$T", tensor(kind.type, layout)}};
    for (const auto &[name, value] : places)
      for (size_t at = 0; (at = body.find(name, at)) != std::string::npos; at += value.size())
        body.replace(at, name.size(), value);
    text += body + "\n";
  }

  const ElementKind &kind;
  uint32_t mask;
  int error;
  std::string text;
  unsigned values = 0;
};

/// From one layout to each of the list, so many in a kernel that none is too large to be assembled.
Status convertToAll(const Named &from, const std::vector<Named> &list, const ElementKind &kind, uint32_t mask,
                    int error = 0) {
  constexpr size_t conversionsOfKernel = 16;
  for (size_t first = 0; first < list.size(); first += conversionsOfKernel) {
    KernelText text(kind, mask, error);
    for (size_t index = first; index < std::min(list.size(), first + conversionsOfKernel); ++index)
      text.add(from, list[index]);
    if (Status status = runLaidOut(text.finish()); !status)
      return status;
  }
  return Status::ok();
}

/// Every n-th layout of the list.
std::vector<Named> some(size_t stride) {
  std::vector<Named> list;
  for (size_t index = 0; index < layouts().size(); index += stride)
    list.push_back(layouts()[index]);
  return list;
}

void convertAll(const std::vector<Named> &list, const ElementKind &kind, uint32_t mask) {
  for (const Named &from : list) {
    Status status = convertToAll(from, list, kind, mask);
    EXPECT_TRUE(status) << kind.type << " from " << from.name << ": " << status.message();
  }
}

//===--- Tests ----------------------------------------------------------------------------------------------------===//

TEST(Conversion, EveryPairOfWords) {
  ASSERT_GE(layouts().size(), 40u);
  convertAll(layouts(), kWord, ~0u);
}
TEST(Conversion, Halves) { convertAll(some(3), kHalf, 2047); }
TEST(Conversion, Bytes) { convertAll(some(5), kByte, 255); }
TEST(Conversion, Bits) { convertAll(some(7), kBit, 1); }
TEST(Conversion, Longs) { convertAll(some(5), kLong, ~0u); }
TEST(Conversion, Pointers) { convertAll(some(9), kPointer, ~0u); }

TEST(Conversion, AWrongElementIsSeen) {
  Status status = convertToAll(layouts()[0], some(20), kWord, ~0u, /*error=*/1);
  ASSERT_FALSE(status);
  EXPECT_NE(status.message().find("->"), std::string::npos) << status.message();
}

//===--- Bank conflicts -------------------------------------------------------------------------------------------===//

/// What scratch costs, summed over conversions.
struct ScratchCount {
  unsigned plans = 0, conflicted = 0, conflicts = 0, cycles = 0, matrices = 0;

  void add(const LinearLayout &from, const LinearLayout &to, unsigned bits) {
    if (planWarpLocal(from, to))
      return;
    ScratchPlan plan = planScratch(from, to, bits, /*hasStmatrix=*/true);
    unsigned lost = plan.write.conflicts + plan.read.conflicts;
    ++plans;
    conflicted += lost != 0;
    conflicts += lost;
    matrices += plan.write.matrix || plan.read.matrix;
    cycles += plan.write.cycles + plan.read.cycles;
  }
  void print(const std::string &what) const {
    std::cout << what << ": " << plans << " plans, " << matrices << " with matrix moves, " << conflicted
              << " with bank conflicts; " << cycles << " cycles, " << conflicts << " of them conflicts\n";
  }
};

TEST(Conversion, ScratchIsFreeOfBankConflicts) {
  for (unsigned bits : {8, 16, 32, 64}) {
    ScratchCount count;
    for (const Named &from : layouts())
      for (const Named &to : layouts())
        count.add(from.layout, to.layout, bits);
    count.print(std::to_string(layouts().size()) + " layouts, " + std::to_string(bits) + " bits");
    EXPECT_GT(count.plans, 0u);
    EXPECT_EQ(count.conflicts, 0u);
  }
}

/// Bits of the tile in any order, some of them sums of others, and copies where the tile is small.
LinearLayout randomLayout(std::mt19937 &random, const std::vector<uint32_t> &extentBits, unsigned warpBits) {
  const unsigned bits = std::accumulate(extentBits.begin(), extentBits.end(), 0u);
  std::vector<uint32_t> vectors(bits);
  for (unsigned bit = 0; bit < bits; ++bit)
    vectors[bit] = 1u << bit;
  for (unsigned sums = random() % 2 * bits; sums > 0; --sums)
    if (unsigned a = random() % bits, b = random() % bits; a != b)
      vectors[a] ^= vectors[b];
  std::shuffle(vectors.begin(), vectors.end(), random);
  vectors.resize(std::max(bits, kLaneBits + warpBits) + random() % 2, 0);
  std::shuffle(vectors.begin() + (random() % 2 ? 0 : vectors.size() - 2), vectors.end(), random);
  auto take = [&](size_t count) {
    std::vector<LinearLayout::Basis> bases;
    for (; count > 0; --count, vectors.pop_back()) {
      LinearLayout::Basis basis;
      for (uint32_t vector = vectors.back(); uint32_t extent : extentBits) {
        basis.push_back(vector & ((1u << extent) - 1));
        vector >>= extent;
      }
      bases.push_back(std::move(basis));
    }
    return bases;
  };
  auto lanes = take(kLaneBits), warps = take(warpBits), registers = take(vectors.size());
  std::vector<LinearLayout::Dim> outs;
  for (unsigned axis = 0; axis < extentBits.size(); ++axis)
    outs.push_back({dimName(axis), extentBits[axis]});
  return LinearLayout({{"register", registers}, {"lane", lanes}, {"warp", warps}}, outs);
}

TEST(Conversion, ScratchOfRandomLayoutsIsFreeOfBankConflicts) {
  std::mt19937 random(1);
  for (unsigned bits : {8, 16, 32, 64}) {
    ScratchCount count;
    for (unsigned i = 0; i < 500; ++i) {
      std::vector<uint32_t> extent = {unsigned(random() % 5), unsigned(1 + random() % 7)};
      unsigned warpBits = random() % 4;
      LinearLayout from = randomLayout(random, extent, warpBits);
      count.add(from, randomLayout(random, extent, warpBits), bits);
    }
    count.print("random layouts, " + std::to_string(bits) + " bits");
    EXPECT_GT(count.plans, 300u);
    EXPECT_EQ(count.conflicts, 0u);
  }
}

/// The random layouts too are converted to what they say.
TEST(Conversion, RandomLayouts) {
  std::mt19937 random(2);
  std::vector<Named> list;
  for (unsigned i = 0; i < 12; ++i)
    list.push_back({"random " + std::to_string(i), randomLayout(random, {6, 5}, 2)});
  for (const ElementKind *kind : {&kWord, &kHalf, &kByte, &kLong})
    convertAll(list, *kind, kind == &kHalf ? 2047 : kind == &kByte ? 255 : ~0u);
}

} // namespace
} // namespace tawa::conformance
