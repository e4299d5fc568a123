// Numbers of named barriers: two that are in use at the same time are always different.
#include "compiler/target/hopper/TawaToSM90/NamedBarriers.h"

#include <gtest/gtest.h>

#include <set>

namespace tawa {
namespace {

TEST(NamedBarriers, ALoneRoleTakesTheKernels) { EXPECT_EQ(roleBarrierNumber(0, 1), kKernelBarrier); }

TEST(NamedBarriers, KernelRolesAndPairsAreApart) {
  for (uint32_t roles = 2; roles <= 5; ++roles) {
    std::set<uint32_t> numbers{kKernelBarrier};
    for (uint32_t role = 0; role < roles; ++role)
      EXPECT_TRUE(numbers.insert(roleBarrierNumber(role, roles)).second) << "role " << role << " of " << roles;
    for (uint32_t group = 0; group < 4; ++group) {
      EXPECT_TRUE(numbers.insert(pingPongBarrierNumber(group, roles)).second) << "group " << group << " of " << roles;
      EXPECT_FALSE(numbers.insert(turnBarrierNumber(group, roles)).second) << "a CTA has turns of one kind";
    }
    EXPECT_EQ(*numbers.rbegin() + 1, numbers.size()) << "numbers without gaps: a CTA has 16";
  }
}

} // namespace
} // namespace tawa
