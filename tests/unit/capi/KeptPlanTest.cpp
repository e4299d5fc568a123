// Which differences the key of plans distinguishes, the payload of their row, and what becomes of a row that is wrong.
#include "capi/KeptPlan.h"
#include "include/tawa/plan.h"
#include "tests/unit/store/StoreTestSupport.h"

#include <fstream>

using namespace tawa;
using namespace tawa::capi;

namespace {

PlanRequest exampleRequest() {
  ArgumentFacts tensor, number;
  tensor.kind = LogicalArgument::Kind::Tensor;
  tensor.elementType = ElementType::F16;
  tensor.shape = {100, 64};
  tensor.strides = {64, 1};
  number.kind = LogicalArgument::Kind::Constant;
  number.value = 100;
  PlanRequest request;
  request.kernel.text = "a kernel";
  request.kernel.tile = {{"BLOCK_M", 128}};
  request.kernel.arguments = {tensor, number};
  request.simulated = 0;
  return request;
}

std::string hashOf(const PlanRequest &request, std::string_view machine = "a machine", std::string_view build = "b") {
  return planKey(request, machine, build).hash();
}

} // namespace

TEST(PlanKey, ChangesWithAllThatThePlannerReads) {
  std::string same = hashOf(exampleRequest());
  auto differs = [&](const char *what, auto change) {
    PlanRequest request = exampleRequest();
    change(request);
    EXPECT_NE(hashOf(request), same) << what;
  };
  differs("text", [](PlanRequest &request) { request.kernel.text = "another kernel"; });
  differs("tile", [](PlanRequest &request) { request.kernel.tile["BLOCK_M"] = 64; });
  differs("tiles that are tried", [](PlanRequest &request) { request.kernel.tile.clear(); });
  differs("grid", [](PlanRequest &request) { request.kernel.grid = {8, 1, 1}; });
  differs("size", [](PlanRequest &request) { request.kernel.arguments[0].shape[0] = 101; });
  differs("stride", [](PlanRequest &request) { request.kernel.arguments[0].strides[0] = 128; });
  differs("type", [](PlanRequest &request) { request.kernel.arguments[0].elementType = ElementType::BF16; });
  differs("value", [](PlanRequest &request) { request.kernel.arguments[1].value = 101; });
  differs("arguments", [](PlanRequest &request) { request.kernel.arguments.pop_back(); });
  differs("plans", [](PlanRequest &request) { request.ranking.keep = 4; });
  differs("simulation", [](PlanRequest &request) { request.simulated = 5; });
  EXPECT_NE(hashOf(exampleRequest(), "another machine"), same);
  EXPECT_NE(hashOf(exampleRequest(), "a machine", "another build"), same);
}

TEST(PlanKey, IsTheSameForEveryFile) {
  PlanRequest request = exampleRequest();
  request.kernel.name = "elsewhere.mlir";
  EXPECT_EQ(hashOf(request), hashOf(exampleRequest()));
}

TEST(KeptPlan, ComesBackAsItWas) {
  store::Key key = planKey(exampleRequest(), "a machine", "b");
  std::string payload = writePlan(key, {"a kernel on a machine", "{\"plans\":[\n]}"});
  EXPECT_EQ(madeFor(payload), key.hash());
  Result<KeptPlan> plan = readPlan(payload);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->summary, "a kernel on a machine");
  EXPECT_EQ(plan->json, "{\"plans\":[\n]}");
}

TEST(KeptPlan, WhatIsNoPlanIsRefused) {
  store::Key key = planKey(exampleRequest(), "a machine", "b");
  for (const KeptPlan &plan : {KeptPlan{"summary", ""}, KeptPlan{"summary", "{\"plans\":["}, KeptPlan{"", "no object"}})
    EXPECT_EQ(readPlan(writePlan(key, plan)).status().code(), StatusCode::CacheCorrupt);
  std::string cut = writePlan(key, {"summary", "{}"});
  cut.resize(cut.find("summary") + 4);
  EXPECT_EQ(readPlan(cut).status().code(), StatusCode::CacheCorrupt);
  EXPECT_EQ(readPlan(payloadHead("tawa plan 0", key.hash()) + "summary\n{}").status().code(), StatusCode::CacheCorrupt);
}

namespace {

/// tawa_plan() of a GEMM with the cache of a folder.
class CachedPlanner {
public:
  explicit CachedPlanner(const std::string &cache) {
    setenv("TAWA_CACHE", "on", 1);
    setenv("TAWA_CACHE_DIR", cache.c_str(), 1);
    std::ifstream stream(std::string(TAWA_TEST_KERNELS) + "/gemm_param.mlir");
    text.assign(std::istreambuf_iterator<char>(stream), {});
  }
  ~CachedPlanner() { setenv("TAWA_CACHE", "off", 1); }

  /// What it says of the cache, and on stderr.
  bool isFromCache(std::string &warnings) {
    tawa_arg_t args[] = {tawa_matrix(TAWA_F16, nullptr, 256, 64),
                         tawa_matrix(TAWA_F16, nullptr, 256, 64),
                         tawa_matrix(TAWA_F16, nullptr, 256, 256),
                         tawa_i32(256),
                         tawa_i32(256),
                         tawa_i32(64)};
    tawa_plan_request_t request = TAWA_PLAN_REQUEST_INIT;
    request.text = text.data();
    request.text_len = text.size();
    request.args = args;
    request.num_args = 6;
    request.machine = "torus_4x4";
    request.config = "BLOCK_M=64 BLOCK_N=64 BLOCK_K=64";
    char *json = nullptr;
    testing::internal::CaptureStderr();
    EXPECT_EQ(tawa_plan(&request, &json, nullptr), TAWA_OK);
    warnings = testing::internal::GetCapturedStderr();
    std::string answer = json ? json : "";
    tawa_free(json);
    return answer.find("\"answer\":{\"from_cache\":1,") != std::string::npos;
  }

private:
  std::string text;
};

} // namespace

TEST(KeptPlan, ADamagedRowIsAWarningAndPlannedAgain) {
  store::test::TestFolder folder;
  CachedPlanner planner(folder / "cache");
  std::string warnings;
  EXPECT_FALSE(planner.isFromCache(warnings));
  EXPECT_TRUE(planner.isFromCache(warnings));
  EXPECT_EQ(warnings, "");
  ASSERT_TRUE(store::test::Raw(folder).run("UPDATE row SET payload = CAST(payload || ' ' AS BLOB)"));
  EXPECT_FALSE(planner.isFromCache(warnings));
  EXPECT_NE(warnings.find("its checksum does not match"), std::string::npos) << warnings;
  EXPECT_TRUE(planner.isFromCache(warnings));
}

TEST(KeptPlan, ARowThatIsNoPlanIsAWarningAndPlannedAgain) {
  store::test::TestFolder folder;
  CachedPlanner planner(folder / "cache");
  std::string warnings;
  EXPECT_FALSE(planner.isFromCache(warnings));
  {
    store::LayerOptions options;
    options.path = folder / "cache";
    Result<std::unique_ptr<store::Layer>> layer = store::Layer::open(options);
    ASSERT_TRUE(layer);
    store::Row row;
    ASSERT_TRUE((*layer)->forEach(true, [&](store::Row &&found) {
      row = std::move(found);
      return true;
    }));
    ASSERT_EQ(row.kind, store::KeyKind::Plan);
    row.payload.resize(row.payload.find('{'));
    ASSERT_TRUE((*layer)->put(row));
  } // the library has a SQLite of its own, so this connection is closed first
  EXPECT_FALSE(planner.isFromCache(warnings));
  EXPECT_NE(warnings.find("plans cannot be read"), std::string::npos) << warnings;
  EXPECT_TRUE(planner.isFromCache(warnings));
}
