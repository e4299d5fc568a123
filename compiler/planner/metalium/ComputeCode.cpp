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
        sources(program, tiles, values, paging, refusals), out(paging, variables) {
    firstBodyVariable =
        static_cast<int>(program.variables.size()) - (static_cast<int>(program.indices.size()) - program.gridDims);
  }

  ComputeCode print() {
    list(program.threads[static_cast<int>(mesh::Thread::Compute)]);
    for (int number : {paging.ones, paging.scaler})
      if (number >= 0)
        out.call("cb_pop_front", {out.buffer(number), "1"});
    for (const auto &[multiples, buffer] : paging.places)
      out.call("cb_pop_front", {out.buffer(buffer), "1"});
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
    int index = loop.variable - firstBodyVariable + program.gridDims;
    std::optional<std::string> computes = loop.variable < firstBodyVariable ? std::nullopt : conditionOf(loop, index);
    if (computes)
      when(*computes, [&] { startLoop(index); });
    enterLoop(out.code, variables, loop);
    list(loop.body);
    out.code.close();
    variables.leave(loop.variable);
    if (computes)
      when(*computes, [&] { endLoop(index); });
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
    bool isUnrolled = segment.loop >= 0 && !variables.isInScope(variableOf(segment.loop)); // of one iteration
    if (isUnrolled && begun.insert(segment.loop).second)
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
        out.print(*product, value, isLater(value.loop));
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
  /// That an iteration is not the first; empty for a loop of one.
  std::string isLater(int loop) const {
    return loop < 0 || !variables.isInScope(variableOf(loop)) ? "" : variables.name(variableOf(loop)) + " != 0";
  }
  template <typename Inside> void when(const std::string &holds, const Inside &inside) {
    if (!holds.empty())
      out.code.open("if (" + holds + ")");
    inside();
    if (!holds.empty())
      out.code.close();
  }

  /// Whether the core computes in the loop's body: its conditions that do not change in the loop. Nothing where the
  /// loop has no arithmetic of its own.
  std::optional<std::string> conditionOf(const mesh::Loop &loop, int index) {
    std::vector<mesh::Guard> guards;
    if (!findSegment(loop.body, index, guards))
      return std::nullopt;
    std::erase_if(guards, [&](const mesh::Guard &guard) { return guard.value.dependsOn(loop.variable); });
    return guards.empty() ? "" : variables.str(guards);
  }
  static bool findSegment(const std::vector<mesh::Operation> &body, int loop, std::vector<mesh::Guard> &guards) {
    return std::ranges::any_of(body, [&](const mesh::Operation &operation) {
      if (const auto *segment = std::get_if<mesh::Compute>(&operation.what))
        return segment->loop == loop;
      const auto *branch = std::get_if<mesh::If>(&operation.what);
      if (!branch || !findSegment(branch->body, loop, guards))
        return false;
      guards.insert(guards.begin(), branch->guards.begin(), branch->guards.end());
      return true;
    });
  }

  /// What a loop carries is there before its first iteration.
  void startLoop(int loop) {
    for (const TileValue &value : values.values)
      if (value.loop == loop && value.carried)
        produce(sources.carriedFrom(*value.carried, values.around(loop), value.rows, value.columns), value.kept.all());
    for (const TileValue &value : values.values) {
      if (value.loop == values.around(loop) && value.lastHere == values.positionOf(loop))
        pop(value.here);
      if (value.loop >= 0 && values.around(value.loop) == values.around(loop) &&
          value.lastAfter == values.positionOf(loop))
        pop(value.kept);
    }
  }

  /// Pops what it carries where nothing reads it afterwards.
  void endLoop(int loop) {
    for (const TileValue &value : values.values)
      if (value.loop == loop && (value.carried || value.isInPlace) && value.lastAfter < 0)
        pop(value.kept);
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
    if (value.lastAfter < 0 && !variables.isInScope(variableOf(value.loop))) // a loop of one iteration
      pop(value.kept);
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
    for (const auto &[multiples, buffer] : paging.places)
      start.call("cb_wait_front", {start.buffer(buffer), "1"});
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
