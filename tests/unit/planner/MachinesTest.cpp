// The described machines: each file imports and adds up to what its sources say.
#include "compiler/planner/machines/Catalogue.h"

#include "compiler/planner/DF/Import.h"
#include "runtime/hardware/Catalogue.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

namespace tawa {
namespace {

constexpr double kGiga = 1e9, kTera = 1e12;

mesh::Machine machine(const std::string &name) {
  Result<mesh::Machine> found = lookUpMachine(name);
  EXPECT_TRUE(found) << found.status().message();
  return found ? *found : mesh::Machine();
}

/// Operations per second of all matrix units.
double peak(const mesh::Machine &m) {
  double operations = 2.0 * double(m.matrix->m) * double(m.matrix->n) * double(m.matrix->k);
  return operations * m.matrix->throughput * double(m.matrix->count) * double(m.cores()) * m.clock;
}

int64_t instances(const mesh::Machine &m, const mesh::Memory &memory) {
  int64_t count = 1;
  for (int dim : memory.dims)
    count *= m.dims[dim].size;
  return count;
}

/// Bytes per second of all instances.
double rate(const mesh::Machine &m, int memory) {
  return m.memories[memory].bandwidth * double(instances(m, m.memories[memory])) * m.clock;
}

double bytes(const mesh::Machine &m, int memory) {
  return double(m.memories[memory].bytes) * double(instances(m, m.memories[memory]));
}

/// How many cores each instance of the memory serves, by instance.
std::vector<int> served(const mesh::Machine &m, const mesh::Mux &mux) {
  const std::vector<int> &dims = m.memories[mux.to.memory].dims;
  std::vector<int> counts(instances(m, m.memories[mux.to.memory]));
  for (int64_t core = 0; core < m.cores(); ++core) {
    std::vector<int64_t> index(m.coreDims.size());
    int64_t rest = core;
    for (size_t i = index.size(); i-- > 0; rest /= m.dims[m.coreDims[i]].size)
      index[i] = rest % m.dims[m.coreDims[i]].size;
    int64_t instance = 0;
    for (size_t i = 0; i < dims.size(); ++i)
      instance = instance * m.dims[dims[i]].size + mux.map[i].at(index);
    ++counts.at(instance);
  }
  return counts;
}

const mesh::Mux &portOf(const mesh::Machine &m, int memory) {
  for (const mesh::Mux &mux : m.muxes)
    if (mux.to.memory == memory)
      return mux;
  ADD_FAILURE() << m.name << ": no port of memory " << memory;
  return m.muxes.front();
}

struct Expected {
  const char *name;
  int64_t cores;
  double peak, local, global, globalRate;
};

// Wormhole: 1024 operations per cycle of each core, 1464 KiB, 12 GiB at 288 GB/s.
const Expected kExpected[] = {
    {"wormhole_8x8", 64, 65.536 * kTera, 64 * 1464. * 1024, 12. * 1024 * 1024 * 1024, 288 * kGiga},
    {"wormhole_4x8", 32, 32.768 * kTera, 32 * 1464. * 1024, 12. * 1024 * 1024 * 1024, 288 * kGiga},
    {"wormhole_1x8", 8, 8.192 * kTera, 8 * 1464. * 1024, 12. * 1024 * 1024 * 1024, 288 * kGiga},
    {"ring_32", 32, 65.536 * kTera, 64. * 1024 * 1024, 128. * 1024 * 1024 * 1024, 204.8 * kGiga},
    {"torus_4x4", 16, 8.192 * kTera, 4. * 1024 * 1024, 4. * 1024 * 1024 * 1024, 64 * kGiga},
    {"h200", 132, 1070.5 * kTera, 132 * 227. * 1024, 141e9, 4250 * kGiga},
    {"h100_sxm", 132, 1070.5 * kTera, 132 * 227. * 1024, 80e9, 2897 * kGiga},
};

TEST(Machines, AddUpToTheirTotals) {
  for (const Expected &expected : kExpected) {
    mesh::Machine m = machine(expected.name);
    constexpr double kRounding = 1e-3;
    EXPECT_EQ(m.name, expected.name);
    EXPECT_EQ(m.cores(), expected.cores) << m.name;
    EXPECT_NEAR(peak(m) / expected.peak, 1, kRounding) << m.name;
    EXPECT_EQ(bytes(m, m.localMemory()), expected.local) << m.name;
    EXPECT_EQ(bytes(m, m.globalMemory()), expected.global) << m.name;
    EXPECT_NEAR(rate(m, m.globalMemory()) / expected.globalRate, 1, kRounding) << m.name;
  }
}

TEST(Machines, EveryFileIsExpected) {
  for (const MachineText &text : builtinMachines())
    EXPECT_TRUE(std::ranges::any_of(kExpected, [&](const Expected &e) { return text.name == e.name; })) << text.name;
  EXPECT_EQ(builtinMachines().size(), std::size(kExpected));
}

// Each core has its own scratchpad, and memories that hold tensors serve about as many cores each.
TEST(Machines, PortsServeAllCores) {
  for (const Expected &expected : kExpected) {
    mesh::Machine m = machine(expected.name);
    EXPECT_EQ(served(m, portOf(m, m.localMemory())), std::vector<int>(m.cores(), 1)) << m.name;
    std::vector<int> counts = served(m, portOf(m, m.globalMemory()));
    auto [least, most] = std::ranges::minmax(counts);
    EXPECT_LE(most - least, 2) << m.name;
  }
}

TEST(Machines, WormholeBanksAreOnTwoEdges) {
  mesh::Machine m = machine("wormhole_8x8");
  const mesh::Mux &port = portOf(m, m.globalMemory());
  std::vector<int64_t> corner = {7, 3};
  EXPECT_EQ(port.map[0].at(corner), 1);
  EXPECT_EQ(port.map[1].at(corner), 0);
  EXPECT_EQ(served(m, port), (std::vector<int>{16, 16, 16, 16}));
}

TEST(Machines, GpcsHaveEightOrNineTpcs) {
  mesh::Machine m = machine("h200");
  EXPECT_EQ(served(m, portOf(m, 1)), (std::vector<int>{18, 16, 16, 16, 18, 16, 16, 16}));
}

// The same card as the performance model of kernels has it. Rates and latencies there are fitted to products whose
// limits that nearly meet slow each other down: each alone is somewhat higher than what a kernel reaches.
TEST(Machines, HopperAgreesWithItsHardwareDescription) {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::open("");
  ASSERT_TRUE(catalogue);
  for (const char *name : {"h200", "h100_sxm"}) {
    mesh::Machine m = machine(name);
    Result<HardwareDescription> hardware = catalogue->find(name);
    ASSERT_TRUE(hardware) << hardware.status().message();
    constexpr double kRounding = 1e-2, kLeastPart = 0.75;
    auto expectReached = [&](double reached, double alone) {
      EXPECT_LE(reached, alone * (1 + kRounding));
      EXPECT_GE(reached, alone * (kLeastPart - kRounding));
    };
    EXPECT_EQ(m.cores(), hardware->multiprocessors);
    EXPECT_EQ(m.clock, hardware->clock);
    expectReached(rate(m, m.globalMemory()), hardware->memoryRate);
    expectReached(rate(m, 1), hardware->l2Rate);
    expectReached(m.networks[0].bandwidth, hardware->portPerClock);
    expectReached(m.memories[m.globalMemory()].latency, hardware->loadLatency * m.clock);
    EXPECT_NEAR(peak(m) / (hardware->tensor16PerClock * m.clock * double(m.cores())), 1, kRounding);
    EXPECT_EQ(m.launchCycles, std::round(hardware->launchLatency * m.clock));
    EXPECT_EQ(m.messageCycles, std::round(hardware->loadOverhead * m.clock));
    EXPECT_EQ(m.semaphoreCycles, std::round(hardware->handover * m.clock));
  }
}

TEST(Machines, AreFoundByNameOrFile) {
  Result<mesh::Machine> none = lookUpMachine("wormhole");
  ASSERT_FALSE(none);
  EXPECT_NE(none.status().message().find("wormhole_8x8"), std::string::npos) << none.status().message();
  EXPECT_FALSE(lookUpMachine("./none.mlir"));

  std::string path = testing::TempDir() + "own.mlir";
  std::ofstream(path)
      << "df.machine @own {clock = 1} {\n%x = df.spatial_dim 2\n%c = df.core {scaleout = (%x)}\n"
         "%l = df.memory {scaleout = (%x), size = 1, bandwidth = 1}\n%d = df.memory {size = 9, bandwidth = 1}\n}";
  EXPECT_EQ(machine(path).name, "own");
}

/// The fenced block of docs/planner.md that holds a description.
std::string pageExample() {
  std::ifstream stream(TAWA_PLANNER_PAGE);
  std::string page(std::istreambuf_iterator<char>(stream), {});
  size_t begin = page.find("```mlir\n");
  EXPECT_NE(begin, std::string::npos);
  begin += std::string_view("```mlir\n").size();
  return page.substr(begin, page.find("\n```", begin) - begin);
}

// A machine described as docs/planner.md teaches it.
TEST(Machines, ThePagesExampleIsAMachine) {
  Result<mesh::Machine> m = df::readMachine(pageExample(), "planner.md");
  ASSERT_TRUE(m) << m.status().message();
  EXPECT_EQ(m->cores(), 256);
  EXPECT_EQ(peak(*m), 256 * 2048 * 1.25e9);
  EXPECT_EQ(bytes(*m, m->localMemory()), 128. * 1024 * 1024);
  EXPECT_EQ(rate(*m, m->globalMemory()), 1e12);
  EXPECT_EQ(served(*m, portOf(*m, m->globalMemory())), std::vector<int>(8, 32));
}

} // namespace
} // namespace tawa
