#include "compiler/planner/metalium/ComputeCode.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tawa::metalium {
namespace {

using mesh::Affine;

/// Destination registers of one pass of a product: rows x columns of its tiles.
struct Subblock {
  int64_t rows = 1, columns = 1;
  int64_t tiles() const { return rows * columns; }
};

/// The most tiles; among those, the most nearly square, which needs the fewest operands.
Subblock chooseSubblock(int64_t m, int64_t n) {
  Subblock best;
  auto isBetter = [](const Subblock &a, const Subblock &b) {
    return a.tiles() != b.tiles() ? a.tiles() > b.tiles() : a.rows + a.columns < b.rows + b.columns;
  };
  for (int64_t rows = 1; rows <= kRegisters; ++rows)
    for (int64_t columns = 1; rows * columns <= kRegisters; ++columns)
      if (Subblock next{rows, columns}; m % rows == 0 && n % columns == 0 && isBetter(next, best))
        best = next;
  return best;
}

/// Hexadecimal, which is exact.
std::string floatText(double value) {
  if (std::isinf(value))
    return value > 0 ? "__builtin_inff()" : "-__builtin_inff()";
  char text[64];
  std::snprintf(text, sizeof(text), "%af", value);
  return text;
}

class ComputePrinter {
public:
  ComputePrinter(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, Paging &paging, Refusals &refusals)
      : program(program), tiles(tiles), paging(paging), refusals(refusals), variables(program) {
    size_t bodyLoops = program.indices.size() - program.gridDims;
    firstBodyVariable = static_cast<int>(program.variables.size() - bodyLoops);
  }

  ComputeCode print() {
    const std::vector<mesh::Operation> &body = program.threads[static_cast<int>(mesh::Thread::Compute)];
    findProducts(body);
    list(body);
    ComputeCode made;
    for (int coordinate : variables.coordinates)
      made.kernel.arguments.runtime.push_back({variables.name(coordinate), variables.name(coordinate)});
    made.kernel.text = head(made.kernel.arguments) + code.str() + "}\n";
    for (int buffer : copied)
      if (paging.buffers[buffer].type == ElementType::F32 && !multiplied.contains(buffer))
        made.unpackedTo32.insert(buffer);
    return made;
  }

private:
  /// The accumulators are those of one product, which may stand in one place of the nest only.
  void findProducts(const std::vector<mesh::Operation> &body) {
    for (const mesh::Operation &operation : body) {
      if (auto *loop = std::get_if<mesh::Loop>(&operation.what)) {
        bool isOfBody = loop->variable >= firstBodyVariable;
        if (isOfBody)
          bodyLoops.push_back(loop->variable);
        findProducts(loop->body);
        if (isOfBody)
          bodyLoops.pop_back();
      } else if (auto *branch = std::get_if<mesh::If>(&operation.what))
        findProducts(branch->body);
      else if (auto *compute = std::get_if<mesh::Compute>(&operation.what))
        if (ComputeSource source = resolve(*compute, tiles, paging, refusals); source.product)
          addAccumulators(*source.product);
    }
  }

  void addAccumulators(const Product &found) {
    if (product)
      return refusals.add(Refusal::Accumulator, "a second tt.dot");
    if (!bodyLoops.empty() && tiles.carriedBytes > found.m * found.n * kTileElements * elementBytes(ElementType::F32))
      refusals.add(Refusal::Accumulator, "loops carry more than a product");
    product = found;
    subblock = chooseSubblock(found.m, found.n);
    accumulators = static_cast<int>(paging.buffers.size());
    paging.buffers.push_back({"cb_accumulators", ElementType::F32, found.m, found.n, 1});
  }

  void list(const std::vector<mesh::Operation> &body) {
    for (const mesh::Operation &operation : body)
      std::visit([&](const auto &what) { print(what); }, operation.what);
  }
  template <typename Other> void print(const Other &) {} // Transfers and signals are of the other threads.

  void print(const mesh::Loop &loop) {
    if (loop.variable >= firstBodyVariable)
      bodyLoops.push_back(loop.variable);
    enterLoop(code, variables, loop);
    list(loop.body);
    code.close();
    if (loop.variable >= firstBodyVariable)
      bodyLoops.pop_back();
    variables.leave(loop.variable);
  }
  void print(const mesh::If &branch) {
    code.open("if (" + variables.str(branch.guards) + ")");
    list(branch.body);
    code.close();
  }
  void print(const mesh::BufferStep &step) {
    call(functionOf(step.kind),
         {buffer(step.buffer), scaled(paging.buffers[step.buffer].pages(), variables.str(step.tiles))});
  }

  void print(const mesh::Compute &compute) {
    ComputeSource source = resolve(compute, tiles, paging, refusals);
    code.line("// " + mesh::str({compute}, program));
    if (source.product && product)
      print(*source.product);
    for (const StoredExpression &store : source.stores)
      print(store);
  }

  void print(const Product &p) {
    if (bodyLoops.size() > 1)
      refusals.add(Refusal::Accumulator, "tt.dot in two loops of the body");
    multiplied.insert({p.a, p.b});
    openSubblocks();
    call("tile_regs_acquire");
    loadAccumulators();
    call("reconfig_data_format", {buffer(p.b), buffer(p.a)}); // Unit A of the unpacker takes the second operand.
    call("mm_init_short", {buffer(p.a), buffer(p.b), p.isTransposedB ? "1" : "0"});
    multiply(p);
    call("tile_regs_commit");
    storeAccumulators();
    code.close();
    code.close();
  }

  /// The pages of the accumulators go through their ring in this order, in every iteration and when they are stored.
  void openSubblocks() {
    openLoop("row", paging.buffers[accumulators].rows, subblock.rows);
    openLoop("column", paging.buffers[accumulators].columns, subblock.columns);
  }
  void openLoop(const std::string &name, int64_t extent, int64_t step = 1) {
    code.open("for (uint32_t " + name + " = 0; " + name + " < " + std::to_string(extent) + "; " +
              (step == 1 ? "++" + name : name + " += " + std::to_string(step)) + ")");
  }

  void loadAccumulators() {
    if (bodyLoops.empty())
      return;
    std::string count = std::to_string(subblock.tiles());
    code.open("if (" + variables.name(bodyLoops.front()) + " != 0)");
    call("cb_wait_front", {buffer(accumulators), count});
    prepareCopy(accumulators);
    openLoop("i", subblock.tiles());
    call("copy_tile", {buffer(accumulators), "i", "i"});
    code.close();
    call("cb_pop_front", {buffer(accumulators), count});
    code.close();
  }

  void multiply(const Product &p) {
    auto index = [&](const Affine &slot, int64_t pages, const std::string &at) {
      return plus(scaled(pages, variables.str(slot)), at);
    };
    std::string tileOfB = p.isTransposedB ? plus(scaled(p.k, "column + c"), "k") : plus(scaled(p.n, "k"), "column + c");
    openLoop("k", p.k);
    openLoop("r", subblock.rows);
    openLoop("c", subblock.columns);
    call("matmul_tiles", {buffer(p.a), buffer(p.b), index(p.slotA, p.m * p.k, plus(scaled(p.k, "row + r"), "k")),
                          index(p.slotB, p.k * p.n, tileOfB), plus(scaled(subblock.columns, "r"), "c")});
    for (int i = 0; i < 3; ++i)
      code.close();
  }

  void storeAccumulators() {
    std::string count = std::to_string(subblock.tiles());
    call("tile_regs_wait");
    call("cb_reserve_back", {buffer(accumulators), count});
    call("pack_reconfig_data_format", {buffer(accumulators)});
    openLoop("i", subblock.tiles());
    call("pack_tile", {"i", buffer(accumulators)});
    code.close();
    call("tile_regs_release");
    call("cb_push_back", {buffer(accumulators), count});
  }

  /// Tile by tile: all operators of the expression in registers.
  void print(const StoredExpression &store) {
    const PagedBuffer &to = paging.buffers[store.buffer];
    bool ofAccumulators = store.value.hasAccumulator();
    if (ofAccumulators && !checkAccumulators(to))
      return;
    int loops = ofAccumulators ? openAccumulatorTiles(to) : openTiles(to);
    call("tile_regs_acquire");
    evaluate(store.value, 0);
    call("tile_regs_commit");
    call("tile_regs_wait");
    call("pack_reconfig_data_format", {buffer(store.buffer)});
    call("pack_tile<true>", {"0", buffer(store.buffer), plus(scaled(to.pages(), variables.str(store.slot)), "tile")});
    call("tile_regs_release");
    if (ofAccumulators)
      call("cb_pop_front", {buffer(accumulators), "1"});
    for (int i = 0; i < loops; ++i)
      code.close();
  }

  bool checkAccumulators(const PagedBuffer &to) {
    if (!product)
      refusals.add(Refusal::Accumulator, "a store of " + to.name);
    else if (paging.buffers[accumulators].rows != to.rows || paging.buffers[accumulators].columns != to.columns)
      refusals.add(Refusal::Operands, "the product and " + to.name + " have different sizes");
    return product.has_value();
  }

  /// Opens loops over `tile` of a block, and says how many.
  int openTiles(const PagedBuffer &to) {
    openLoop("tile", to.pages());
    return 1;
  }
  int openAccumulatorTiles(const PagedBuffer &to) {
    openSubblocks();
    openLoop("r", subblock.rows);
    openLoop("c", subblock.columns);
    code.line("const uint32_t tile = " + scaled(to.columns, "row + r") + " + column + c;");
    call("cb_wait_front", {buffer(accumulators), "1"});
    return 4;
  }

  /// Into register `to`, with those after it as scratch.
  void evaluate(const Expression &value, int to) {
    std::string target = std::to_string(to);
    if (value.kind == Expression::Kind::Constant) {
      headers.insert("eltwise_unary/fill.h");
      call("fill_tile_init");
      return call("fill_tile", {target, floatText(value.constant)});
    }
    if (value.kind != Expression::Kind::Function) {
      bool isTile = value.kind == Expression::Kind::Tile;
      int from = isTile ? value.buffer : accumulators;
      if (from < 0)
        return;
      prepareCopy(from);
      std::string index = isTile ? plus(scaled(paging.buffers[from].pages(), variables.str(value.slot)), "tile") : "0";
      return call("copy_tile", {buffer(from), index, target});
    }
    std::string function = value.function->function;
    headers.insert(value.function->header);
    if (value.operands.size() == 1) {
      evaluate(value.operands[0], to);
      call(function + "_init");
      return call(function, {target});
    }
    bool secondFirst = value.operands[1].registers() > value.operands[0].registers();
    std::string other = std::to_string(to + 1);
    evaluate(value.operands[secondFirst], to);
    evaluate(value.operands[!secondFirst], to + 1);
    call(function + "_init");
    call(function, {secondFirst ? other : target, secondFirst ? target : other, target});
  }

  void prepareCopy(int from) {
    copied.insert(from);
    call("reconfig_data_format_srca", {buffer(from)});
    call("copy_tile_to_dst_init_short", {buffer(from)});
  }

  void call(const std::string &function, const std::vector<std::string> &arguments = {}) {
    code.line(function + "(" + joined(arguments, ", ") + ");");
  }
  std::string buffer(int number) {
    used.insert(number);
    return paging.buffers[number].name;
  }

  std::string head(const KernelArguments &arguments) {
    CodeText text;
    text.line("// The compute thread of each core of " + program.name + ".");
    text.line("#include <cstdint>");
    text.blank();
    headers.insert({"cb_api.h", "pack.h", "reconfig_data_format.h", "reg_api.h", "tile_move_copy.h",
                    product ? "matmul.h" : "eltwise_unary/eltwise_unary.h"});
    for (const std::string &header : headers)
      text.line("#include \"api/compute/" + header + "\"");
    text.blank();
    text.open("void kernel_main()");
    for (int number : used)
      text.line("constexpr uint32_t " + paging.buffers[number].name + " = " + std::to_string(number) + ";");
    for (size_t i = 0; i < arguments.runtime.size(); ++i)
      text.line("const int32_t " + arguments.runtime[i].name + " = get_arg_val<int32_t>(" + std::to_string(i) + ");");
    if (product)
      text.line("mm_init(" + joined({buffer(product->a), buffer(product->b), buffer(accumulators)}, ", ") +
                (product->isTransposedB ? ", 1);" : ");"));
    else if (!used.empty()) // Buffers of stores come after those of loads.
      text.line("init_sfpu(" + buffer(*used.begin()) + ", " + buffer(*used.rbegin()) + ");");
    text.blank();
    return text.str();
  }

  const mesh::CoreProgram &program;
  const mesh::TileProgram &tiles;
  Paging &paging;
  Refusals &refusals;
  Variables variables;
  CodeText code{1};
  std::set<int> used, copied, multiplied;
  std::set<std::string> headers;
  std::vector<int> bodyLoops; ///< Variables of the loops of the body around what is printed.
  int firstBodyVariable = 0;
  std::optional<Product> product;
  Subblock subblock;
  int accumulators = -1;
};

} // namespace

ComputeCode printCompute(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, Paging &paging,
                         Refusals &refusals) {
  return ComputePrinter(program, tiles, paging, refusals).print();
}

} // namespace tawa::metalium
