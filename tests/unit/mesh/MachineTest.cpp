// Machine: its counts and its summary.
#include "tests/unit/mesh/Examples.h"

#include <gtest/gtest.h>

namespace tawa::mesh {
namespace {

TEST(Machine, FindsItsMemories) {
  Machine machine = examples::grid(2, 4);
  EXPECT_EQ(machine.cores(), 8);
  EXPECT_EQ(machine.memories[machine.localMemory()].name, "l1");
  EXPECT_EQ(machine.memories[machine.globalMemory()].name, "dram");
}

TEST(Machine, SummaryHasTotals) {
  Machine machine = examples::grid(2, 4);
  machine.networks[1].map[0].modulus = 0; // the last row has no neighbour
  EXPECT_EQ(machine.str(), R"(grid: 8 cores (y 2, x 4) at 1 GHz
  mat     1 x [32, 32, 32], 1024 operations per cycle of a core, 8.192 T/s in all
  vec     1 x [32], 32 elements per cycle of a core, 0.256 T/s in all
  scalar  1 cycles an operation
  memory  l1: 8 of 1536 KiB, 64 B per cycle each, 512 GB/s in all
  memory  dram: 2 of 1024 MiB, 18 B per cycle each, 36 GB/s in all
  network noc_h: 8 links, 28 B per cycle, 9 cycles a hop, multicast
  network noc_v: 4 links, 28 B per cycle, 9 cycles a hop, multicast
  port    dram_port: 8 to dram, 28 B per cycle
  port    l1_port: 8 to l1, 64 B per cycle
)");
}

} // namespace
} // namespace tawa::mesh
