// Tiles and dots of the laid-out phase on the emulated SM: tensors are loaded flat, converted to the layouts of a case,
// moved through shared memory or multiplied in some way, and stored again. Layouts are given explicitly, so every path
// of the lowering is reached whatever the layout assigner would choose.

#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/algebra/HopperLayouts.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/Passes.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"
#include "compiler/target/hopper/host/EmitHostObject.h"
#include "compiler/target/hopper/ptx/EmitPtx.h"
#include "runtime/emulator/Emulator.h"
#include "runtime/emulator/Floats.h"
#include "runtime/emulator/ObjectLoader.h"
#include "tests/unit/backends/MachineText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace tawa::test {
namespace {

//===--- Numbers --------------------------------------------------------------------------------------------------===//

/// A buffer of elements of one type, seen as doubles.
struct Buffer {
  ElementType type;
  std::vector<uint8_t> bytes;
  Buffer(ElementType type, size_t count) : type(type), bytes(count * elementBytes(type)) {}

  template <typename T> T raw(size_t index) const {
    T value;
    memcpy(&value, &bytes[index * sizeof(T)], sizeof(T));
    return value;
  }
  template <typename T> void put(size_t index, T value) { memcpy(&bytes[index * sizeof(T)], &value, sizeof(T)); }

  double get(size_t index) const {
    switch (type) {
    case ElementType::F16:
      return emu::halfToFloat(raw<uint16_t>(index));
    case ElementType::BF16:
      return emu::bfloatToFloat(raw<uint16_t>(index));
    case ElementType::F32:
      return raw<float>(index);
    case ElementType::F64:
      return raw<double>(index);
    case ElementType::I8:
      return raw<int8_t>(index);
    case ElementType::I32:
      return raw<int32_t>(index);
    default:
      return emu::fp8ToFloat(type, raw<uint8_t>(index));
    }
  }
  void set(size_t index, double value) {
    switch (type) {
    case ElementType::F16:
      return put(index, emu::floatToHalf(static_cast<float>(value)));
    case ElementType::BF16:
      return put(index, emu::floatToBFloat(static_cast<float>(value)));
    case ElementType::F32:
      return put(index, static_cast<float>(value));
    case ElementType::F64:
      return put(index, value);
    case ElementType::I8:
      return put(index, static_cast<int8_t>(value));
    case ElementType::I32:
      return put(index, static_cast<int32_t>(value));
    default:
      return put(index, emu::floatToFp8(type, static_cast<float>(value)));
    }
  }
  /// Small integers: products and sums of them are exact in every type used here.
  void fill(unsigned seed, int range) {
    std::mt19937 random(seed);
    for (size_t index = 0; index < bytes.size() / elementBytes(type); ++index)
      set(index, static_cast<int>(random() % (2 * range + 1)) - range);
  }
};

//===--- Text -----------------------------------------------------------------------------------------------------===//

/// Writes the text of a kernel of one role and runs it.
class TileKernel {
public:
  using Shape = std::vector<uint32_t>;

  explicit TileKernel(uint32_t warps) : warps(warps) {
    DialectRegistry registry;
    registry.insert<tt::TTDialect, ws::TawaDialect, sm90::SM90Dialect, arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect>();
    context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }

  std::string tensor(const Shape &shape, const std::string &element, const LinearLayout &layout) {
    std::string text = "tensor<";
    for (uint32_t size : shape)
      text += std::to_string(size) + "x";
    llvm::raw_string_ostream(text) << element << ", " << ws::LinearAttr::get(context.get(), layout) << ">";
    return text;
  }
  LinearLayout flat(const Shape &shape) const {
    uint32_t count = 1;
    for (uint32_t size : shape)
      count *= size;
    return blocked({count}, 1, warps);
  }
  static uint32_t count(const Shape &shape) {
    uint32_t result = 1;
    for (uint32_t size : shape)
      result *= size;
    return result;
  }

  /// Adds a parameter; gives its name.
  std::string parameter(Buffer &buffer, const std::string &element) {
    std::string name = "%arg" + std::to_string(buffers.size());
    signature += (buffers.empty() ? "" : ", ") + name + ": !tt.ptr<" + element +
                 "> {tawa.argument = #tawa.part<pointer, index = " + std::to_string(buffers.size()) +
                 ", dimension = 0>}";
    buffers.push_back(&buffer);
    return name;
  }
  std::string name() { return "%v" + std::to_string(next++); }
  void line(const std::string &text) { body += "    " + text + "\n"; }
  std::string value(const std::string &text) {
    std::string result = name();
    line(result + " = " + text);
    return result;
  }

  std::string pointers(const std::string &base, const Shape &shape, const std::string &element) {
    std::string n = std::to_string(count(shape)), pointer = "!tt.ptr<" + element + ">";
    std::string range = tensor({count(shape)}, "i32", flat(shape)), many = tensor({count(shape)}, pointer, flat(shape));
    std::string offsets = value("tt.make_range {start = 0 : i32, end = " + n + " : i32} : " + range);
    std::string bases = value("tt.splat " + base + " : " + pointer + " -> " + many);
    return value("tt.addptr " + bases + ", " + offsets + " : " + many + ", " + range);
  }
  /// The parameter's elements as a tensor of this layout.
  std::string load(const std::string &base, const Shape &shape, const std::string &element,
                   const LinearLayout &layout) {
    std::string places = pointers(base, shape, element);
    std::string loaded =
        value("tt.load " + places + " : " + tensor({count(shape)}, "!tt.ptr<" + element + ">", flat(shape)));
    LinearLayout seen = reshapeTensor(flat(shape), shape);
    std::string shaped = value("tt.reshape " + loaded + " : " + tensor({count(shape)}, element, flat(shape)) + " -> " +
                               tensor(shape, element, seen));
    return convert(shaped, shape, element, seen, layout);
  }
  std::string convert(const std::string &source, const Shape &shape, const std::string &element,
                      const LinearLayout &from, const LinearLayout &to) {
    return value("tawa.convert_layout " + source + " : " + tensor(shape, element, from) + " -> " +
                 tensor(shape, element, to));
  }
  void store(const std::string &base, const std::string &source, const Shape &shape, const std::string &element,
             const LinearLayout &layout) {
    LinearLayout seen = reshapeTensor(flat(shape), shape);
    std::string shaped = convert(source, shape, element, layout, seen);
    std::string flatValue = value("tt.reshape " + shaped + " : " + tensor(shape, element, seen) + " -> " +
                                  tensor({count(shape)}, element, flat(shape)));
    std::string places = pointers(base, shape, element);
    line("tt.store " + places + ", " + flatValue + " : " +
         tensor({count(shape)}, "!tt.ptr<" + element + ">", flat(shape)));
  }
  std::string toShared(const std::string &source, const Shape &shape, const std::string &element,
                       const LinearLayout &from, const LinearLayout &to) {
    return value("tawa.to_shared " + source + " : " + tensor(shape, element, from) + " -> " +
                 tensor(shape, element, to));
  }
  std::string fromShared(const std::string &source, const Shape &shape, const std::string &element,
                         const LinearLayout &from, const LinearLayout &to) {
    return value("tawa.from_shared " + source + " : " + tensor(shape, element, from) + " -> " +
                 tensor(shape, element, to));
  }

  std::string text() const {
    return "tt.func public @kernel(" + signature + ") {\n  tawa.warp_group main warps(" + std::to_string(warps) +
           ") registers(0) {\n" + body + "  }\n  tt.return\n}\n";
  }

  Status run(std::vector<emu::Schedule> schedules = {emu::Schedule::eager(), emu::Schedule::wgmmaLate()}) {
    auto module = parseSourceString<ModuleOp>(text(), context.get());
    if (!module)
      return Status(StatusCode::InvalidIR, "does not parse:\n" + text());
    PassManager passes(context.get());
    passes.addPass(createLowerAref());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    if (failed(passes.run(*module)))
      return Status(StatusCode::CompileFailed, "does not lower");
    auto kernel = *module->getOps<func::FuncOp>().begin();
    llvm::raw_string_ostream(machine) << *module;
    emu::LaunchConfig config;
    config.threads = static_cast<uint32_t>(*sm90::kThreadsAttr.get(kernel));
    config.sharedBytes = static_cast<uint32_t>(*sm90::kSharedBytesAttr.get(kernel));
    sharedBytes = config.sharedBytes;
    if (Status status = emitPtxOf(*module); !status)
      return status;
    PassManager host(context.get());
    buildSM90ToLLVMHost(host);
    if (failed(host.run(*module)))
      return Status(StatusCode::CompileFailed, "does not lower to host code");
    Result<std::string> object = emitHostObject(*module, {});
    if (!object)
      return object.status();
    auto loaded = loadHostObject(*object, "kernel", emu::symbols());
    if (!loaded)
      return loaded.status();
    for (const emu::Schedule &schedule : schedules)
      if (Status status = launch(**loaded, config, schedule); !status)
        return status;
    return Status::ok();
  }

  std::string machine, ptx; ///< Text of the machine phase and PTX, after run().
  uint32_t sharedBytes = 0;

private:
  Status emitPtxOf(ModuleOp module) {
    OwningOpRef<ModuleOp> copy = module.clone();
    PassManager passes(context.get());
    buildSM90ToLLVMPTX(passes);
    if (failed(passes.run(*copy)))
      return Status(StatusCode::CompileFailed, "does not lower to PTX");
    Result<std::string> text = emitPtx(*copy, {});
    if (text)
      ptx = *text;
    return text.status();
  }

  Status launch(const LoadedObject &loaded, const emu::LaunchConfig &config, const emu::Schedule &schedule) {
    std::vector<void *> params;
    std::vector<emu::MemoryRegion> memory;
    for (Buffer *buffer : buffers) {
      params.push_back(buffer->bytes.data());
      memory.push_back({buffer->bytes.data(), buffer->bytes.size(), "arg" + std::to_string(memory.size()), true});
    }
    emu::LaunchOptions options;
    options.schedule = schedule;
    return emu::launch(loaded.entry, params.data(), static_cast<uint32_t>(params.size() * 8), config, memory, options);
  }

  uint32_t warps;
  std::unique_ptr<MLIRContext> context;
  std::string signature, body;
  std::vector<Buffer *> buffers;
  unsigned next = 0;
};

/// ptxas takes the kernel, spills nothing and need not serialize its wgmmas.
void expectCleanAssembly(const std::string &ptx) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    return;
  auto [output, status] = assemble(ptxas, ptx);
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find(" 0 bytes spill stores"), std::string::npos) << output;
  EXPECT_EQ(output.find("C75"), std::string::npos) << output;
}

//===--- Tiles ----------------------------------------------------------------------------------------------------===//

struct TileCase {
  ElementType type;
  const char *element;
  TileKernel::Shape shape;
  LinearLayout from, shared, to;
  uint32_t warps;
};

void roundTrip(const TileCase &tile) {
  uint32_t count = TileKernel::count(tile.shape);
  Buffer in(tile.type, count), out(tile.type, count);
  in.fill(1, 100);
  TileKernel kernel(tile.warps);
  std::string source = kernel.parameter(in, tile.element), target = kernel.parameter(out, tile.element);
  std::string value = kernel.load(source, tile.shape, tile.element, tile.from);
  std::string buffer = kernel.toShared(value, tile.shape, tile.element, tile.from, tile.shared);
  std::string back = kernel.fromShared(buffer, tile.shape, tile.element, tile.shared, tile.to);
  kernel.store(target, back, tile.shape, tile.element, tile.to);
  Status status = kernel.run();
  ASSERT_TRUE(status.isOk()) << status.message();
  EXPECT_EQ(in.bytes, out.bytes) << tile.element;
}

TEST(Tiles, GoToSharedMemoryAndBack) {
  using enum ElementType;
  auto rows = [](TileKernel::Shape shape, uint32_t vector, uint32_t warps) { return blocked(shape, vector, warps); };
  roundTrip({F16,
             "f16",
             {64, 64},
             wgmmaAccumulator(64, 64, 64, 4),
             sharedSwizzled(64, 64, 16, Swizzle::B128),
             rows({64, 64}, 8, 4),
             4});
  roundTrip({F16,
             "f16",
             {64, 64},
             rows({64, 64}, 8, 4),
             sharedSwizzled(64, 64, 16, Swizzle::B128, /*rowMajor=*/false),
             wgmmaOperandA16(64, 64, 4),
             4});
  roundTrip({F32, "f32", {32, 64}, rows({32, 64}, 4, 2), sharedRowMajor({32, 64}), rows({32, 64}, 1, 2), 2});
  roundTrip(
      {I8, "i8", {32, 64}, rows({32, 64}, 16, 4), sharedSwizzled(32, 64, 8, Swizzle::B64), rows({32, 64}, 2, 4), 4});
  roundTrip({F64, "f64", {16, 32}, rows({16, 32}, 2, 1), sharedRowMajor({16, 32}), rows({16, 32}, 1, 1), 1});
  roundTrip({BF16, "bf16", {4, 8, 16}, rows({4, 8, 16}, 4, 2), sharedRowMajor({4, 8, 16}), rows({4, 8, 16}, 1, 2), 2});
  // Fewer elements than threads: copies are written once and read by all.
  roundTrip({F32, "f32", {4, 8}, rows({4, 8}, 1, 8), sharedRowMajor({4, 8}), rows({4, 8}, 2, 8), 8});
}

// Each iteration overwrites what the one before still reads, were it not for the barriers; tiles whose lives do not
// meet share bytes.
TEST(Tiles, AreWrittenAgainInALoop) {
  TileKernel::Shape shape{32, 32};
  Buffer in(ElementType::F32, 1024), out(ElementType::F32, 1024);
  in.fill(2, 50);
  TileKernel kernel(4);
  std::string source = kernel.parameter(in, "f32"), target = kernel.parameter(out, "f32");
  LinearLayout layout = blocked(shape, 4, 4), shared = sharedRowMajor(shape), transposed = permuteAxes(shared, {1, 0});
  std::string type = kernel.tensor(shape, "f32", layout);
  std::string start = kernel.load(source, shape, "f32", layout);
  for (const char *constant :
       {"%c0 = arith.constant 0 : i32", "%c3 = arith.constant 3 : i32", "%c1 = arith.constant 1 : i32"})
    kernel.line(constant);
  std::string loop = kernel.name(), carried = kernel.name();
  kernel.line(loop + " = scf.for %i = %c0 to %c3 step %c1 iter_args(" + carried + " = " + start + ") -> (" + type +
              ") : i32 {");
  for (int round = 0; round < 2; ++round) { // transposed twice, through two buffers one after the other
    std::string buffer = kernel.toShared(carried, shape, "f32", layout, shared);
    std::string view =
        kernel.value("tt.trans " + buffer + " {order = array<i32: 1, 0>} : " + kernel.tensor(shape, "f32", shared) +
                     " -> " + kernel.tensor(shape, "f32", transposed));
    carried = kernel.fromShared(view, shape, "f32", transposed, layout);
  }
  std::string sum = kernel.value("arith.addf " + carried + ", " + carried + " : " + type);
  kernel.line("scf.yield " + sum + " : " + type);
  kernel.line("}");
  kernel.store(target, loop, shape, "f32", layout);
  Status status = kernel.run();
  ASSERT_TRUE(status.isOk()) << status.message();
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(out.get(i), 8 * in.get(i)) << i;
  EXPECT_LE(kernel.sharedBytes, 2 * 4096u) << "one tile and scratch";
}

//===--- Dots -----------------------------------------------------------------------------------------------------===//

struct DotCase {
  ElementType a, b, c;
  const char *elementA, *elementB, *elementC;
  uint32_t m, n, k, batch = 1;
  uint32_t warps = 4;
};

/// The operands of a dot in memory and what must come out.
struct DotProblem {
  DotCase dot;
  Buffer a, b, c, out;
  explicit DotProblem(const DotCase &dot)
      : dot(dot), a(dot.a, dot.batch * dot.m * dot.k), b(dot.b, dot.batch * dot.k * dot.n),
        c(dot.c, dot.batch * dot.m * dot.n), out(dot.c, dot.batch * dot.m * dot.n) {
    a.fill(3, 3);
    b.fill(4, 3);
    c.fill(5, 20);
  }
  /// C + times * A * B.
  void check(int times = 1) const {
    for (uint32_t t = 0; t < dot.batch; ++t)
      for (uint32_t row = 0; row < dot.m; ++row)
        for (uint32_t col = 0; col < dot.n; ++col) {
          double sum = 0;
          for (uint32_t k = 0; k < dot.k; ++k)
            sum += a.get((t * dot.m + row) * dot.k + k) * b.get((t * dot.k + k) * dot.n + col);
          size_t at = (t * dot.m + row) * dot.n + col;
          ASSERT_EQ(out.get(at), c.get(at) + times * sum) << t << " " << row << " " << col;
        }
  }
};

std::string nameOf(const DotCase &dot) {
  return std::string(dot.elementA) + " " + std::to_string(dot.m) + "x" + std::to_string(dot.n) + "x" +
         std::to_string(dot.k) + " warps " + std::to_string(dot.warps);
}

/// wgmma with B through to_shared and A through to_shared or in registers.
void wgmmaDot(const DotCase &dot, bool registersA, bool zero = false) {
  SCOPED_TRACE(nameOf(dot));
  DotProblem problem(dot);
  if (zero)
    problem.c.fill(0, 0);
  unsigned bits = elementBits(dot.a);
  uint32_t groups = dot.warps / 4, groupsN = std::max(1u, groups / (dot.m / 64)),
           instrN = std::min(256u, dot.n / groupsN);
  LinearLayout sums = wgmmaAccumulator(dot.m, dot.n, instrN, dot.warps);
  TileKernel kernel(dot.warps);
  std::string pa = kernel.parameter(problem.a, dot.elementA), pb = kernel.parameter(problem.b, dot.elementB),
              pc = zero ? "" : kernel.parameter(problem.c, dot.elementC),
              po = kernel.parameter(problem.out, dot.elementC);
  TileKernel::Shape shapeA{dot.m, dot.k}, shapeB{dot.k, dot.n}, shapeC{dot.m, dot.n};
  LinearLayout rowsA = registersA ? wgmmaOperandA(dot.m, dot.k, bits, dot.warps) : blocked(shapeA, 8, dot.warps);
  std::string a = kernel.load(pa, shapeA, dot.elementA, rowsA);
  std::string typeA = kernel.tensor(shapeA, dot.elementA, rowsA);
  if (!registersA) {
    LinearLayout tile = sharedSwizzled(dot.m, dot.k, bits, chooseSwizzle(dot.k * bits / 8, dot.m));
    a = kernel.toShared(a, shapeA, dot.elementA, rowsA, tile);
    typeA = kernel.tensor(shapeA, dot.elementA, tile);
  }
  LinearLayout rowsB = blocked(shapeB, 4, dot.warps);
  LinearLayout tileB = sharedSwizzled(dot.k, dot.n, bits, chooseSwizzle(dot.k * bits / 8, dot.n), /*rowMajor=*/false);
  std::string b = kernel.toShared(kernel.load(pb, shapeB, dot.elementB, rowsB), shapeB, dot.elementB, rowsB, tileB);
  std::string typeC = kernel.tensor(shapeC, dot.elementC, sums), inflight = "!tawa.inflight<" + typeC + ">";
  std::string c =
      zero ? kernel.value("arith.constant dense<0.0> : " + typeC) : kernel.load(pc, shapeC, dot.elementC, sums);
  std::string begun =
      kernel.value("tawa.dot_begin " + c + (zero ? " overwritten" : "") + " : " + typeC + " -> " + inflight);
  std::string adding = zero ? " adding if " + kernel.value("arith.constant false") : "";
  std::string issued = kernel.value("tawa.dot_issue " + a + ", " + b + ", " + begun + adding + " : " + typeA + ", " +
                                    kernel.tensor(shapeB, dot.elementB, tileB) + " -> " + inflight);
  std::string done = kernel.value("tawa.dot_wait " + issued + " pendings(0) : " + inflight + " -> " + typeC);
  kernel.store(po, done, shapeC, dot.elementC, sums);
  Status status = kernel.run();
  ASSERT_TRUE(status.isOk()) << status.message();
  EXPECT_EQ(countOf(kernel.machine, "sm90.acc_undef") != 0, zero);
  expectCleanAssembly(kernel.ptx);
  problem.check();
}

TEST(Wgmma, OperandsInSharedMemory) {
  using enum ElementType;
  wgmmaDot({F16, F16, F32, "f16", "f16", "f32", 64, 64, 64}, false);
  wgmmaDot({BF16, BF16, F32, "bf16", "bf16", "f32", 128, 32, 32}, false);
  wgmmaDot({F16, F16, F16, "f16", "f16", "f16", 64, 32, 32}, false);
  wgmmaDot({F32, F32, F32, "f32", "f32", "f32", 64, 16, 32}, false);
  wgmmaDot({I8, I8, I32, "i8", "i8", "i32", 64, 32, 64}, false);
  wgmmaDot({F16, F16, F32, "f16", "f16", "f32", 128, 64, 32, 1, 8}, false);
  wgmmaDot({F16, F16, F32, "f16", "f16", "f32", 64, 64, 32, 1, 8}, false);
  wgmmaDot({F16, F16, F32, "f16", "f16", "f32", 64, 64, 64}, false, /*zero=*/true);
}

TEST(Wgmma, OperandAInRegisters) {
  using enum ElementType;
  wgmmaDot({F16, F16, F32, "f16", "f16", "f32", 64, 64, 64}, true);
  wgmmaDot({BF16, BF16, F32, "bf16", "bf16", "f32", 128, 32, 32}, true);
  wgmmaDot({F16, F16, F16, "f16", "f16", "f16", 64, 32, 32}, true);
  wgmmaDot({F32, F32, F32, "f32", "f32", "f32", 64, 16, 32}, true);
  wgmmaDot({I8, I8, I32, "i8", "i8", "i32", 128, 32, 64}, true);
  wgmmaDot({F16, F16, F32, "f16", "f16", "f32", 128, 64, 32, 1, 8}, true);
  wgmmaDot({F16, F16, F32, "f16", "f16", "f32", 64, 64, 32, 1, 8}, true);
}

/// A dot in flight across the back edge while the next iteration writes its operand again.
void inFlightInALoop(bool registersA) {
  DotCase dot{ElementType::F16, ElementType::F16, ElementType::F32, "f16", "f16", "f32", 64, 32, 32};
  DotProblem problem(dot);
  LinearLayout sums = wgmmaAccumulator(64, 32, 32, 4), rowsB = blocked({32, 32}, 4, 4);
  LinearLayout rowsA = registersA ? wgmmaOperandA(64, 32, 16, 4) : blocked({64, 32}, 8, 4);
  LinearLayout tileA = sharedSwizzled(64, 32, 16, Swizzle::B64),
               tileB = sharedSwizzled(32, 32, 16, Swizzle::B64, false);
  TileKernel kernel(4);
  std::string pa = kernel.parameter(problem.a, "f16"), pb = kernel.parameter(problem.b, "f16"),
              pc = kernel.parameter(problem.c, "f32"), po = kernel.parameter(problem.out, "f32");
  std::string typeC = kernel.tensor({64, 32}, "f32", sums), inflight = "!tawa.inflight<" + typeC + ">";
  std::string begun =
      kernel.value("tawa.dot_begin " + kernel.load(pc, {64, 32}, "f32", sums) + " : " + typeC + " -> " + inflight);
  for (const char *constant :
       {"%c0 = arith.constant 0 : i32", "%c3 = arith.constant 3 : i32", "%c1 = arith.constant 1 : i32"})
    kernel.line(constant);
  std::string loop = kernel.name(), carried = kernel.name();
  kernel.line(loop + " = scf.for %i = %c0 to %c3 step %c1 iter_args(" + carried + " = " + begun + ") -> (" + inflight +
              ") : i32 {");
  std::string a = kernel.load(pa, {64, 32}, "f16", rowsA), b = kernel.load(pb, {32, 32}, "f16", rowsB);
  std::string typeA = kernel.tensor({64, 32}, "f16", rowsA);
  if (!registersA) {
    a = kernel.toShared(a, {64, 32}, "f16", rowsA, tileA);
    typeA = kernel.tensor({64, 32}, "f16", tileA);
  }
  b = kernel.toShared(b, {32, 32}, "f16", rowsB, tileB);
  std::string issued = kernel.value("tawa.dot_issue " + a + ", " + b + ", " + carried + " : " + typeA + ", " +
                                    kernel.tensor({32, 32}, "f16", tileB) + " -> " + inflight);
  std::string kept = kernel.value("tawa.dot_wait " + issued + " pendings(1) : " + inflight + " -> " + inflight);
  kernel.line("scf.yield " + kept + " : " + inflight);
  kernel.line("}");
  std::string done = kernel.value("tawa.dot_wait " + loop + " pendings(0) : " + inflight + " -> " + typeC);
  kernel.store(po, done, {64, 32}, "f32", sums);
  Status status = kernel.run({emu::Schedule::eager(), emu::Schedule::wgmmaLate(), emu::Schedule::lateRandom(3)});
  ASSERT_TRUE(status.isOk()) << status.message();
  expectCleanAssembly(kernel.ptx);
  problem.check(/*times=*/3);
}

TEST(Wgmma, OperandsAreNotOverwrittenInFlight) {
  inFlightInALoop(false);
  inFlightInALoop(true);
}

/// mma.sync, fragments in registers.
void mmaDot(const DotCase &dot) {
  SCOPED_TRACE(nameOf(dot));
  DotProblem problem(dot);
  unsigned bits = elementBits(dot.a);
  MmaWarps split = chooseMmaWarps(dot.m, dot.n, dot.warps, false);
  LinearLayout a = mmaOperandA(dot.m, dot.k, bits, split), b = mmaOperandB(dot.k, dot.n, bits, split),
               c = mmaAccumulator(dot.m, dot.n, split);
  TileKernel kernel(dot.warps);
  std::string pa = kernel.parameter(problem.a, dot.elementA), pb = kernel.parameter(problem.b, dot.elementB),
              pc = kernel.parameter(problem.c, dot.elementC), po = kernel.parameter(problem.out, dot.elementC);
  TileKernel::Shape shapeA{dot.m, dot.k}, shapeB{dot.k, dot.n}, shapeC{dot.m, dot.n};
  std::string left = kernel.load(pa, shapeA, dot.elementA, a), right = kernel.load(pb, shapeB, dot.elementB, b),
              start = kernel.load(pc, shapeC, dot.elementC, c);
  std::string product =
      kernel.value("tt.dot " + left + ", " + right + ", " + start +
                   ", inputPrecision = tf32 : " + kernel.tensor(shapeA, dot.elementA, a) + " * " +
                   kernel.tensor(shapeB, dot.elementB, b) + " -> " + kernel.tensor(shapeC, dot.elementC, c));
  kernel.store(po, product, shapeC, dot.elementC, c);
  Status status = kernel.run({emu::Schedule::eager()});
  ASSERT_TRUE(status.isOk()) << status.message();
  EXPECT_NE(kernel.machine.find("sm90.mma "), std::string::npos);
  expectCleanAssembly(kernel.ptx);
  problem.check();
}

TEST(MmaSync, EveryType) {
  using enum ElementType;
  mmaDot({F16, F16, F32, "f16", "f16", "f32", 32, 16, 32});
  mmaDot({F16, F16, F16, "f16", "f16", "f16", 32, 32, 16, 1, 2});
  mmaDot({BF16, BF16, F32, "bf16", "bf16", "f32", 16, 8, 64, 1, 1});
  mmaDot({F32, F32, F32, "f32", "f32", "f32", 32, 32, 16});
  mmaDot({I8, I8, I32, "i8", "i8", "i32", 16, 64, 32});
  mmaDot({F16, F16, F32, "f16", "f16", "f32", 4, 4, 16, 1, 2});
}

/// Element by element, both operands in shared memory.
void fmaDot(const DotCase &dot, const LinearLayout &c) {
  SCOPED_TRACE(nameOf(dot));
  DotProblem problem(dot);
  auto shaped = [&](uint32_t rows, uint32_t cols) {
    return dot.batch == 1 ? TileKernel::Shape{rows, cols} : TileKernel::Shape{dot.batch, rows, cols};
  };
  TileKernel::Shape shapeA = shaped(dot.m, dot.k), shapeB = shaped(dot.k, dot.n), shapeC = shaped(dot.m, dot.n);
  TileKernel kernel(dot.warps);
  std::string pa = kernel.parameter(problem.a, dot.elementA), pb = kernel.parameter(problem.b, dot.elementB),
              pc = kernel.parameter(problem.c, dot.elementC), po = kernel.parameter(problem.out, dot.elementC);
  LinearLayout rowsA = blocked(shapeA, 1, dot.warps), rowsB = blocked(shapeB, 1, dot.warps);
  std::string left = kernel.toShared(kernel.load(pa, shapeA, dot.elementA, rowsA), shapeA, dot.elementA, rowsA,
                                     sharedRowMajor(shapeA));
  std::string right = kernel.toShared(kernel.load(pb, shapeB, dot.elementB, rowsB), shapeB, dot.elementB, rowsB,
                                      sharedRowMajor(shapeB));
  std::string start = kernel.load(pc, shapeC, dot.elementC, c);
  std::string product = kernel.value("tt.dot " + left + ", " + right + ", " + start + " : " +
                                     kernel.tensor(shapeA, dot.elementA, sharedRowMajor(shapeA)) + " * " +
                                     kernel.tensor(shapeB, dot.elementB, sharedRowMajor(shapeB)) + " -> " +
                                     kernel.tensor(shapeC, dot.elementC, c));
  kernel.store(po, product, shapeC, dot.elementC, c);
  Status status = kernel.run({emu::Schedule::eager()});
  ASSERT_TRUE(status.isOk()) << status.message();
  problem.check();
}

TEST(Fma, EveryTypeAndRank) {
  using enum ElementType;
  fmaDot({F32, F32, F32, "f32", "f32", "f32", 32, 32, 32}, blocked({32, 32}, 4, 4));
  fmaDot({F32, F32, F32, "f32", "f32", "f32", 16, 16, 4, 1, 2}, blocked({16, 16}, 1, 2));
  fmaDot({F64, F64, F64, "f64", "f64", "f64", 16, 32, 16}, blocked({16, 32}, 2, 4));
  fmaDot({F16, F16, F32, "f16", "f16", "f32", 8, 16, 32, 1, 1}, blocked({8, 16}, 4, 1));
  fmaDot({BF16, BF16, F32, "bf16", "bf16", "f32", 16, 8, 16}, blocked({16, 8}, 1, 4));
  fmaDot({F16, F16, F16, "f16", "f16", "f16", 16, 16, 16, 1, 1}, blocked({16, 16}, 8, 1));
  fmaDot({I8, I8, I32, "i8", "i8", "i32", 16, 16, 32}, blocked({16, 16}, 2, 4));
  fmaDot({F32, F32, F32, "f32", "f32", "f32", 8, 16, 8, 4, 4}, blocked({4, 8, 16}, 2, 4));
  fmaDot({F32, F32, F32, "f32", "f32", "f32", 1, 16, 16, 1, 1}, blocked({1, 16}, 1, 1));
}

} // namespace
} // namespace tawa::test
