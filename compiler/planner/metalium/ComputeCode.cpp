#include "compiler/planner/metalium/ComputeCode.h"

#include "compiler/planner/metalium/TileCode.h"

#include <algorithm>

namespace tawa::metalium {
namespace {

using mesh::TileStep;

class ComputePrinter {
public:
  ComputePrinter(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, Paging &paging, Refusals &refusals)
      : program(program), tiles(tiles), paging(paging), variables(program), values(tiles, paging, refusals),
        sources(values, paging, refusals), out(paging, variables) {
    firstBodyVariable =
        static_cast<int>(program.variables.size()) - (static_cast<int>(program.indices.size()) - program.gridDims);
  }

  ComputeCode print() {
    list(program.threads[static_cast<int>(mesh::Thread::Compute)]);
    for (int number : {paging.ones, paging.scaler})
      if (number >= 0)
        out.call("cb_pop_front", {out.buffer(number), "1"});
    ComputeCode made;
    for (int coordinate : variables.coordinates)
      made.kernel.arguments.runtime.push_back({variables.name(coordinate), variables.name(coordinate)});
    for (const std::string &scalar : tiles.scalars)
      made.kernel.arguments.runtime.push_back(
          {"s_" + identifier(scalar), "std::bit_cast<uint32_t>(" + identifier(scalar) + ")", "float"});
    made.kernel.text = head(made.kernel.arguments) + out.code.str() + "}\n";
    for (int buffer : out.copied)
      if (paging.buffers[buffer].type == ElementType::F32 && !out.multiplied.contains(buffer))
        made.unpackedTo32.insert(buffer);
    return made;
  }

private:
  void list(const std::vector<mesh::Operation> &body) {
    for (const mesh::Operation &operation : body)
      std::visit([&](const auto &what) { print(what); }, operation.what);
  }
  template <typename Other> void print(const Other &) {} // Transfers and signals are of the other threads.

  void print(const mesh::Loop &loop) {
    enterLoop(out.code, variables, loop);
    list(loop.body);
    out.code.close();
    variables.leave(loop.variable);
  }
  void print(const mesh::If &branch) {
    out.code.open("if (" + variables.str(branch.guards) + ")");
    list(branch.body);
    out.code.close();
  }
  void print(const mesh::Turn &turn) { metalium::print(out.code, variables, turn); }
  void print(const mesh::BufferStep &step) {
    out.call(functionOf(step.kind),
             {out.buffer(step.buffer), scaled(paging.buffers[step.buffer].pages(), variables.str(step.tiles))});
  }

  void print(const mesh::Compute &segment) {
    sources.enter(segment);
    out.code.line("// " + mesh::str({segment}, program));
    if (begun.insert(segment.loop).second)
      startLoop(segment.loop);
    for (const mesh::Compute::Operator &part : segment.operators)
      if (const TileValue *value = values.find(segment.loop, part.position))
        print(*value);
    for (const mesh::Compute::Tile &tile : segment.produces)
      store(segment.loop, tile);
    for (const TileValue &value : values.values)
      release(value, segment);
  }

  void print(const TileValue &value) {
    if (value.op->name == "tt.dot") {
      if (std::optional<Product> product = sources.productOf(value)) {
        if (!firstProduct)
          firstProduct = {product->a.buffer, product->b.buffer, *value.buffers().begin(), product->isTransposedB};
        out.print(*product, value, first(value.loop, " != "));
      }
    } else if (value.op->name == "tt.reduce") {
      if (std::optional<Reduction> reduction = sources.reductionOf(value))
        out.print(*reduction, value);
    } else {
      produce(sources.expressionOf(*value.op, value.rows, value.columns), value.buffers());
    }
  }

  void produce(const Expression &expression, const std::set<int> &buffers) {
    std::vector<TileCode::Target> targets;
    for (int to : buffers)
      targets.push_back({to, {}});
    eachBuffer("cb_reserve_back", buffers);
    out.print(expression, targets);
    eachBuffer("cb_push_back", buffers);
  }

  void store(int loop, const mesh::Compute::Tile &tile) {
    const PagedBuffer &to = paging.buffers[tile.buffer];
    out.print(sources.storedBy(storeOf(loop, tile.operation), to.rows, to.columns), {{tile.buffer, tile.slot}});
  }

  const TileStep &storeOf(int loop, int operation) const {
    return *std::ranges::find_if(values.body(loop), [&](const TileStep &step) {
      return step.kind == TileStep::Kind::Store && step.access.operation == operation;
    });
  }

  //===--- What loops carry ---------------------------------------------------------------------------------------===//

  int variableOf(int loop) const { return firstBodyVariable + loop - program.gridDims; }
  /// Empty for a loop of one iteration.
  std::string first(int loop, const char *sign) const {
    return loop < 0 || !variables.isInScope(variableOf(loop)) ? "" : variables.name(variableOf(loop)) + sign + "0";
  }
  /// "i_k == 15", or that no other iteration follows; empty for a loop of one.
  std::string last(int loop) {
    if (loop < 0 || !variables.isInScope(variableOf(loop)))
      return "";
    const std::string &variable = variables.name(variableOf(loop));
    const mesh::Index &index = tiles.indices[loop];
    if (!index.trips)
      return variable + " == " + std::to_string(index.extent - 1);
    return "!(" + variables.str(inVariables(*index.trips), "(" + variable + " + 1)") + ")";
  }

  /// From indices of the grid to variables of the core program.
  mesh::TripCount inVariables(mesh::TripCount trips) const {
    mesh::Affine sum{std::vector<int64_t>(program.variables.size()), trips.affine.constant};
    for (int grid = 0; grid < program.gridDims; ++grid) {
      if (!trips.affine.dependsOn(grid))
        continue;
      const mesh::Affine &index = program.indices[grid];
      sum.constant += trips.affine.coefficients[grid] * index.constant;
      for (size_t i = 0; i < index.coefficients.size(); ++i)
        sum.coefficients[i] += trips.affine.coefficients[grid] * index.coefficients[i];
    }
    trips.affine = std::move(sum);
    return trips;
  }

  template <typename Inside> void when(const std::string &holds, const Inside &inside) {
    if (!holds.empty())
      out.code.open("if (" + holds + ")");
    inside();
    if (!holds.empty())
      out.code.close();
  }

  /// Before its first iteration a loop carries constants.
  void startLoop(int loop) {
    for (const TileValue &value : values.values)
      if (value.loop == loop && value.carried)
        when(first(loop, " == "), [&] {
          Expression constant;
          constant.kind = Expression::Kind::Scalar;
          constant.scalar = floatText(*value.carried);
          produce(constant, value.kept.all());
        });
  }

  bool covers(const mesh::Compute &segment, int position) const {
    if (position < 0)
      return false;
    const TileStep &step = values.body(segment.loop)[position];
    return step.kind == TileStep::Kind::Store
               ? std::ranges::find(segment.produces, step.access.operation, &mesh::Compute::Tile::operation) !=
                     segment.produces.end()
               : std::ranges::find(segment.operators, position, &mesh::Compute::Operator::position) !=
                     segment.operators.end();
  }

  /// Pops what no later segment reads.
  void release(const TileValue &value, const mesh::Compute &segment) {
    bool isLoop = value.carried || value.isInPlace, isInside = segment.loop == value.loop;
    if (isInside && covers(segment, value.lastHere))
      pop(value.here);
    if (isLoop && !isInside && segment.loop == values.around(value.loop) && covers(segment, value.lastAfter))
      pop(value.kept);
    if (!isLoop || !isInside || !covers(segment, values.lastPosition(value.loop)))
      return;
    if (value.carried) // what the last iteration left
      pop(value.kept);
    if (value.lastAfter < 0)
      when(last(value.loop), [&] { pop(value.kept); });
  }

  /// Of two buffers one may not have been read.
  void pop(const ValueBuffers &buffers) {
    eachBuffer("cb_wait_front", buffers.all());
    eachBuffer("cb_pop_front", buffers.all());
  }

  void eachBuffer(const char *function, const std::set<int> &buffers) {
    for (int buffer : buffers)
      out.call(function, {out.buffer(buffer), std::to_string(paging.buffers[buffer].pages())});
  }

  std::string head(const KernelArguments &arguments) {
    CodeText text;
    text.line("// The compute thread of each core of " + program.name + ".");
    text.line("#include <cstdint>");
    text.blank();
    TileCode start(paging, variables);
    if (paging.ones >= 0)
      start.makeOnes();
    if (paging.scaler >= 0)
      start.call("cb_wait_front", {start.buffer(paging.scaler), "1"});
    out.headers.merge(start.headers);
    out.headers.insert({"cb_api.h", "pack.h", "reconfig_data_format.h", "reg_api.h", "tile_move_copy.h",
                        firstProduct ? "matmul.h" : "eltwise_unary/eltwise_unary.h"});
    for (const std::string &header : out.headers)
      text.line("#include \"api/compute/" + header + "\"");
    text.blank();
    text.open("void kernel_main()");
    for (int number : out.used)
      text.line("constexpr uint32_t " + paging.buffers[number].name + " = " + std::to_string(number) + ";");
    for (size_t i = 0; i < arguments.runtime.size(); ++i) {
      const KernelArguments::Argument &argument = arguments.runtime[i];
      text.line("const " + argument.type + " " + argument.name + " = get_arg_val<" + argument.type + ">(" +
                std::to_string(i) + ");");
    }
    if (firstProduct)
      text.line("mm_init(" +
                joined({out.buffer(firstProduct->a), out.buffer(firstProduct->b), out.buffer(firstProduct->to)}, ", ") +
                (firstProduct->isTransposedB ? ", 1);" : ");"));
    else if (!out.used.empty()) // Buffers of stores come after those of loads.
      text.line("init_sfpu(" + out.buffer(*out.used.begin()) + ", " + out.buffer(*out.used.rbegin()) + ");");
    text.blank();
    text.append(start.code);
    return text.str();
  }

  struct FirstProduct {
    int a, b, to;
    bool isTransposedB;
  };

  const mesh::CoreProgram &program;
  const mesh::TileProgram &tiles;
  Paging &paging;
  Variables variables;
  TileValues values;
  ComputeSources sources;
  TileCode out;
  std::set<int> begun; ///< Loops whose code has begun.
  int firstBodyVariable = 0;
  std::optional<FirstProduct> firstProduct;
};

} // namespace

ComputeCode printCompute(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, Paging &paging,
                         Refusals &refusals) {
  return ComputePrinter(program, tiles, paging, refusals).print();
}

} // namespace tawa::metalium
