// Operations on laid-out tensors, run on the emulator in many layouts: reductions, scans, gathers, pairs, atomics,
// histograms. Every kernel checks itself: in each layout the operand counts its elements, so that every result has a
// closed form, which is compared in every register of every thread.
#include "tests/conformance/LaidOut.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tawa::conformance {
namespace {

constexpr uint32_t kRows = 64, kColumns = 32;

/// Text of one kernel over tensors of kRows x kColumns in one layout, and its slices.
class Text {
public:
  Text(LinearLayout tile, uint32_t warps) : tile(std::move(tile)), warps(warps) {}

  std::string type(const std::string &element) const {
    return "tensor<" + std::to_string(kRows) + "x" + std::to_string(kColumns) + "x" + element + ", " + printed(tile) +
           ">";
  }
  static std::string lineType(uint32_t size, const std::string &element, const LinearLayout &layout) {
    return "tensor<" + std::to_string(size) + "x" + element + ", " + printed(layout) + ">";
  }
  /// A range along one dimension, as a line of that layout.
  void range(const std::string &name, uint32_t size, const LinearLayout &layout) {
    body += name + " = tt.make_range {start = 0 : i32, end = " + std::to_string(size) +
            " : i32} : " + lineType(size, "i32", layout) + "\n";
  }
  /// %e, %r and %c: number, row and column of every element.
  void count() {
    range("%line", kRows * kColumns, reshapeTensor(tile, {kRows * kColumns}));
    body += "%e = tt.reshape %line : " + lineType(kRows * kColumns, "i32", reshapeTensor(tile, {kRows * kColumns})) +
            " -> " + type("i32") + "\n";
    add("%five = arith.constant dense<5> : $", "%r = arith.shrui %e, %five : $", "%mask = arith.constant dense<31> : $",
        "%c = arith.andi %e, %mask : $");
  }
  /// Lines in which $ stands for the tile of i32.
  template <typename... Lines> void add(const Lines &...lines) { (addLine(lines), ...); }
  void raw(const std::string &line) { body += line + "\n"; }
  void expectEqual(const std::string &a, const std::string &b, const std::string &element, const std::string &ofType,
                   const std::string &what) {
    std::string same = "%same" + std::to_string(checks++);
    body += same + " = arith.cmpi eq, " + a + ", " + b + " : " + ofType + "\n";
    std::string bits = ofType;
    if (size_t at = bits.find("x" + element + ","); at != std::string::npos)
      bits.replace(at + 1, element.size(), "i1");
    else
      bits = "i1";
    body += "tt.assert " + same + ", \"" + what + "\" : " + bits + "\n";
  }
  std::string kernel(const std::string &parameters = "") const {
    return "tt.func public @kernel(" + parameters + ") {\ntawa.warp_group main warps(" + std::to_string(warps) +
           ") registers(0) {\n" + body + "}\ntt.return\n}\n";
  }

  LinearLayout tile;

private:
  void addLine(std::string line) {
    for (size_t at = 0; (at = line.find('$', at)) != std::string::npos;)
      line.replace(at, 1, type("i32"));
    body += line + "\n";
  }
  uint32_t warps;
  std::string body;
  unsigned checks = 0;
};

struct Case {
  std::string name;
  LinearLayout layout;
  uint32_t warps;
};

/// Layouts whose lanes and warps run along one dimension each, as reductions and scans ask for.
std::vector<Case> cases() {
  std::vector<Case> list;
  for (uint32_t warps : {1u, 2u, 4u, 8u, 16u})
    for (unsigned fast : {0u, 1u})
      for (uint32_t vector : {1u, 4u})
        for (unsigned firstOfWarps : {0u, 1u}) {
          BlockedPlan plan{vector, warps, {fast, 1 - fast}, {firstOfWarps, 1 - firstOfWarps}, {8, 8}};
          list.push_back({"fast " + std::to_string(fast) + " vector " + std::to_string(vector) + " warps " +
                              std::to_string(warps) + " along " + std::to_string(firstOfWarps),
                          blocked({kRows, kColumns}, plan), warps});
        }
  list.push_back({"accumulator", wgmmaAccumulator(kRows, kColumns, kColumns, 4), 4});
  list.push_back({"fragments", mmaAccumulator(kRows, kColumns, {2, 2, 8}), 8});
  list.push_back({"copies", blocked({kRows, kColumns}, BlockedPlan{2, 4, {1, 0}, {}, {2, 4}}), 4});
  LinearLayout cube = blocked({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 2, 4, {3, 9, 1, 7, 5, 0, 2, 4, 6, 8, 10});
  list.push_back({"scattered bits", reshapeTensor(cube, {kRows, kColumns}), 4});
  LinearLayout other = blocked({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 4, 8, {10, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5});
  list.push_back({"interleaved bits", reshapeTensor(other, {kRows, kColumns}), 8});
  return list;
}

void expectRuns(const Text &text, const std::string &name) {
  Status status = runLaidOut(text.kernel());
  EXPECT_TRUE(status) << name << ": " << status.message();
}

const char *const kSumRegion = "({\n^bb0(%x: i32, %y: i32):\n%s = arith.addi %x, %y : i32\n";

//===--- Reductions -----------------------------------------------------------------------------------------------===//

void addSum(Text &text, unsigned axis) {
  uint32_t size = axis == 0 ? kColumns : kRows;
  LinearLayout line = sliceAxis(text.tile, axis).removeZeroBases("register");
  std::string type = Text::lineType(size, "i32", line), n = std::to_string(axis);
  text.raw("%sum" + n + " = \"tt.reduce\"(%e) <{axis = " + n + " : i32}> " + kSumRegion +
           "tt.reduce.return %s : i32\n}) : (" + text.type("i32") + ") -> " + type);
  text.range("%at" + n, size, line);
  // Row r: 32 * 32 r + 496. Column c: 64 c + 32 * 2016.
  text.raw("%scale" + n + " = arith.constant dense<" + std::string(axis == 1 ? "1024" : "64") + "> : " + type);
  text.raw("%start" + n + " = arith.constant dense<" + std::string(axis == 1 ? "496" : "64512") + "> : " + type);
  text.raw("%part" + n + " = arith.muli %at" + n + ", %scale" + n + " : " + type);
  text.raw("%right" + n + " = arith.addi %part" + n + ", %start" + n + " : " + type);
  text.expectEqual("%sum" + n, "%right" + n, "i32", type, "sum along " + n);
}

TEST(LaidOut, Sums) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    addSum(text, 0);
    addSum(text, 1);
    expectRuns(text, one.name);
  }
}

/// The largest of (e * 37) mod 64 with the smallest number where there are several: a region that is not symmetric.
TEST(LaidOut, ArgMax) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    text.add("%k = arith.constant dense<37> : $", "%m = arith.constant dense<7> : $", "%p = arith.muli %e, %k : $",
             "%v = arith.andi %p, %m : $");
    LinearLayout line = sliceAxis(one.layout, 1).removeZeroBases("register");
    std::string type = Text::lineType(kRows, "i32", line);
    // Written so that the order of the operands decides between equals, as front ends do not.
    text.raw("%best:2 = \"tt.reduce\"(%v, %c) <{axis = 1 : i32}> ({\n^bb0(%x: i32, %i: i32, %y: i32, %j: i32):\n"
             "%g = arith.cmpi sgt, %x, %y : i32\n%q = arith.cmpi eq, %x, %y : i32\n%l = arith.cmpi slt, %i, %j : i32\n"
             "%ql = arith.andi %q, %l : i1\n%t = arith.ori %g, %ql : i1\n%a = arith.select %t, %x, %y : i32\n"
             "%b = arith.select %t, %i, %j : i32\ntt.reduce.return %a, %b : i32, i32\n}) : (" +
             text.type("i32") + ", " + text.type("i32") + ") -> (" + type + ", " + type + ")");
    // 32 r + c times 37 is 5 c modulo 8: 7 at c = 3.
    text.raw("%seven = arith.constant dense<7> : " + type);
    text.raw("%three = arith.constant dense<3> : " + type);
    text.expectEqual("%best#0", "%seven", "i32", type, "maximum");
    text.expectEqual("%best#1", "%three", "i32", type, "place of the maximum");
    expectRuns(text, one.name);
  }
}

/// The whole tensor to one scalar, in 64 bits, in two steps and in one.
TEST(LaidOut, Totals) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    LinearLayout flat = reshapeTensor(one.layout, {kRows * kColumns});
    std::string type = Text::lineType(kRows * kColumns, "i64", flat);
    text.raw("%wide = arith.extui %line : " + Text::lineType(kRows * kColumns, "i32", flat) + " to " + type);
    text.raw("%total = \"tt.reduce\"(%wide) <{axis = 0 : i32}> ({\n^bb0(%x: i64, %y: i64):\n"
             "%s = arith.addi %x, %y : i64\ntt.reduce.return %s : i64\n}) : (" +
             type + ") -> i64");
    text.raw("%right = arith.constant 2096128 : i64");
    text.expectEqual("%total", "%right", "i64", "i64", "total");
    expectRuns(text, one.name);
  }
}

//===--- Scans ----------------------------------------------------------------------------------------------------===//

void addScan(Text &text, unsigned axis, bool reverse) {
  std::string n = std::to_string(axis) + (reverse ? "r" : "f");
  text.raw("%scan" + n + " = \"tt.scan\"(%e) <{axis = " + std::to_string(axis) +
           " : i32, reverse = " + (reverse ? "true" : "false") + "}> " + kSumRegion +
           "tt.scan.return %s : i32\n}) : (" + text.type("i32") + ") -> " + text.type("i32"));
  // Up to place i of n along the axis, from a start s in steps of d: s (i + 1) + d i (i + 1) / 2; from the end, what is
  // left of the whole after the place before.
  std::string i = axis == 0 ? "%r" : "%c";
  text.add("%one" + n + " = arith.constant dense<1> : $", "%start" + n + " = arith.constant dense<0> : $");
  text.add("%step" + n + " = arith.constant dense<" + std::string(axis == 0 ? "32" : "1") + "> : $");
  text.add("%ds" + n + " = arith.muli " + i + ", %step" + n + " : $", "%s" + n + " = arith.subi %e, %ds" + n + " : $");
  auto upTo = [&](const std::string &name, const std::string &count) { // the first `count` elements
    text.add(name + "a = arith.muli %s" + n + ", " + count + " : $",
             name + "b = arith.subi " + count + ", %one" + n + " : $",
             name + "c = arith.muli " + count + ", " + name + "b : $",
             name + "d = arith.shrui " + name + "c, %one" + n + " : $",
             name + "e = arith.muli " + name + "d, %step" + n + " : $",
             name + " = arith.addi " + name + "a, " + name + "e : $");
  };
  text.add("%next" + n + " = arith.addi " + i + ", %one" + n + " : $");
  if (!reverse) {
    upTo("%right" + n, "%next" + n);
  } else {
    text.add("%size" + n + " = arith.constant dense<" + std::to_string(axis == 0 ? kRows : kColumns) + "> : $");
    upTo("%all" + n, "%size" + n);
    upTo("%before" + n, i);
    text.add("%right" + n + " = arith.subi %all" + n + ", %before" + n + " : $");
  }
  text.expectEqual("%scan" + n, "%right" + n, "i32", text.type("i32"), "scan along " + n);
}

TEST(LaidOut, Scans) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    for (unsigned axis : {0u, 1u})
      for (bool reverse : {false, true})
        addScan(text, axis, reverse);
    expectRuns(text, one.name);
  }
}

/// x, y -> x * 3^n + y is associative on (value, 3^n) and depends on the order: every element keeps the last of its
/// predecessors only, which is itself, so instead the first one is kept.
TEST(LaidOut, ScanKeepsTheOrder) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    text.raw("%first = \"tt.scan\"(%c) <{axis = 1 : i32, reverse = true}> ({\n^bb0(%x: i32, %y: i32):\n"
             "tt.scan.return %x : i32\n}) : (" +
             text.type("i32") + ") -> " + text.type("i32"));
    text.add("%right = arith.constant dense<31> : $");
    text.expectEqual("%first", "%right", "i32", text.type("i32"), "the last column");
    text.raw("%last = \"tt.scan\"(%r) <{axis = 0 : i32, reverse = false}> ({\n^bb0(%x: i32, %y: i32):\n"
             "tt.scan.return %y : i32\n}) : (" +
             text.type("i32") + ") -> " + text.type("i32"));
    text.expectEqual("%last", "%r", "i32", text.type("i32"), "the row itself");
    expectRuns(text, one.name);
  }
}

//===--- By value -------------------------------------------------------------------------------------------------===//

TEST(LaidOut, Gathers) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    text.add("%k = arith.constant dense<5> : $", "%m0 = arith.constant dense<63> : $", "%j = arith.addi %c, %k : $",
             "%jc = arith.andi %j, %mask : $", "%i = arith.addi %r, %c : $", "%ir = arith.andi %i, %m0 : $");
    text.raw("%g1 = tt.gather %e[%jc] {axis = 1 : i32} : (" + text.type("i32") + ", " + text.type("i32") + ") -> " +
             text.type("i32"));
    text.raw("%g0 = tt.gather %e[%ir] {axis = 0 : i32} : (" + text.type("i32") + ", " + text.type("i32") + ") -> " +
             text.type("i32"));
    text.add("%row = arith.shli %r, %k : $", "%right1 = arith.addi %row, %jc : $", "%other = arith.shli %ir, %k : $",
             "%right0 = arith.addi %other, %c : $");
    text.expectEqual("%g1", "%right1", "i32", text.type("i32"), "gather along 1");
    text.expectEqual("%g0", "%right0", "i32", text.type("i32"), "gather along 0");
    expectRuns(text, one.name);
  }
}

TEST(LaidOut, Histograms) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    LinearLayout flat = reshapeTensor(one.layout, {kRows * kColumns}), bins = blocked({16}, 1, one.warps);
    std::string type = Text::lineType(kRows * kColumns, "i32", flat), result = Text::lineType(16, "i32", bins);
    text.raw("%shift = arith.constant dense<6> : " + type);
    text.raw("%value = arith.shrui %line, %shift : " + type); // 0 to 31, of which 16 are counted
    text.raw("%h = tt.histogram %value : " + type + " -> " + result);
    text.raw("%right = arith.constant dense<64> : " + result);
    text.expectEqual("%h", "%right", "i32", result, "histogram");
    expectRuns(text, one.name);
  }
}

TEST(LaidOut, PairsAndTables) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    LinearLayout flat = reshapeTensor(one.layout, {kRows * kColumns / 2, 2});
    std::string pairs = "tensor<1024x2xi32, " + printed(flat) + ">";
    LinearLayout half = blocked({1024}, 2, one.warps);
    std::string line = Text::lineType(1024, "i32", half);
    text.raw("%pairs = tt.reshape %e : " + text.type("i32") + " -> " + pairs);
    text.raw("%even, %odd = tt.split %pairs : " + pairs + " -> " + line);
    text.range("%at", 1024, half);
    text.raw("%evens = arith.addi %at, %at : " + line);
    text.raw("%one = arith.constant dense<1> : " + line);
    text.raw("%odds = arith.addi %evens, %one : " + line);
    text.expectEqual("%even", "%evens", "i32", line, "first of pair");
    text.expectEqual("%odd", "%odds", "i32", line, "second of pair");
    text.raw("%joined = tt.join %even, %odd : " + line + " -> " + pairs);
    text.expectEqual("%joined", "%pairs", "i32", pairs, "joined again");
    LinearLayout eight = blocked({8}, 1, one.warps);
    std::string table = Text::lineType(8, "i32", eight);
    text.range("%place", 8, eight);
    text.raw("%squares = arith.muli %place, %place : " + table);
    text.raw("%table = arith.constant dense<[0, 1, 4, 9, 16, 25, 36, 49]> : " + table);
    text.expectEqual("%table", "%squares", "i32", table, "table");
    expectRuns(text, one.name);
  }
}

//===--- Memory ---------------------------------------------------------------------------------------------------===//

/// Every element adds its number to one of 32 counters and learns what was there; copies add nothing, and learn the
/// same.
TEST(LaidOut, AtomicsCountEveryElementOnce) {
  for (const Case &one : cases()) {
    Text text(one.layout, one.warps);
    text.count();
    std::string pointers = text.type("!tt.ptr<i32>");
    text.raw("%ps = tt.splat %p : !tt.ptr<i32> -> " + pointers);
    text.raw("%q = tt.addptr %ps, %c : " + pointers + ", " + text.type("i32"));
    text.raw("%true = arith.constant dense<true> : " + text.type("i1"));
    text.raw("%old = tt.atomic_rmw add, relaxed, gpu, %q, %e, %true : (" + pointers + ", " + text.type("i32") + ", " +
             text.type("i1") + ") -> " + text.type("i32"));
    // Once more, with its old value: zero where a copy learned something else than its owner.
    text.raw("%slots = tt.splat %s : !tt.ptr<i32> -> " + pointers);
    text.raw("%slot = tt.addptr %slots, %e : " + pointers + ", " + text.type("i32"));
    text.raw("tt.store %slot, %old : " + pointers);
    text.raw("tt.debug_barrier");
    text.raw("%again = tt.load %slot : " + pointers);
    text.expectEqual("%again", "%old", "i32", text.type("i32"), "old value");
    text.raw("%k = arith.constant 7 : i32");
    text.raw("%yes = arith.constant true");
    text.raw("%before = tt.atomic_rmw add, acq_rel, gpu, %t, %k, %yes : (!tt.ptr<i32>, i32, i1) -> i32");
    text.raw("%free = arith.constant 10 : i32");
    text.expectEqual("%before", "%free", "i32", "i32", "scalar");
    std::vector<int32_t> counters(kColumns, 0), slots(kRows * kColumns, 0), scalar{10};
    Status status = runLaidOut(text.kernel("%p: !tt.ptr<i32>, %s: !tt.ptr<i32>, %t: !tt.ptr<i32>"),
                               {{counters.data(), counters.size() * 4, "p", true},
                                {slots.data(), slots.size() * 4, "s", true},
                                {scalar.data(), 4, "t", true}});
    EXPECT_TRUE(status) << one.name << ": " << status.message();
    for (uint32_t column = 0; column < kColumns; ++column)
      ASSERT_EQ(counters[column], int32_t(64 * column + 64512)) << one.name;
    EXPECT_EQ(scalar[0], 17) << one.name;
  }
}

} // namespace
} // namespace tawa::conformance
