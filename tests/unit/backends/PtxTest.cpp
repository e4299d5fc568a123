// The PTX of the hand-written GEMM, and its acceptance by ptxas where installed.

#include "tests/unit/backends/MachineText.h"

#include <gtest/gtest.h>

namespace tawa::test {
namespace {

std::string gemmPtx() {
  Result<std::string> ptx = compileToPtx(gemmText());
  EXPECT_TRUE(ptx.isOk()) << ptx.status().message();
  return ptx ? *ptx : std::string();
}

TEST(Ptx, AsksForTheLowestIsaThatHoldsTheInstructions) {
  std::string ptx = gemmPtx();
  EXPECT_EQ(countOf(ptx, ".version 8.0"), 1u);
  EXPECT_EQ(countOf(ptx, ".target sm_90a"), 1u);
  Result<std::string> later = compileToPtx(R"(
    func.func @store(%a: i32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 64 : i32} {
      sm90.store_async %a, %a count on %a : i32
      return
    })");
  ASSERT_TRUE(later.isOk()) << later.status().message();
  EXPECT_EQ(countOf(*later, ".version 8.1"), 1u);
  for (const char *type : {"bf16} : i32, i32", "f32} : f32, f32"}) {
    std::string word = type[0] == 'b' ? "i32" : "f32";
    Result<std::string> vector =
        compileToPtx("func.func @add(%p: !llvm.ptr<1>, %w: " + word +
                     ") attributes {sm90.kernel, sm90.threads = 128 : i32, "
                     "sm90.shared_bytes = 64 : i32} {\n  sm90.add_global relaxed gpu %p, %w, %w {type = " +
                     type + "\n  return\n}");
    ASSERT_TRUE(vector.isOk()) << vector.status().message();
    EXPECT_EQ(countOf(*vector, ".version 8.1"), 1u);
  }
}

TEST(Ptx, DeclaresTheKernelAsTheDriverNeedsIt) {
  std::string ptx = gemmPtx();
  EXPECT_EQ(countOf(ptx, ".visible .entry gemm("), 1u);
  EXPECT_EQ(countOf(ptx, ".param .align 64 .b8 gemm_param_"), 3u);
  EXPECT_EQ(countOf(ptx, ".maxntid 384"), 1u);
  EXPECT_EQ(countOf(ptx, ".extern .shared .align 1024"), 1u);
  EXPECT_EQ(countOf(ptx, ".local"), 0u) << "tensor maps must not be copied to local memory";
}

// LLVM neither duplicates nor drops a barrier or a wgmma.
TEST(Ptx, KeepsEveryInstructionOnce) {
  std::string ptx = gemmPtx();
  EXPECT_EQ(countOf(ptx, "mbarrier.try_wait.parity"), 2u);
  EXPECT_EQ(countOf(ptx, "cp.async.bulk.tensor.2d.shared::cluster"), 2u);
  EXPECT_EQ(countOf(ptx, "wgmma.mma_async"), 4u);
  EXPECT_EQ(countOf(ptx, "wgmma.wait_group"), 2u);
  EXPECT_EQ(countOf(ptx, "bar.sync"), 3u);
}

TEST(Ptx, MovesNoAccumulator) {
  std::string ptx = gemmPtx();
  EXPECT_EQ(countOf(ptx, "mov.f32"), 0u);
}

// A mask that LLVM's passes find false leaves no predicated instruction; the load's result is zero in every
// lane.
TEST(Ptx, ErasesWhatIsNeverExecuted) {
  Result<std::string> ptx = compileToPtx(R"(
    func.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32)
        attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
      %never = arith.cmpi ult, %n, %n : i32
      %zero = arith.constant 0 : i32
      %sometimes = arith.cmpi eq, %n, %zero : i32
      %x:2 = sm90.load_global %in if %never : i32, i32
      %y = sm90.load_global %in if %sometimes : i32
      %moved = sm90.shuffle idx %x#0, %n : i32
      sm90.store_global %out, %moved, %x#1 : i32, i32
      sm90.store_global %out, %y if %never : i32
      sm90.store_global %out, %y : i32
      return
    })");
  ASSERT_TRUE(ptx.isOk()) << ptx.status().message();
  EXPECT_EQ(countOf(*ptx, "ld.global"), 1u);
  EXPECT_EQ(countOf(*ptx, "shfl.sync"), 0u);
  EXPECT_EQ(countOf(*ptx, "st.global"), 2u);
}

// The address of an access is one multiply-add from its parameter, but not where a loop can step it.
TEST(Ptx, AddressesOfParametersAreOneInstruction) {
  Result<std::string> ptx = compileToPtx(R"(
    func.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32)
        attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %wide = arith.extsi %n : i32 to i64
      %from = llvm.getelementptr %in[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
      %x = sm90.load_global %from : i32
      scf.for %i = %zero to %n step %one : i32 {
        %at = arith.extsi %i : i32 to i64
        %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        sm90.store_global %to, %x : i32
      }
      return
    })");
  ASSERT_TRUE(ptx.isOk()) << ptx.status().message();
  EXPECT_EQ(countOf(*ptx, "mad.wide.s32"), 1u) << *ptx;
  EXPECT_EQ(countOf(*ptx, ", 8, "), 1u) << *ptx;
}

// Bytes of a word as two halves, and a byte as the last digits of a float: one permutation each, with the byte's number
// in its selector. What flips a sign in all four bytes is done once. Bytes of two words stay.
TEST(Ptx, BytesOfAWordAreSpreadByOnePermutation) {
  Result<std::string> ptx = compileToPtx(R"(
    func.func @kernel(%out: !llvm.ptr<1>, %a: i32, %b: i32)
        attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
      %c8 = arith.constant 8 : i32
      %c16 = arith.constant 16 : i32
      %c24 = arith.constant 24 : i32
      %byte = arith.constant 255 : i32
      %float = arith.constant 1258291328 : i32
      %plain = arith.constant 1258291200 : i32
      %a1 = arith.shrui %a, %c8 : i32
      %a2 = arith.shrui %a, %c16 : i32
      %byte0 = arith.andi %a, %byte : i32
      %byte1 = arith.andi %a1, %byte : i32
      %byte2 = arith.andi %a2, %byte : i32
      %byte3 = arith.shrui %a, %c24 : i32
      %up1 = arith.shli %byte1, %c16 : i32
      %up3 = arith.shli %byte3, %c16 : i32
      %0 = arith.ori %byte0, %up1 : i32
      %1 = arith.ori %byte2, %up3 : i32
      %2 = arith.xori %byte1, %float : i32
      %3 = arith.xori %byte3, %float : i32
      %4 = arith.ori %byte2, %plain : i32
      %other = arith.andi %b, %byte : i32
      %5 = arith.ori %other, %up3 : i32
      sm90.store_global %out, %0, %1, %2, %3 : i32, i32, i32, i32
      sm90.store_global %out, %4, %5 : i32, i32
      return
    })");
  ASSERT_TRUE(ptx.isOk()) << ptx.status().message();
  EXPECT_EQ(countOf(*ptx, "prmt.b32"), 5u) << *ptx;
  EXPECT_EQ(countOf(*ptx, "xor.b32"), 1u) << *ptx;
  for (uint32_t selector : {0x4140u, 0x4342u, 0x7651u, 0x7653u, 0x7652u})
    EXPECT_EQ(countOf(*ptx, ", " + std::to_string(selector) + ";"), 1u) << std::hex << selector << "\n" << *ptx;
  EXPECT_EQ(countOf(*ptx, ", -2139062144;"), 1u) << *ptx;
}

// The four ways in which halves of two words make a third are one permutation each; a rotated word is none.
TEST(Ptx, HalvesOfWordsAreOnePermutation) {
  Result<std::string> ptx = compileToPtx(R"(
    func.func @kernel(%out: !llvm.ptr<1>, %a: i32, %b: i32)
        attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
      %half = arith.constant 16 : i32
      %low = arith.constant 65535 : i32
      %high = arith.constant -65536 : i32
      %a_low = arith.andi %a, %low : i32
      %a_down = arith.shrui %a, %half : i32
      %a_up = arith.shli %a, %half : i32
      %b_high = arith.andi %b, %high : i32
      %b_up = arith.shli %b, %half : i32
      %0 = arith.ori %a_low, %b_up : i32
      %1 = arith.ori %b_high, %a_low : i32
      %2 = arith.ori %a_down, %b_up : i32
      %3 = arith.ori %a_down, %b_high : i32
      %4 = arith.ori %a_down, %a_up : i32
      sm90.store_global %out, %0, %1, %2, %3 : i32, i32, i32, i32
      sm90.store_global %out, %4 : i32
      return
    })");
  ASSERT_TRUE(ptx.isOk()) << ptx.status().message();
  EXPECT_EQ(countOf(*ptx, "prmt.b32"), 4u) << *ptx;
  for (const char *selector : {"21520;", "30224;", "21554;", "30258;"})
    EXPECT_EQ(countOf(*ptx, selector), 1u) << selector << "\n" << *ptx;
}

/// Products and rows of a swizzled tile whose descriptors and addresses a loop does not change, beside 36 words that
/// are read before the loop and written after it, in a role with so many registers.
std::string loopOfProducts(int registers) {
  std::string text = R"(
    func.func @kernel(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>, %n: i32, %word: i32)
        attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32, sm90.entry_registers = 64 : i32} {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %true = arith.constant true
      %c2 = arith.constant 2 : i64
      %c4 = arith.constant 4 : i64
      %mask = arith.constant 16320 : i32
      %high = arith.constant 4611686293305294848 : i64
      %address = arith.andi %word, %mask : i32
      %wide = arith.extui %address : i32 to i64
      %d0 = arith.ori %wide, %high : i64
      %d1 = arith.addi %d0, %c2 : i64
      %d2 = arith.addi %d0, %c4 : i64
      %c32 = arith.constant 32 : i32
      %c64 = arith.constant 64 : i32
      %c96 = arith.constant 96 : i32
      %c5 = arith.constant 5 : i32
      %lane = sm90.special_register laneid : i32
      %row = arith.shli %lane, %c5 : i32
      %x1 = arith.xori %row, %c32 : i32
      %x2 = arith.xori %row, %c64 : i32
      %x3 = arith.xori %row, %c96 : i32
      %p0 = arith.addi %row, %word : i32
      %p1 = arith.addi %x1, %word : i32
      %p2 = arith.addi %x2, %word : i32
      %p3 = arith.addi %x3, %word : i32
      %none = sm90.acc_undef : !sm90.inflight<64x8xf32>
      sm90.set_max_registers inc )" +
                     std::to_string(registers) + "\n";
  std::string loads, stores;
  for (int i = 0; i < 9; ++i) {
    std::string held = "%held" + std::to_string(i);
    loads += held + ":4 = sm90.load_global %from : i32, i32, i32, i32\n";
    stores += "sm90.store_global %to";
    for (const char *part : {"#0", "#1", "#2", "#3"})
      stores.append(", ").append(held).append(part);
    stores += " : i32, i32, i32, i32\n";
  }
  text += loads + R"(
      %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (!sm90.inflight<64x8xf32>) : i32 {
        sm90.wgmma_fence
        %a0 = sm90.wgmma %acc, %d0, %d0, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
        %a1 = sm90.wgmma %a0, %d1, %d1, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
        %a2 = sm90.wgmma %a1, %d2, %d2, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
        sm90.wgmma_commit
        sm90.store_shared %p0, %i : i32
        sm90.store_shared %p1, %i : i32
        sm90.store_shared %p2, %i : i32
        sm90.store_shared %p3, %i : i32
        scf.yield %a2 : !sm90.inflight<64x8xf32>
      }
      %done = sm90.wgmma_wait 0 %sum : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
      )" + stores +
          "return\n}";
  Result<std::string> ptx = compileToPtx(text);
  EXPECT_TRUE(ptx.isOk()) << ptx.status().message();
  return ptx ? *ptx : std::string();
}

// A loop that needs more registers than there are makes its descriptors where it reads them, each from the first one
// and a small difference; one that has enough keeps them.
TEST(Ptx, MakesDescriptorsInLoopsThatLackRegisters) {
  std::string tight = loopOfProducts(32), ample = loopOfProducts(240);
  auto sumsInLoop = [](const std::string &ptx) {
    std::string loop = ptx.substr(ptx.find("wgmma.fence"));
    return countOf(loop, "add.s64") + countOf(loop, "or.b64");
  };
  EXPECT_EQ(sumsInLoop(tight), 2u) << tight;
  EXPECT_EQ(countOf(tight, ", 2;"), 1u) << tight;
  EXPECT_EQ(countOf(tight, ", 4;"), 1u) << tight;
  EXPECT_EQ(sumsInLoop(ample), 0u) << ample;
}

/// A kernel of 512 threads, each of which holds so many words at once.
std::string kernelOfWords(int words, const std::string &more = "") {
  std::string text = R"(
    func.func @kernel(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>)
        attributes {sm90.kernel, sm90.threads = 512 : i32, sm90.shared_bytes = 0 : i32)" +
                     more + "} {\n";
  std::string stores;
  for (int i = 0; i < words; ++i) {
    std::string word = "%held" + std::to_string(i);
    text += word + " = sm90.load_global %from : i32\n";
    stores += "sm90.store_global %to, " + word + " : i32\n";
  }
  Result<std::string> ptx = compileToPtx(text + stores + "return\n}");
  EXPECT_TRUE(ptx.isOk()) << ptx.status().message();
  return ptx ? *ptx : std::string();
}

// Where a thread's values fit into 65,536 / 2,048 registers, with four to spare, ptxas must leave room for as many
// CTAs as the multiprocessor can hold; where they do not, or registers are planned, it may spend what it likes.
TEST(Ptx, AsksForAllThreadsThatAMultiprocessorHolds) {
  EXPECT_EQ(countOf(kernelOfWords(25), ".minnctapersm 4"), 1u); // beside two addresses, when the last is read
  EXPECT_EQ(countOf(kernelOfWords(26), ".minnctapersm"), 0u);
  EXPECT_EQ(countOf(kernelOfWords(8, ", sm90.entry_registers = 64 : i32"), ".minnctapersm"), 0u);
  Result<std::string> products = compileToPtx(machineFile("SM90ToPTX/wgmma.mlir"));
  ASSERT_TRUE(products.isOk()) << products.status().message();
  EXPECT_EQ(countOf(*products, ".minnctapersm"), 0u);
}

// Addresses likewise, from the two values that all of them follow from.
TEST(Ptx, MakesAddressesInLoopsThatLackRegisters) {
  auto stepsInLoop = [](const std::string &ptx) {
    std::string loop = ptx.substr(ptx.find("wgmma.commit_group"));
    return countOf(loop, "xor.b32");
  };
  std::string tight = loopOfProducts(32), ample = loopOfProducts(240);
  EXPECT_EQ(stepsInLoop(tight), 3u) << tight;
  EXPECT_EQ(stepsInLoop(ample), 0u) << ample;
}

/// A role with so many registers whose threads read 40 words and, after a loop, write each to an address of its own.
std::string storesOfTile(int registers) {
  constexpr int kWords = 40;
  std::string text = R"(
    func.func @kernel(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>, %n: i32)
        attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32, sm90.entry_registers = 64 : i32} {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %lane = sm90.special_register laneid : i32
      %row = arith.muli %lane, %n : i32
      sm90.set_max_registers inc )" +
                     std::to_string(registers) + "\n";
  std::string steps, stores;
  for (int i = 0; i < kWords; ++i) {
    std::string number = std::to_string(i);
    text += "%word" + number + " = sm90.load_global %from : i32\n%c" + number + " = arith.constant " +
            std::to_string(1000 + i) + " : i32\n";
    steps += "%column" + number + " = arith.xori %row, %c" + number + " : i32\n%place" + number +
             " = llvm.getelementptr %to[%column" + number + "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n";
    stores += "sm90.store_global %place" + number + ", %word" + number + " : i32\n";
  }
  text += R"(
      scf.for %i = %zero to %n step %one : i32 {
        sm90.store_global %from, %i : i32
      }
      )" + steps +
          stores + "return\n}";
  Result<std::string> ptx = compileToPtx(text);
  EXPECT_TRUE(ptx.isOk()) << ptx.status().message();
  return ptx ? *ptx : std::string();
}

// Addresses of a tile's stores that registers do not hold at once are computed one by one.
TEST(Ptx, ComputesAddressesOfStoresWhereTheyAreReadIfRegistersLack) {
  auto addressesBesideStores = [](const std::string &ptx) {
    size_t lastButOne = ptx.rfind("st.global", ptx.rfind("st.global") - 1);
    return countOf(ptx.substr(lastButOne), "mad.wide");
  };
  std::string tight = storesOfTile(80), ample = storesOfTile(240);
  EXPECT_EQ(addressesBesideStores(tight), 1u) << tight;
  EXPECT_EQ(addressesBesideStores(ample), 0u) << ample;
}

TEST(Ptx, IsTheSameEveryTime) { EXPECT_EQ(gemmPtx(), gemmPtx()); }

TEST(Ptx, AssemblesWithoutSpillsOrSerialization) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "no ptxas (set TAWA_PTXAS to its path)";
  auto [output, status] = assemble(ptxas, gemmPtx());
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"), std::string::npos) << output;
  EXPECT_EQ(output.find("C75"), std::string::npos) << output;
}

// ptxas takes every instruction of the dialect, at the ISA version that is asked for by default.
TEST(Ptx, AssemblesEveryInstruction) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "no ptxas (set TAWA_PTXAS to its path)";
  for (const char *file : {"SM90ToPTX/instructions.mlir", "SM90ToPTX/wgmma.mlir", "SM90ToPTX/kernel.mlir"}) {
    Result<std::string> ptx = compileToPtx(machineFile(file));
    ASSERT_TRUE(ptx.isOk()) << file << ": " << ptx.status().message();
    auto [output, status] = assemble(ptxas, *ptx);
    EXPECT_EQ(status, 0) << file << "\n" << output;
  }
}

} // namespace
} // namespace tawa::test
