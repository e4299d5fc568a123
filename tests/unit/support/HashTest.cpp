#include "runtime/support/Hash.h"

#include <gtest/gtest.h>

using tawa::hash128;

// The value that the xxHash project publishes for the empty input with seed 0: the digits are in canonical order.
TEST(Hash, EmptyInputMatchesPublishedValue) { EXPECT_EQ(hash128(""), "99aa06d3014798d86001c324468d497f"); }

TEST(Hash, EveryByteCounts) {
  EXPECT_NE(hash128("a"), hash128("b"));
  EXPECT_NE(hash128(std::string_view("a\0", 2)), hash128("a"));
  EXPECT_EQ(hash128("same"), hash128("same"));
}
