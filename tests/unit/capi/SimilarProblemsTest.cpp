// Which problems count as similar, and what of them a search begins with.
#include "capi/service/SimilarProblems.h"

#include "capi/service/TuneKey.h"
#include "tests/unit/store/StoreTestSupport.h"

using namespace tawa;
using namespace tawa::capi;
using namespace tawa::store;
using namespace tawa::store::test;

namespace {

constexpr std::string_view kText = "module {}";

/// A matrix of f16 with its rows one after the other, and the number of its rows.
Key problem(int64_t rows, int64_t columns, std::string_view text = kText, const TuneDevice &device = {"h200", 132}) {
  ArgumentFacts tensor, scalar;
  tensor.kind = LogicalArgument::Kind::Tensor;
  tensor.shape = {rows, columns};
  tensor.strides = {columns, 1};
  scalar.value = rows;
  return tuneKey(text, {tensor, scalar}, {}, device);
}

TuneRow measured(const std::string &config, double seconds) {
  TuneRow row;
  row.config = KernelConfig::parse(config)->str();
  row.outcome = TuneRow::Outcome::Measured;
  row.median = seconds;
  return row;
}

class SimilarProblems : public testing::Test {
protected:
  void keep(const Key &key, const TuneRow &row) { ASSERT_TRUE(made.store.putTuneRow(key, row)); }
  std::vector<int> depthsFor(const Key &key) {
    std::vector<int> depths;
    for (const KernelConfig &config : fastestOfSimilar(made.store, key))
      depths.push_back(config.ringDepth);
    return depths;
  }
  TestFolder folder;
  TestStore made{optionsFor(folder)};
};

TEST_F(SimilarProblems, TheFastestOfEachTheMostSimilarFirst) {
  keep(problem(1000, 4096), measured("D=2", 2e-6));
  keep(problem(1000, 4096), measured("D=3", 1e-6));
  keep(problem(2000, 4096), measured("D=4", 1e-6));
  keep(problem(480, 4096), measured("D=5", 1e-6));
  EXPECT_EQ(depthsFor(problem(512, 4096)), (std::vector{5, 3, 4}));
  keep(problem(520, 4096), measured("D=5", 1e-6)); // the same configuration once
  keep(problem(530, 4096), measured("D=6", 1e-6));
  EXPECT_EQ(depthsFor(problem(512, 4096)), (std::vector{5, 6, 3})); // and no more than three
  EXPECT_TRUE(made.log.lines.empty());
}

TEST_F(SimilarProblems, NotItselfNorAnythingElse) {
  keep(problem(512, 4096), measured("D=2", 1e-6));
  keep(problem(2049, 4096), measured("D=3", 1e-6)); // more than four times as many rows
  keep(problem(512, 1000), measured("D=4", 1e-6));
  keep(problem(600, 4096, "module { }"), measured("D=5", 1e-6));
  keep(problem(600, 4096, kText, {"h100", 132}), measured("D=6", 1e-6));
  keep(problem(600, 4096, kText, {"h200", 114}), measured("D=9", 1e-6));
  TuneRow predicted = measured("D=7", 0), failed = predicted, verified = predicted;
  predicted.outcome = TuneRow::Outcome::Predicted;
  failed.outcome = TuneRow::Outcome::Failed;
  verified.outcome = TuneRow::Outcome::Verified;
  keep(problem(700, 4096), predicted);
  keep(problem(701, 4096), failed);
  keep(problem(702, 4096), verified);
  EXPECT_EQ(depthsFor(problem(512, 4096)), std::vector<int>{});
  keep(problem(2048, 4096), measured("D=8", 1e-6));
  EXPECT_EQ(depthsFor(problem(512, 4096)), std::vector{8});
}

} // namespace
