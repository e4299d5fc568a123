// Which differences the keys distinguish and which they do not; and that a tuned configuration is the one that is
// compiled.
#include "capi/service/CompileKey.h"
#include "capi/service/TuneKey.h"
#include "include/tawa/tawa.h"
#include "tests/unit/store/StoreTestSupport.h"

using namespace tawa;
using namespace tawa::capi;

namespace {

constexpr std::string_view kText = R"(// tawa.param BLOCK = 32 | 64
module {
  tt.func public @number(%out: !tt.ptr<i32>, %n: i32) {
    %value = arith.constant dense<7> : tensor<${BLOCK}xi32>
    %range = tt.make_range {end = ${BLOCK} : i32, start = 0 : i32} : tensor<${BLOCK}xi32>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<${BLOCK}x!tt.ptr<i32>>
    %place = tt.addptr %base, %range : tensor<${BLOCK}x!tt.ptr<i32>>, tensor<${BLOCK}xi32>
    tt.store %place, %value : tensor<${BLOCK}x!tt.ptr<i32>>
    tt.return
  }
}
)";

std::vector<ArgumentFacts> exampleFacts() {
  ArgumentFacts tensor, scalar;
  tensor.kind = LogicalArgument::Kind::Tensor;
  tensor.shape = {100};
  tensor.strides = {1};
  scalar.value = 100;
  return {tensor, scalar};
}

CompileInput exampleInput() {
  CompileInput input;
  input.text = kText;
  input.arguments = exampleFacts();
  return input;
}

std::string compileHash(CompileInput input, std::string_view build = "b") {
  forgetShapes(input.arguments);
  Result<store::Key> key = compileKey(input, build);
  EXPECT_TRUE(key) << key.status().message();
  return key ? key->hash() : "";
}

std::string tuneHash(const std::vector<ArgumentFacts> &facts, std::vector<uint32_t> buckets = {},
                     std::string device = "h200") {
  return tuneKey(kText, facts, buckets, {std::move(device), 132}).hash();
}

} // namespace

TEST(CompileKey, ChangesWithAllThatTheCompilerReads) {
  std::string same = compileHash(exampleInput());
  auto differs = [&](const char *what, auto change) {
    CompileInput input = exampleInput();
    change(input);
    EXPECT_NE(compileHash(input), same) << what;
  };
  std::string other = std::string(kText) + " ";
  differs("text", [&](CompileInput &input) { input.text = other; });
  differs("tile parameter", [](CompileInput &input) { input.config.tile["BLOCK"] = 64; });
  differs("depth", [](CompileInput &input) { input.config.ringDepth = 3; });
  differs("target", [](CompileInput &input) { input.target = TargetKind::Host; });
  differs("alignment", [](CompileInput &input) { input.arguments[0].alignment = 16; });
  differs("rows", [](CompileInput &input) { input.arguments[0].rowAlignment = 2; });
  differs("columns", [](CompileInput &input) { input.arguments[0].columnAlignment = 2; });
  differs("constant", [](CompileInput &input) { input.arguments[1].kind = LogicalArgument::Kind::Constant; });
  differs("architecture", [](CompileInput &input) { input.gpu.architecture = "sm_100a"; });
  for (const TargetLimit &limit : targetLimits())
    differs(limit.name.data(), [&](CompileInput &input) { ++(input.gpu.*limit.member); });
  EXPECT_NE(compileHash(exampleInput(), "another build"), same);
}

TEST(CompileKey, IsTheSameForEveryShapeNameAndSpelling) {
  std::string same = compileHash(exampleInput());
  CompileInput input = exampleInput();
  input.arguments[0].shape = {4096};
  input.arguments[0].strides = {2};
  input.arguments[1].value = 5;
  input.name = "elsewhere.mlir";
  input.config.tile["BLOCK"] = 32; // the default, said aloud
  input.gpu.description = "another GPU of the same limits";
  EXPECT_EQ(compileHash(input), same);
}

// The text says of what kind, type and rank its parameters are; of a bare pointer there is no rank.
TEST(CompileKey, HoldsOfAnArgumentWhatTheCompilerReads) {
  std::string same = compileHash(exampleInput());
  auto isSame = [&](const char *what, auto change) {
    CompileInput input = exampleInput();
    change(input.arguments);
    EXPECT_EQ(compileHash(input), same) << what;
  };
  isSame("rank", [](std::vector<ArgumentFacts> &facts) { facts[0].shape = {1, 2}; });
  isSame("no rank", [](std::vector<ArgumentFacts> &facts) { facts[0].shape.clear(); });
  isSame("nothing said", [](std::vector<ArgumentFacts> &facts) { facts.clear(); });
  isSame("a multiple of 1", [](std::vector<ArgumentFacts> &facts) { facts[1].alignment = 1; });
  isSame("a multiple that a float is not", [](std::vector<ArgumentFacts> &facts) {
    facts[1].elementType = ElementType::F32;
    facts[1].alignment = 16;
  });
}

namespace {

/// A runtime on the emulator with a cache, and requests of kText to it.
struct CachedRuntime {
  explicit CachedRuntime(const std::string &cache, tawa_switch_t frozen = TAWA_SWITCH_OFF) {
    tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
    options.device = "emulator";
    options.cache_dir = cache.c_str();
    options.frozen = frozen;
    EXPECT_EQ(tawa_runtime_create(&options, &runtime, nullptr), TAWA_OK);
    request.text = kText.data();
    request.text_len = kText.size();
    request.args = args;
    request.num_args = 2;
    args[0].dtype = TAWA_I32;
  }
  CachedRuntime(const CachedRuntime &) = delete;
  CachedRuntime &operator=(const CachedRuntime &) = delete;
  ~CachedRuntime() { tawa_runtime_release(runtime); }

  /// Compiles with `out` described by so many dimensions; whether it came from the cache goes to `isFromCache`.
  tawa_status_t compile(uint32_t rank, bool &isFromCache) {
    args[0].rank = rank;
    for (uint32_t d = 0; d < rank; ++d)
      args[0].shape[d] = TAWA_UNKNOWN;
    tawa_kernel_t kernel = nullptr;
    tawa_status_t status = tawa_compile(runtime, &request, &kernel, nullptr);
    if (status != TAWA_OK)
      return status;
    tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
    tawa_kernel_info(kernel, &info);
    isFromCache = info.from_cache != 0;
    tawa_kernel_release(kernel);
    return TAWA_OK;
  }

  tawa_runtime_t runtime = nullptr;
  tawa_arg_t args[2] = {TAWA_ARG_INIT, tawa_i32(100)};
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
};

} // namespace

TEST(CompileKey, ABarePointerOfAnyRankIsOneKernel) {
  store::test::TestFolder folder;
  bool isFromCache = true;
  {
    CachedRuntime first(folder / "cache");
    EXPECT_EQ(first.compile(/*rank=*/0, isFromCache), TAWA_OK);
    EXPECT_FALSE(isFromCache);
    EXPECT_EQ(first.compile(/*rank=*/1, isFromCache), TAWA_OK);
    EXPECT_TRUE(isFromCache);
  }
  CachedRuntime frozen(folder / "cache", TAWA_SWITCH_ON);
  isFromCache = false;
  EXPECT_EQ(frozen.compile(/*rank=*/2, isFromCache), TAWA_OK);
  EXPECT_TRUE(isFromCache);
  frozen.args[0].dtype = TAWA_F16; // what contradicts the text is refused as a compile refuses it
  EXPECT_EQ(frozen.compile(/*rank=*/1, isFromCache), TAWA_E_INVALID_ARGUMENT);
}

TEST(CompileKey, ConstantsDiffer) {
  CompileInput one = exampleInput(), other = exampleInput();
  one.arguments[1].kind = other.arguments[1].kind = LogicalArgument::Kind::Constant;
  other.arguments[1].value = 101;
  EXPECT_NE(compileHash(one), compileHash(other));
}

TEST(CompileKey, ABrokenDirectiveIsAnError) {
  CompileInput input = exampleInput();
  input.config.tile["BLOCK"] = 33;
  EXPECT_FALSE(compileKey(input, "b"));
}

TEST(TuneKey, SizesAreExactOrInBuckets) {
  std::vector<ArgumentFacts> one = exampleFacts(), other = exampleFacts();
  other[0].shape[0] = 120;
  EXPECT_NE(tuneHash(one), tuneHash(other));
  EXPECT_EQ(tuneHash(one, {1, 0}), tuneHash(other, {1, 0})); // both up to 128
  other[0].shape[0] = 129;
  EXPECT_NE(tuneHash(one, {1, 0}), tuneHash(other, {1, 0}));
  other = exampleFacts();
  other[1].value = 65;
  EXPECT_NE(tuneHash(one), tuneHash(other));
  EXPECT_EQ(tuneHash(one, {0, 1}), tuneHash(other, {0, 1}));
  EXPECT_NE(tuneHash(one, {0, 1}), tuneHash(one)); // found for a bucket is not found for the size
}

TEST(NearKey, IsThatOfSizesWithinAnEighth) {
  auto hashOf = [](int64_t size, std::string_view build = "b", bool isWarm = false) {
    std::vector<ArgumentFacts> facts = exampleFacts();
    facts[0].shape = {size};
    facts[1].value = size;
    return nearKey(kText, facts, {"h200", 132}, build, isWarm).hash();
  };
  EXPECT_EQ(hashOf(1409), hashOf(1536));
  EXPECT_NE(hashOf(1408), hashOf(1409));
  EXPECT_NE(hashOf(1536), hashOf(1537));
  EXPECT_EQ(hashOf(8065), hashOf(8192)); // up to the next power of two
  EXPECT_NE(hashOf(14), hashOf(15)) << "few are told apart";
  EXPECT_NE(hashOf(1409), hashOf(1409, "another build"));
  EXPECT_NE(hashOf(1409), hashOf(1409, "b", true));
  std::vector<ArgumentFacts> facts = exampleFacts();
  EXPECT_NE(nearKey(kText, facts, {"h200", 132}, "b", false).hash(),
            presetKey(kText, facts, {"h200", 132}, "b").hash());
}

TEST(TuneKey, ChangesWithDeviceMannerAndStrides) {
  std::vector<ArgumentFacts> facts = exampleFacts();
  EXPECT_NE(tuneHash(facts), tuneKey(kText, facts, {}, {"h200", 120}).hash());
  EXPECT_NE(tuneHash(facts), tuneKey(kText, facts, {}, {"h200", 132}, true).hash());
  EXPECT_NE(tuneHash(facts), tuneHash(facts, {}, "h100_sxm"));
  std::vector<ArgumentFacts> strided = facts;
  strided[0].strides = {2};
  EXPECT_NE(tuneHash(facts), tuneHash(strided));
}

TEST(TuneKey, ADeviceIsKnownByItsDescriptionPresentOrNot) {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::open("");
  ASSERT_TRUE(catalogue);
  DeviceInfo info;
  info.description = "NVIDIA H200";
  info.multiprocessors = 132;
  EXPECT_EQ(tuneDevice(*catalogue, info), tuneDevice(*catalogue->find("h200")));
  info.description = "NVIDIA Unheard-of";
  EXPECT_EQ(tuneDevice(*catalogue, info).name, "NVIDIA Unheard-of");
  info.isEmulator = true;
  EXPECT_EQ(tuneDevice(*catalogue, info).name, "emulator");
}

namespace {

TuneRow row(const char *config, TuneRow::Outcome outcome, double seconds, const char *build = "ours") {
  TuneRow made;
  made.config = config;
  made.outcome = outcome;
  (outcome == TuneRow::Outcome::Measured ? made.median : made.predicted) = seconds;
  made.build = build;
  made.isOfSpace = true;
  return made;
}

int depthChosen(const std::vector<TuneRow> &rows) {
  std::optional<TunedChoice> choice = choiceOf(rows, {"ours", 0});
  return choice ? choice->config.ringDepth : 0;
}

} // namespace

TEST(Choice, IsMeasuredBeforeVerifiedBeforePredicted) {
  using Outcome = TuneRow::Outcome;
  EXPECT_EQ(depthChosen({}), 0);
  EXPECT_EQ(depthChosen({row("D=2", Outcome::Failed, 1)}), 0);
  std::vector<TuneRow> rows = {row("D=9", Outcome::Refused, 1), row("D=5", Outcome::Predicted, 2)};
  EXPECT_EQ(depthChosen(rows), 5);
  EXPECT_FALSE(choiceOf(rows, {"ours", 0})->isFinal);
  EXPECT_EQ(choiceOf(rows, {"ours", 0})->by, "predicted");
  rows.push_back(row("D=6", Outcome::Verified, 3));
  EXPECT_EQ(depthChosen(rows), 6);
  rows.push_back(row("D=7", Outcome::Verified, 2.5));
  EXPECT_EQ(depthChosen(rows), 7);
  rows.push_back(row("D=3", Outcome::Measured, 9));
  rows.push_back(row("D=2", Outcome::Measured, 10));
  EXPECT_EQ(depthChosen(rows), 3);
  EXPECT_TRUE(choiceOf(rows, {"ours", 0})->isFinal);
  rows[4].config = "no configuration";
  EXPECT_EQ(depthChosen(rows), 0);
}

TEST(Choice, IsTheDefaultUnlessAnotherIsClearlyFaster) {
  std::vector<TuneRow> rows = {row("D=2", TuneRow::Outcome::Measured, 0.997),
                               row("D=3", TuneRow::Outcome::Measured, 1)};
  EXPECT_EQ(depthChosen(rows), 2);
  rows[1].isDefault = true;
  EXPECT_EQ(depthChosen(rows), 3);
  rows[0].median = 0.9;
  EXPECT_EQ(depthChosen(rows), 2);
}

TEST(Choice, DoesNotDependOnTheOrderOfTheRows) {
  std::vector<TuneRow> rows = {row("D=3", TuneRow::Outcome::Measured, 1), row("D=2", TuneRow::Outcome::Measured, 1)};
  int chosen = depthChosen(rows);
  std::swap(rows[0], rows[1]);
  EXPECT_EQ(depthChosen(rows), chosen);
}

TEST(Choice, WhatAnotherBuildMeasuredCountsOnlyWhereOursTriedNothing) {
  std::vector<TuneRow> rows = {row("D=2", TuneRow::Outcome::Measured, 1, "theirs")};
  EXPECT_EQ(depthChosen(rows), 2);
  EXPECT_FALSE(choiceOf(rows, {"ours", 0})->isFinal);
  rows.push_back(row("D=3", TuneRow::Outcome::Measured, 2));
  EXPECT_EQ(depthChosen(rows), 3);
  EXPECT_TRUE(choiceOf(rows, {"ours", 0})->isFinal);
  rows[1].isOfSpace = false; // of a list: the space has not been searched
  EXPECT_FALSE(choiceOf(rows, {"ours", 0})->isFinal);
  EXPECT_EQ(choiceOf(rows, {"ours", 12080})->config.ringDepth, 2); // another driver: neither is ours
}

/// From a row in the store to the kernel that tawa_compile() gives.
TEST(TuneKey, PolicyCachedCompilesWhatWasMeasured) {
  store::test::TestFolder folder;
  std::string cache = folder / "cache";
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = "emulator";
  options.cache_dir = cache.c_str();
  tawa_runtime_t runtime = nullptr;
  ASSERT_EQ(tawa_runtime_create(&options, &runtime, nullptr), TAWA_OK);
  tawa_device_info_t device = TAWA_DEVICE_INFO_INIT;
  ASSERT_EQ(tawa_runtime_device_info(runtime, &device), TAWA_OK);
  {
    store::test::TestStore made(store::test::optionsFor(folder));
    TuneRow measured = row("BLOCK=64 D=3", TuneRow::Outcome::Measured, 5e-6);
    store::Key key = tuneKey(kText, exampleFacts(), {}, {"emulator", device.multiprocessors});
    ASSERT_TRUE(made.store.putTuneRow(key, measured));
  } // the library has a SQLite of its own, so this connection is closed first
  tawa_arg_t args[2] = {TAWA_ARG_INIT, tawa_i32(100)};
  args[0].dtype = TAWA_I32;
  args[0].rank = 1;
  args[0].shape[0] = 100;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = kText.data();
  request.text_len = kText.size();
  request.args = args;
  request.num_args = 2;
  auto depth = [&] {
    tawa_kernel_t kernel = nullptr;
    EXPECT_EQ(tawa_compile(runtime, &request, &kernel, nullptr), TAWA_OK);
    tawa_kernel_info_t facts = TAWA_KERNEL_INFO_INIT;
    tawa_kernel_info(kernel, &facts);
    EXPECT_EQ(std::string_view(facts.config).find("BLOCK=64") != std::string_view::npos, facts.ring_depth == 3);
    tawa_kernel_release(kernel);
    return facts.ring_depth;
  };
  EXPECT_EQ(depth(), 3u);
  request.policy = TAWA_POLICY_NEVER;
  EXPECT_EQ(depth(), 0u);
  request.policy = TAWA_POLICY_CACHED;
  request.config = "D=2";
  EXPECT_EQ(depth(), 2u);
  request.config = nullptr;
  args[0].shape[0] = 101; // nothing was measured for this size
  EXPECT_EQ(depth(), 0u);
  tawa_runtime_release(runtime);
}
