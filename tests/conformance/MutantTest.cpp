// The emulator must detect errors: machine code of real kernels with one protocol mistake in it is caught under every
// schedule, by a deadlock report, a protocol error, a race or a wrong result. The unchanged kernels pass in the same
// harness.
#include "compiler/pipeline/Artifact.h"
#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/host/EmitHostObject.h"
#include "runtime/emulator/Emulator.h"
#include "runtime/emulator/ObjectLoader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <regex>
#include <sstream>

using namespace mlir;

namespace tawa {
namespace {

constexpr int64_t kTileRows = 128, kColumns = 256, kDepth = 512;

//===--- Machine code of a kernel, D = 3, P = 2 -------------------------------------------------------------------===//

/// A kernel, launched as one cluster of so many CTAs. Whose rows may start at any multiple of 8 bytes is none for TMA.
struct Subject {
  const char *kernel;
  int cluster = 1;
  bool hasOddRows = false;
  bool isOneRole = false;
  int64_t rows() const { return kTileRows * cluster; } ///< One tile for each CTA, below each other.
  std::string name() const {
    return kernel + std::string(isOneRole ? " as one role" : "") + " in a cluster of " + std::to_string(cluster);
  }
};

/// By TMA, by copies of the producer's threads, by TMA to two CTAs, which have the columns of B in common, and by
/// copies of the threads that multiply, whose result passes through the slots.
constexpr Subject kByTma{"gemm_tma"}, kByThreads{"gemm_ptr_masked", 1, true}, kInCluster{"gemm_tma", 2},
    kAlone{"gemm_ptr_masked", 1, true, true};

std::string machineText(const Subject &subject) {
  static std::map<std::string, std::string> texts;
  auto [entry, isNew] = texts.try_emplace(subject.name());
  if (!isNew)
    return entry->second;
  entry->second = [&] {
    std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + subject.kernel + ".mlir");
    std::stringstream source;
    source << file.rdbuf();
    std::string kernel = source.str();
    if (subject.hasOddRows)
      kernel = std::regex_replace(kernel, std::regex("(%s[ab]: i32 .tt.divisibility = )16"), "$014");
    CompileInput input;
    input.text = kernel;
    input.name = subject.kernel + std::string(".mlir");
    input.config.cluster = subject.cluster;
    input.config.ringDepth = 3;
    input.config.mmaDepth = 2;
    if (subject.isOneRole)
      input.config.consumerGroups = 0;
    input.target = TargetKind::Host;
    input.emit = EmitStage::Sm90;
    Result<CompileOutput> output = compileKernel(input);
    EXPECT_TRUE(output.isOk()) << output.status().message();
    return output ? output->text : std::string();
  }();
  return entry->second;
}

/// Changes the one mistake into the module; false when it did not find its place.
using Mutation = std::function<bool(ModuleOp)>;

//===--- Running it -----------------------------------------------------------------------------------------------===//

struct Matrices {
  int64_t rows;
  std::vector<_Float16> a, b, c;
  explicit Matrices(int64_t rows) : rows(rows), a(rows * kDepth), b(kColumns * kDepth), c(rows * kColumns) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (auto *matrix : {&a, &b})
      for (_Float16 &value : *matrix)
        value = static_cast<_Float16>(normal(random));
    std::memset(c.data(), 0xff, c.size() * 2); // NaN
  }
  bool isRight() const {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < kColumns; ++column) {
        double sum = 0;
        for (int64_t k = 0; k < kDepth; ++k)
          sum += static_cast<double>(a[row * kDepth + k]) * static_cast<double>(b[column * kDepth + k]);
        double error = std::fabs(static_cast<double>(c[row * kColumns + column]) - sum);
        if (!(error <= std::fabs(sum) / 2048 + 1e-3))
          return false;
      }
    return true;
  }
};

void encode(const TensorMapRecipe &recipe, void *base, int64_t rows, int64_t columns, char *out) {
  emu::TensorMapFields fields;
  fields.base = reinterpret_cast<uint64_t>(base);
  fields.type = recipe.elementType;
  fields.rank = 2;
  fields.dims[0] = columns;
  fields.dims[1] = rows;
  fields.strides[0] = 2;
  fields.strides[1] = columns * 2;
  std::copy(recipe.box.begin(), recipe.box.end(), fields.box);
  fields.swizzle = recipe.swizzle;
  emu::encodeTensorMap(fields, out);
}

Status runOn(const LoadedObject &kernel, const KernelArtifact &artifact, Matrices &data,
             const emu::Schedule &schedule) {
  alignas(64) char params[1024] = {};
  const int32_t scalars[] = {static_cast<int32_t>(data.rows), kColumns, kDepth, kDepth, kDepth, kColumns};
  struct Tensor {
    void *base;
    int64_t rows, columns;
  } tensors[] = {
      {data.a.data(), data.rows, kDepth}, {data.b.data(), kColumns, kDepth}, {data.c.data(), data.rows, kColumns}};
  for (const KernelParam &param : artifact.params) {
    if (param.source == KernelParam::Source::TensorMap) {
      const TensorMapRecipe &recipe = artifact.tensorMaps[param.index];
      const Tensor &tensor = tensors[recipe.argument];
      encode(recipe, tensor.base, tensor.rows, tensor.columns, params + param.offset);
    } else if (param.source == KernelParam::Source::TensorPointer) {
      std::memcpy(params + param.offset, static_cast<const void *>(&tensors[param.index].base), sizeof(void *));
    } else if (param.source == KernelParam::Source::GridExtent) {
      std::memcpy(params + param.offset, &artifact.launch.cluster[param.dimension], 4);
    } else {
      std::memcpy(params + param.offset, &scalars[param.index - 3], 4);
    }
  }
  emu::LaunchConfig config;
  config.grid[0] = config.cluster[0] = artifact.launch.cluster[0];
  config.threads = artifact.launch.threads;
  config.sharedBytes = artifact.launch.sharedBytes;
  config.registersPerThread = artifact.launch.registersPerThread;
  emu::LaunchOptions options;
  options.schedule = schedule;
  options.instructionBudget = uint64_t(1) << 22;
  std::vector<emu::MemoryRegion> memory = {{data.a.data(), data.a.size() * 2, "a", false},
                                           {data.b.data(), data.b.size() * 2, "b", false},
                                           {data.c.data(), data.c.size() * 2, "c", true}};
  return emu::launch(kernel.entry, params, artifact.paramBytes, config, memory, options);
}

/// What became of a mutant under one schedule: empty when nothing was noticed.
std::string verdict(const Subject &subject, const Mutation &mutate, const emu::Schedule &schedule) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(machineText(subject), &context);
  if (!module || !mutate(*module))
    return "the mutation found nothing to change";
  KernelArtifact artifact;
  if (failed(readLaunch(*module, artifact)))
    return "launch facts lost";
  PassManager passes(&context, ModuleOp::getOperationName());
  buildPhase(passes, Phase::Llvm, {}, TargetKind::Host);
  if (failed(passes.run(*module)))
    return "rejected by the compiler";
  Result<std::string> object = emitHostObject(*module);
  auto kernel = object ? loadHostObject(*object, artifact.entry, emu::symbols())
                       : Result<std::shared_ptr<LoadedObject>>(object.status());
  if (!kernel)
    return "not loadable: " + kernel.status().message();
  Matrices data(subject.rows());
  Status status = runOn(**kernel, artifact, data, schedule);
  if (!status)
    return status.message();
  return data.isRight() ? "" : "wrong result";
}

//===--- Mutations ------------------------------------------------------------------------------------------------===//

template <typename Op> llvm::SmallVector<Op> all(ModuleOp module) {
  llvm::SmallVector<Op> found;
  module.walk([&](Op op) { found.push_back(op); });
  return found;
}

template <typename Op> bool erase(ModuleOp module, size_t index) {
  auto found = all<Op>(module);
  if (index >= found.size())
    return false;
  found[index].erase();
  return true;
}

bool inLoop(Operation *op) { return op->getParentOfType<scf::ForOp>() != nullptr; }

Value plus(Operation *before, Value value, int32_t amount) {
  OpBuilder builder(before);
  Value delta = builder.create<arith::ConstantOp>(before->getLoc(), builder.getI32IntegerAttr(amount));
  return builder.create<arith::AddIOp>(before->getLoc(), value, delta);
}

/// Waits in the order of the text: 0 the producer's for empty, 1 the consumer's for full.
bool flipParity(ModuleOp module, size_t index) {
  auto wait = all<sm90::MBarrierWaitParityOp>(module)[index];
  OpBuilder builder(wait);
  Value one = builder.create<arith::ConstantOp>(wait.getLoc(), builder.getI32IntegerAttr(1));
  wait.getParityMutable().assign(builder.create<arith::XOrIOp>(wait.getLoc(), wait.getParity(), one));
  return true;
}

bool changeBytes(ModuleOp module, int32_t amount) {
  auto expect = all<sm90::MBarrierArriveExpectTxOp>(module).front();
  expect.getBytesMutable().assign(plus(expect, expect.getBytes(), amount));
  return true;
}

/// Barriers are made in pairs: full with an even index, empty with an odd one.
bool changeCount(ModuleOp module, size_t parity, int32_t amount) {
  for (auto [index, init] : llvm::enumerate(all<sm90::MBarrierInitOp>(module)))
    if (index % 2 == parity)
      init.setCount(init.getCount() + amount);
  return true;
}

bool waitLess(ModuleOp module) {
  for (auto wait : all<sm90::WgmmaWaitOp>(module))
    if (inLoop(wait))
      return wait.setPendings(wait.getPendings() + 1), true;
  return false;
}

/// The results are read, and memory of the operands is used for them, while the last dot goes on.
bool waitLessAfterLoop(ModuleOp module) {
  for (auto wait : all<sm90::WgmmaWaitOp>(module))
    if (!inLoop(wait))
      return wait.setPendings(wait.getPendings() + 1), true;
  return false;
}

bool duplicateArrive(ModuleOp module) {
  auto arrive = all<sm90::MBarrierArriveOp>(module).front();
  OpBuilder builder(arrive);
  builder.clone(*arrive);
  return true;
}

bool releaseCurrentSlot(ModuleOp module) {
  // The slot got in this iteration instead of the one before: its empty barrier is D * 8 bytes after its full one.
  auto wait = all<sm90::MBarrierWaitParityOp>(module)[1];
  auto arrive = all<sm90::MBarrierArriveOp>(module).front();
  arrive.getAddressMutable().assign(plus(arrive, wait.getAddress(), 3 * 8));
  return inLoop(arrive);
}

bool loadIntoOnePlace(ModuleOp module) {
  auto loads = all<sm90::TmaLoadOp>(module);
  loads[1].getDestinationMutable().assign(loads[0].getDestination());
  return true;
}

bool takeTooManyRegisters(ModuleOp module) {
  for (auto change : all<sm90::SetMaxRegistersOp>(module))
    if (change.getChange() == sm90::RegisterChange::Inc)
      return change.setCount(240), true;
  return false;
}

bool stepOneDescriptor(ModuleOp module) {
  auto product = all<sm90::WgmmaOp>(module)[1];
  OpBuilder builder(product);
  Value two = builder.create<arith::ConstantOp>(product.getLoc(), builder.getI64IntegerAttr(2));
  product.getDescAMutable().assign(builder.create<arith::AddIOp>(product.getLoc(), product.getDescA(), two));
  return true;
}

bool copyLess(ModuleOp module) {
  auto copies = all<sm90::CpAsyncOp>(module);
  if (copies.empty())
    return false;
  auto copy = copies.front();
  OpBuilder builder(copy);
  copy.getSourceBytesMutable().assign(
      builder.create<arith::ConstantOp>(copy.getLoc(), builder.getI32IntegerAttr(copy.getBytes() - 2)));
  return true;
}

bool arriveBeforeCopies(ModuleOp module) {
  auto arrivals = all<sm90::CpAsyncArriveOp>(module);
  if (arrivals.empty())
    return false;
  auto arrive = arrivals.front();
  auto wait = all<sm90::MBarrierWaitParityOp>(module).front();
  for (Operation *op = wait->getNextNode(); op != arrive; op = op->getNextNode())
    if (isa<sm90::CpAsyncOp>(op) && arrive.getAddress().getDefiningOp()->isBeforeInBlock(op))
      return arrive->moveBefore(op), true;
  return false;
}

/// The barrier of the cluster before the first use of any mbarrier.
bool noClusterBarrier(ModuleOp module) {
  return erase<sm90::ClusterArriveOp>(module, 0) && erase<sm90::ClusterWaitOp>(module, 0);
}

bool releaseToOwnCtaOnly(ModuleOp module) {
  for (auto arrive : all<sm90::MBarrierArriveClusterOp>(module)) {
    OpBuilder builder(arrive);
    auto local = arrive.getAddress().getDefiningOp<sm90::MapSharedRankOp>();
    builder.create<sm90::MBarrierArriveOp>(arrive.getLoc(), local.getAddress(), arrive.getPredicate());
    arrive.erase();
  }
  return true;
}

/// The load of B's part: A is not shared, since the CTAs have different rows of it.
sm90::TmaLoadOp multicastLoad(ModuleOp module) {
  sm90::TmaLoadOp last;
  for (auto load : all<sm90::TmaLoadOp>(module))
    if (load.getMulticastMask())
      last = load;
  return last;
}

bool sendPartToOwnCtaOnly(ModuleOp module) {
  auto load = multicastLoad(module);
  return load && (load.getMulticastMaskMutable().clear(), true);
}

/// Each CTA fetches the first part and sends it to its own place.
bool loadFirstPartTwice(ModuleOp module) {
  auto load = multicastLoad(module);
  auto row = load ? load.getCoordinates().back().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  return row && (load.getCoordinatesMutable()[1].set(row.getLhs()), true);
}

struct Mutant {
  const char *name;
  Mutation mutate;
  Subject subject = kByTma;
  friend void PrintTo(const Mutant &mutant, std::ostream *stream) { *stream << mutant.name; }
};

const Mutant kMutants[] = {
    {"ProducerParityFlipped", [](ModuleOp m) { return flipParity(m, 0); }},
    {"ConsumerParityFlipped", [](ModuleOp m) { return flipParity(m, 1); }},
    {"BytesTooMany", [](ModuleOp m) { return changeBytes(m, 16); }},
    {"BytesTooFew", [](ModuleOp m) { return changeBytes(m, -16); }},
    {"EmptyCountTooSmall", [](ModuleOp m) { return changeCount(m, 1, -7); }},
    {"EmptyCountTooLarge", [](ModuleOp m) { return changeCount(m, 1, 1); }},
    {"FullCountTooLarge", [](ModuleOp m) { return changeCount(m, 0, 1); }},
    {"NoEmptyWait", [](ModuleOp m) { return erase<sm90::MBarrierWaitParityOp>(m, 0); }},
    {"NoFullWait", [](ModuleOp m) { return erase<sm90::MBarrierWaitParityOp>(m, 1); }},
    {"ReleaseOneGroupEarly", waitLess},
    {"ReleaseOfTheCurrentSlot", releaseCurrentSlot},
    {"NoRelease", [](ModuleOp m) { return erase<sm90::MBarrierArriveOp>(m, 0); }},
    {"ReleaseTwice", duplicateArrive},
    {"NoExpectTx", [](ModuleOp m) { return erase<sm90::MBarrierArriveExpectTxOp>(m, 0); }},
    {"OneLoadMissing", [](ModuleOp m) { return erase<sm90::TmaLoadOp>(m, 1); }},
    {"LoadsIntoOnePlace", loadIntoOnePlace},
    {"NoCommit", [](ModuleOp m) { return erase<sm90::WgmmaCommitOp>(m, 0); }},
    {"WrongDescriptorStep", stepOneDescriptor},
    {"NoBarrierAfterInit", [](ModuleOp m) { return erase<sm90::BarrierSyncOp>(m, 0); }},
    {"NoProxyFence", [](ModuleOp m) { return erase<sm90::FenceProxyAsyncOp>(m, 0); }},
    {"NoWarpSyncBeforeStore", [](ModuleOp m) { return erase<sm90::WarpSyncOp>(m, 1); }},
    {"NoWaitBeforeStagingReuse", [](ModuleOp m) { return erase<sm90::BulkWaitOp>(m, 2); }},
    {"NoWaitBeforeExit", [](ModuleOp m) { return erase<sm90::BulkWaitOp>(m, all<sm90::BulkWaitOp>(m).size() - 1); }},
    {"TooManyRegisters", takeTooManyRegisters},
    {"CopiesWithoutProxyFence", [](ModuleOp m) { return erase<sm90::FenceProxyAsyncOp>(m, 0); }, kByThreads},
    {"CopiesWithoutArrival", [](ModuleOp m) { return erase<sm90::CpAsyncArriveOp>(m, 0); }, kByThreads},
    {"ArrivalBeforeCopies", arriveBeforeCopies, kByThreads},
    {"CopiesFullCountTooSmall", [](ModuleOp m) { return changeCount(m, 0, -32); }, kByThreads},
    {"CopiesFullCountTooLarge", [](ModuleOp m) { return changeCount(m, 0, 1); }, kByThreads},
    {"CopiesWithoutEmptyWait", [](ModuleOp m) { return erase<sm90::MBarrierWaitParityOp>(m, 0); }, kByThreads},
    {"CopiesWithoutFullWait", [](ModuleOp m) { return erase<sm90::MBarrierWaitParityOp>(m, 1); }, kByThreads},
    {"OneCopyMissing", [](ModuleOp m) { return erase<sm90::CpAsyncOp>(m, 0); }, kByThreads},
    {"OneCopyTooShort", copyLess, kByThreads},
    {"SlotsReusedBeforeAllHaveRead", [](ModuleOp m) { return erase<sm90::BarrierSyncOp>(m, 1); }, kAlone},
    {"SlotsReusedBeforeLastDot", waitLessAfterLoop, kAlone},
    {"ClusterEmptyCountOfOneCta", [](ModuleOp m) { return changeCount(m, 1, -8); }, kInCluster},
    {"ClusterEmptyCountTooLarge", [](ModuleOp m) { return changeCount(m, 1, 1); }, kInCluster},
    {"ClusterReleaseToOwnCtaOnly", releaseToOwnCtaOnly, kInCluster},
    {"ClusterReleaseToOwnCtaWithItsCount", [](ModuleOp m) { return changeCount(m, 1, -8) && releaseToOwnCtaOnly(m); },
     kInCluster},
    {"ClusterPartToOwnCtaOnly", sendPartToOwnCtaOnly, kInCluster},
    {"ClusterFirstPartTwice", loadFirstPartTwice, kInCluster},
    {"ClusterBytesTooFew", [](ModuleOp m) { return changeBytes(m, -16); }, kInCluster},
    {"ClusterNoBarrierAtStart", noClusterBarrier, kInCluster},
};

class MutantTest : public testing::TestWithParam<Mutant> {};

TEST_P(MutantTest, IsCaughtUnderEverySchedule) {
  for (const emu::Schedule &schedule :
       {emu::Schedule::eager(), emu::Schedule::wgmmaLate(), emu::Schedule::lateRandom(1)}) {
    std::string found = verdict(GetParam().subject, GetParam().mutate, schedule);
    EXPECT_NE(found, "") << "not noticed, schedule " << schedule.str();
    EXPECT_EQ(found.find("the mutation found nothing"), std::string::npos) << found;
    EXPECT_EQ(found.find("not loadable"), std::string::npos) << found;
    std::printf("  %-26s %-40s %s\n", GetParam().name, schedule.str().c_str(),
                found.substr(0, found.find('\n')).c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(Protocol, MutantTest, testing::ValuesIn(kMutants),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Mutants, TheKernelItselfPasses) {
  for (const Subject &subject : {kByTma, kByThreads, kInCluster, kAlone})
    for (const emu::Schedule &schedule :
         {emu::Schedule::eager(), emu::Schedule::wgmmaLate(), emu::Schedule::lateRandom(1)})
      EXPECT_EQ(verdict(
                    subject, [](ModuleOp) { return true; }, schedule),
                "")
          << subject.name() << " " << schedule.str();
}

} // namespace
} // namespace tawa
