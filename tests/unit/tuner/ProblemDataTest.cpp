// The comparison of results, and which tensors a kernel reads and writes.
#include "runtime/tuner/trial/ProblemData.h"

#include "gtest/gtest.h"

#include <limits>
#include <vector>

using namespace tawa;

TEST(Difference, RoundingIsNoneAndWrongNumbersAre) {
  std::vector<float> truth(10000), same(10000);
  for (size_t i = 0; i < truth.size(); ++i)
    same[i] = 1e-4f + (truth[i] = static_cast<float>(i % 17) - 8);
  auto differ = [&] {
    return differenceOf(ElementType::F32, reinterpret_cast<const std::byte *>(same.data()),
                        reinterpret_cast<const std::byte *>(truth.data()), truth.size());
  };
  EXPECT_EQ(differ(), "");
  same[500] += 3; // one element, hidden in the norm of the whole
  EXPECT_NE(differ().find("element 500"), std::string::npos) << differ();
  same[500] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(differ().find("element 500 is nan"), std::string::npos) << differ();
  same[500] = truth[500];
  for (float &value : same)
    value *= 1.02f;
  EXPECT_NE(differ().find("relative error"), std::string::npos) << differ();
}

TEST(ProblemDataUses, FollowAccesses) {
  WorkSummary summary;
  summary.arguments.resize(3);
  WorkStep load, store, loop;
  load.kind = WorkStep::Kind::Load;
  load.access.argument = 0;
  store.kind = WorkStep::Kind::Store;
  store.access.argument = 2;
  loop.kind = WorkStep::Kind::Loop;
  loop.body = {load};
  summary.roles = {{RoleKind::Main, 4, {loop, store}}};
  std::vector<TensorUse> uses = tensorUses(summary);
  EXPECT_TRUE(uses[0].isRead && !uses[0].isWritten && !uses[1].isRead && uses[2].isWritten);
  summary.roles[0].steps[1].access.argument = -1;
  EXPECT_TRUE(tensorUses(summary)[0].isWritten);
}
