// Host objects: loading them, calling them with emulator functions of the test's own, and the errors of the loader.

#include "runtime/emulator/ObjectLoader.h"
#include "runtime/emulator/ThreadState.h"
#include "tests/unit/backends/MachineText.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <sys/mman.h>

namespace tawa::test {
namespace {

/// Global memory without checks.
void *plainGlobalAccess(void *, uint64_t address, uint32_t, uint32_t) { return reinterpret_cast<void *>(address); }
int backEdges = 0;
void countBackEdge(void *) { ++backEdges; }

const emu::Symbol kPlain[] = {{"tawa_emu_global_access", reinterpret_cast<void *>(&plainGlobalAccess)},
                              {"tawa_emu_back_edge", reinterpret_cast<void *>(&countBackEdge)}};

std::shared_ptr<LoadedObject> load(const std::string &text, const std::string &entry = "kernel") {
  Result<std::string> object = compileToHost(text);
  EXPECT_TRUE(object.isOk()) << object.status().message();
  if (!object)
    return nullptr;
  auto loaded = loadHostObject(*object, entry, kPlain);
  EXPECT_TRUE(loaded.isOk()) << loaded.status().message();
  return loaded ? *loaded : nullptr;
}

constexpr const char *kAttributes = "attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32}";

TEST(HostObject, LoadsParametersAtPtxOffsets) {
  auto loaded =
      load(std::string("func.func @kernel(%a: i8, %b: i64, %m: !sm90.tensormap, %c: i16, %out: !llvm.ptr<1>) ") +
           kAttributes + R"({
    %a64 = arith.extui %a : i8 to i64
    %c64 = arith.extui %c : i16 to i64
    %ab = arith.addi %a64, %b : i64
    %abc = arith.addi %ab, %c64 : i64
    sm90.store_global %out, %abc : i64
    return
  })");
  ASSERT_TRUE(loaded);
  struct alignas(64) Params {
    uint8_t a = 1;
    uint64_t b = 20;
    alignas(64) char map[128] = {};
    uint16_t c = 300;
    uint64_t *out = nullptr;
  } params;
  uint64_t result = 0;
  params.out = &result;
  emu::ThreadState thread{};
  loaded->entry(&thread, &params);
  EXPECT_EQ(result, 321u);
}

TEST(HostObject, CountsEveryLoopIteration) {
  auto loaded = load(std::string("func.func @kernel(%n: i32) ") + kAttributes + R"({
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
    }
    return
  })");
  ASSERT_TRUE(loaded);
  emu::ThreadState thread{};
  uint32_t n = 7;
  backEdges = 0;
  loaded->entry(&thread, &n);
  EXPECT_EQ(backEdges, 7);
}

TEST(HostObject, PredicatedLoadGivesZeroWhereItIsOff) {
  auto loaded =
      load(std::string("func.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32) ") + kAttributes + R"({
    %zero = arith.constant 0 : i32
    %on = arith.cmpi ne, %n, %zero : i32
    %x:2 = sm90.load_global %in if %on : i32, i32
    sm90.store_global %out, %x#1, %x#0 : i32, i32
    return
  })");
  ASSERT_TRUE(loaded);
  uint32_t in[2] = {3, 4}, out[2] = {9, 9};
  struct {
    uint32_t *in, *out;
    uint32_t n;
  } params{in, out, 0};
  emu::ThreadState thread{};
  loaded->entry(&thread, &params);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[1], 0u);
  params.n = 1;
  loaded->entry(&thread, &params);
  EXPECT_EQ(out[0], 4u);
  EXPECT_EQ(out[1], 3u);
}

TEST(HostObject, PermutesTheBytesOfTwoWords) {
  auto loaded = load(std::string("func.func @kernel(%a: i32, %b: i32, %by: i32, %out: !llvm.ptr<1>) ") + kAttributes +
                     R"({
    %mixed = sm90.byte_permute %a, %b [1, 4, 7, 2]
    %other = sm90.byte_permute_by %a, %b, %by
    sm90.store_global %out, %mixed, %other : i32, i32
    return
  })");
  ASSERT_TRUE(loaded);
  uint32_t out[2] = {0, 0};
  struct {
    uint32_t a = 0x44332211, b = 0x88776655, by = 0x0275;
    uint32_t *out;
  } params{.out = out};
  emu::ThreadState thread{};
  loaded->entry(&thread, &params);
  EXPECT_EQ(out[0], 0x33885522u);
  EXPECT_EQ(out[1], 0x11338866u);
}

/// Runs cvt_pack and the plain conversions of arith on one float.
struct Rounded {
  uint32_t packed;
  uint16_t f16, bf16;
  float back;
};

class Rounding : public testing::Test {
protected:
  void SetUp() override {
    loaded = load(std::string("func.func @kernel(%x: f32, %y: f32, %out: !llvm.ptr<1>, %out4: !llvm.ptr<1>, "
                              "%out6: !llvm.ptr<1>, %out8: !llvm.ptr<1>) ") +
                  kAttributes + R"({
      %packed = sm90.cvt_pack %x, %y {type = f16} : (f32, f32) -> i32
      sm90.store_global %out, %packed : i32
      %h = arith.truncf %x : f32 to f16
      sm90.store_global %out4, %h : f16
      %b2 = sm90.cvt_pack %x, %y {type = bf16} : (f32, f32) -> i32
      %b = arith.trunci %b2 : i32 to i16
      sm90.store_global %out6, %b : i16
      %back = arith.extf %h : f16 to f32
      sm90.store_global %out8, %back : f32
      return
    })");
    ASSERT_TRUE(loaded);
  }
  Rounded round(float x, float y) {
    Rounded result{};
    struct {
      float x, y;
      void *out, *out4, *out6, *out8;
    } params{x, y, &result.packed, &result.f16, &result.bf16, &result.back};
    emu::ThreadState thread{};
    loaded->entry(&thread, &params);
    return result;
  }
  std::shared_ptr<LoadedObject> loaded;
};

TEST_F(Rounding, IsToNearestEven) {
  Rounded one = round(1.0f, -2.0f);
  EXPECT_EQ(one.packed, 0xc0003c00u);
  EXPECT_EQ(one.f16, 0x3c00);
  EXPECT_EQ(one.bf16, 0x3f80);
  EXPECT_EQ(one.back, 1.0f);
  EXPECT_EQ(round(1.0f + 0x1p-11f, 0).f16, 0x3c00) << "a tie goes to even";
  EXPECT_EQ(round(1.0f + 0x3p-11f, 0).f16, 0x3c02) << "a tie goes to even";
  EXPECT_EQ(round(1.0f + 0x1p-11f + 0x1p-20f, 0).f16, 0x3c01);
  EXPECT_EQ(round(1.0f + 0x1p-8f, 0).bf16, 0x3f80) << "a tie goes to even";
  EXPECT_EQ(round(1.0f + 0x3p-8f, 0).bf16, 0x3f82) << "a tie goes to even";
}

TEST_F(Rounding, HandlesTheEndsOfTheRange) {
  EXPECT_EQ(round(65504.0f, 0).f16, 0x7bff);
  EXPECT_EQ(round(65520.0f, 0).f16, 0x7c00) << "rounds up to infinity";
  EXPECT_EQ(round(1e30f, 0).f16, 0x7c00);
  EXPECT_EQ(round(-1e30f, 0).f16, 0xfc00);
  EXPECT_EQ(round(0x1p-24f, 0).f16, 0x0001);
  EXPECT_EQ(round(0x1p-25f, 0).f16, 0x0000) << "half the smallest: to even";
  EXPECT_EQ(round(0x1.8p-25f, 0).f16, 0x0001);
  EXPECT_EQ(round(0x1p-24f, 0).back, 0x1p-24f);
  EXPECT_EQ(round(0x1.ff8p-15f, 0).f16, 0x03ff) << "the largest subnormal";
  EXPECT_EQ(round(0x1.ffcp-15f, 0).f16, 0x0400) << "a tie, up to the smallest normal";
  Rounded nan = round(std::numeric_limits<float>::quiet_NaN(), 0);
  EXPECT_GT(nan.f16 & 0x7fff, 0x7c00);
  EXPECT_GT(nan.bf16 & 0x7fff, 0x7f80);
  EXPECT_NE(nan.back, nan.back);
}

TEST(HostObject, KeepsTheCodeAliveWithItsOwners) {
  auto first = load(std::string("func.func @kernel() ") + kAttributes + "{\n return\n}");
  auto second = load(std::string("func.func @kernel() ") + kAttributes + "{\n return\n}");
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->entry, second->entry);
  first.reset();
  emu::ThreadState thread{};
  second->entry(&thread, nullptr);
}

TEST(HostObject, RefusesWhatItCannotLink) {
  Result<std::string> object =
      compileToHost(std::string("func.func @kernel() ") + kAttributes + "{\n sm90.wgmma_fence\n return\n}");
  ASSERT_TRUE(object.isOk());
  auto missing = loadHostObject(*object, "kernel", kPlain);
  ASSERT_FALSE(missing.isOk());
  EXPECT_EQ(missing.status().code(), StatusCode::Emulator);
  EXPECT_NE(missing.status().message().find("tawa_emu_wgmma_fence"), std::string::npos) << missing.status().message();
  auto noEntry = loadHostObject(*object, "other", kPlain);
  ASSERT_FALSE(noEntry.isOk());
  EXPECT_NE(noEntry.status().message().find("other"), std::string::npos) << noEntry.status().message();
  auto garbage = loadHostObject("not an object", "kernel", kPlain);
  ASSERT_FALSE(garbage.isOk());
}

const std::string kLoop = std::string("func.func @kernel(%n: i32) ") + kAttributes + R"({
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
    }
    return
  })";

/// A stored object may be damaged: whatever its bytes say, nothing beyond them is read and nothing beyond its memory is
/// written. It is not run.
TEST(HostObject, DamagedObjectsAreRead) {
  Result<std::string> object = compileToHost(kLoop);
  ASSERT_TRUE(object.isOk()) << object.status().message();
  for (size_t length = 0; length < object->size(); length += 5)
    static_cast<void>(loadHostObject(std::string(*object, 0, length), "kernel", emu::symbols()));
  int refused = 0;
  for (size_t at = 0; at < object->size(); ++at)
    for (char change : {'\x01', '\x80', '\xff'}) {
      std::string damaged = *object;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      refused += !loadHostObject(damaged, "kernel", emu::symbols()).isOk();
    }
  EXPECT_GT(refused, 100);
}

int farCalls = 0;

/// A function farther away than a call reaches is called through a jump.
TEST(HostObject, CallsWhatIsFarAway) {
  constexpr uintptr_t kFar = uintptr_t(1) << 40;
  auto *page = static_cast<unsigned char *>(
      mmap(reinterpret_cast<void *>(kFar), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(page, MAP_FAILED);
  const unsigned char increment[] = {0x48, 0xb8}; // mov rax, address; inc dword [rax]; ret
  const unsigned char rest[] = {0xff, 0x00, 0xc3};
  int *counter = &farCalls;
  std::memcpy(page, increment, 2);
  std::memcpy(page + 2, &counter, 8);
  std::memcpy(page + 10, rest, 3);
  ASSERT_EQ(mprotect(page, 4096, PROT_READ | PROT_EXEC), 0);
  const emu::Symbol far[] = {{"tawa_emu_back_edge", page}};
  Result<std::string> object = compileToHost(kLoop);
  ASSERT_TRUE(object.isOk());
  auto loaded = loadHostObject(*object, "kernel", far);
  ASSERT_TRUE(loaded.isOk()) << loaded.status().message();
  emu::ThreadState thread{};
  int32_t count = 3;
  (*loaded)->entry(&thread, &count);
  EXPECT_EQ(farCalls, 3);
  munmap(page, 4096);
}

} // namespace
} // namespace tawa::test
