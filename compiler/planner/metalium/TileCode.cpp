#include "compiler/planner/metalium/TileCode.h"

#include <algorithm>

namespace tawa::metalium {
//===--- Parts ----------------------------------------------------------------------------------------------------===//

void TileCode::call(const std::string &function, const std::vector<std::string> &arguments) {
  code.line(function + "(" + joined(arguments, ", ") + ");");
}

std::string TileCode::buffer(int number) {
  used.insert(number);
  return paging.buffers[number].name;
}

void TileCode::openLoop(const std::string &name, int64_t extent, int64_t step) {
  code.open("for (uint32_t " + name + " = 0; " + name + " < " + std::to_string(extent) + "; " +
            (step == 1 ? "++" + name : name + " += " + std::to_string(step)) + ")");
}

void TileCode::close(int count) {
  for (int i = 0; i < count; ++i)
    code.close();
}

/// What this thread itself produced; the core program waits for loads.
void TileCode::await(const BlockSource &block) {
  if (block.isValue)
    call("cb_wait_front", {buffer(block.buffer), std::to_string(paging.buffers[block.buffer].pages())});
}

std::string TileCode::index(const BlockSource &block, const std::string &tile) {
  return plus(scaled(paging.buffers[block.buffer].pages(), variables.str(block.slot)), tile);
}

/// The page at `row` and `column`.
std::string TileCode::tileOf(const BlockSource &block) {
  if (!block.order)
    return "tile";
  auto part = [](const std::string &name, const char *sign, int64_t size) {
    return name + sign + std::to_string(size);
  };
  const Subblock &order = *block.order;
  int64_t across = paging.buffers[block.buffer].columns / order.columns;
  return scaled(order.tiles(),
                plus(scaled(across, part("row", " / ", order.rows)), part("column", " / ", order.columns))) +
         " + " + scaled(order.columns, part("row", " % ", order.rows)) + " + " + part("column", " % ", order.columns);
}

void TileCode::prepareCopy(int from) {
  copied.insert(from);
  call("reconfig_data_format_srca", {buffer(from)});
  call("copy_tile_to_dst_init_short", {buffer(from)});
}

void TileCode::fill(int to, const std::string &value) {
  headers.insert("eltwise_unary/fill.h");
  call("fill_tile_init");
  call("fill_tile", {std::to_string(to), value});
  written.insert(to);
}

//===--- Expressions ----------------------------------------------------------------------------------------------===//

void TileCode::print(const Expression &value, const std::vector<Target> &targets) {
  const PagedBuffer &to = paging.buffers[targets.front().buffer];
  value.forEachBlock([&](const BlockSource &block) { await(block); });
  openLoop("row", to.rows);
  openLoop("column", to.columns);
  code.line("const uint32_t tile = " + plus(scaled(to.columns, "row"), "column") + ";");
  call("tile_regs_acquire");
  written.clear();
  evaluate(value, 0);
  call("tile_regs_commit");
  call("tile_regs_wait");
  for (const Target &target : targets) {
    call("pack_reconfig_data_format", {buffer(target.buffer)});
    call("pack_tile<true>", {"0", buffer(target.buffer), plus(scaled(to.pages(), variables.str(target.slot)), "tile")});
  }
  call("tile_regs_release");
  close(2);
}

/// Into register `to`, with those after it as scratch.
void TileCode::evaluate(const Expression &value, int to) {
  std::string target = std::to_string(to);
  if (value.kind == Expression::Kind::Scalar)
    return fill(to, value.scalar);
  if (value.kind == Expression::Kind::Index)
    return fill(to, placeOfTile(value));
  if (value.kind != Expression::Kind::Function)
    return evaluateBlock(value, to);
  std::string function = value.function->function,
              init = value.function->init ? value.function->init : function + "_init";
  headers.insert(value.function->header);
  if (value.operands.size() == 1) {
    evaluate(value.operands[0], to);
    call(init);
    call(function, {target});
    if (value.function->factor != 1) {
      const TileFunction &product = *tileFunction("arith.mulf");
      headers.insert(product.header);
      fill(to + 1, floatText(value.function->factor));
      call(std::string(product.function) + "_init");
      call(product.function, {target, std::to_string(to + 1), target});
    }
    return;
  }
  std::vector<const Expression *> order; // Those that need the most registers first.
  order.reserve(value.operands.size());
  for (const Expression &operand : value.operands)
    order.push_back(&operand);
  std::ranges::sort(order, {}, [](const Expression *operand) { return std::pair(-operand->registers(), operand); });
  std::vector<std::string> arguments(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    evaluate(*order[i], to + static_cast<int>(i));
    arguments[order[i] - value.operands.data()] = std::to_string(to + i);
  }
  arguments.push_back(target);
  call(init);
  call(function, arguments);
}

/// Arithmetic of 32-bit integers.
std::string TileCode::placeOfTile(const Expression &value) {
  std::string sum =
      plus(plus(variables.str(value.start), scaled(value.rowStep, "row")), scaled(value.columnStep, "column"));
  return "static_cast<float>(static_cast<int32_t>(" + sum + "))";
}

/// What is repeated is multiplied with ones: the matrix unit adds that to the register, which has to be zero.
void TileCode::evaluateBlock(const Expression &value, int to) {
  const BlockSource &from = value.from;
  if (from.buffer < 0)
    return;
  std::string target = std::to_string(to);
  if (value.kind == Expression::Kind::Tile) {
    prepareCopy(from.buffer);
    call("copy_tile", {buffer(from.buffer), index(from, tileOf(from)), target});
  } else if (value.kind == Expression::Kind::Places) {
    prepareCopy(from.buffer);
    call("copy_tile", {buffer(from.buffer), "0", target});
  } else {
    bool isColumn = value.kind == Expression::Kind::OfColumn;
    headers.insert("bcast.h");
    if (written.contains(to))
      fill(to, "0.0f");
    paging.needOnes();
    multiplied.insert({paging.ones, from.buffer});
    call("reconfig_data_format", {buffer(paging.ones), buffer(from.buffer)});
    call(isColumn ? "mul_bcast_cols_init_short" : "mul_tiles_bcast_scalar_init_short",
         {buffer(paging.ones), buffer(from.buffer)});
    call(isColumn ? "mul_tiles_bcast<BroadcastType::COL>" : "mul_tiles_bcast<BroadcastType::SCALAR>",
         {buffer(paging.ones), buffer(from.buffer), "0", index(from, isColumn ? "row" : "0"), target});
  }
  written.insert(to);
}

void TileCode::makeOnes() {
  call("cb_reserve_back", {buffer(paging.ones), "1"});
  call("tile_regs_acquire");
  fill(0, "1.0f");
  call("tile_regs_commit");
  call("tile_regs_wait");
  call("pack_reconfig_data_format", {buffer(paging.ones)});
  call("pack_tile", {"0", buffer(paging.ones)});
  call("tile_regs_release");
  call("cb_push_back", {buffer(paging.ones), "1"});
  call("cb_wait_front", {buffer(paging.ones), "1"});
}

//===--- Products -------------------------------------------------------------------------------------------------===//

void TileCode::print(const Product &p, const TileValue &value, const std::string &again) {
  const Subblock &subblock = value.subblock;
  multiplied.insert({p.a.buffer, p.b.buffer});
  for (const BlockSource *block : {&p.a, &p.b})
    await(*block);
  if (p.sum)
    await(*p.sum);
  if (!value.isInPlace)
    reserve(value);
  openLoop("row", value.rows, subblock.rows);
  openLoop("column", value.columns, subblock.columns);
  call("tile_regs_acquire");
  loadSum(p, value, again);
  call("reconfig_data_format", {buffer(p.b.buffer), buffer(p.a.buffer)}); // Unit A takes the second operand.
  call("mm_init_short", {buffer(p.a.buffer), buffer(p.b.buffer), p.isTransposedB ? "1" : "0"});
  multiply(p, subblock);
  call("tile_regs_commit");
  packProduct(value, subblock);
  close(2);
  if (!value.isInPlace)
    push(value);
}

void TileCode::loadSum(const Product &p, const TileValue &value, const std::string &again) {
  const Subblock &subblock = value.subblock;
  std::string count = std::to_string(subblock.tiles());
  if (p.sum) {
    prepareCopy(p.sum->buffer);
    openLoop("r", subblock.rows);
    openLoop("c", subblock.columns);
    call("copy_tile", {buffer(p.sum->buffer), index(*p.sum, plus(scaled(value.columns, "row + r"), "column + c")),
                       plus(scaled(subblock.columns, "r"), "c")});
    close(2);
  } else if (value.isInPlace && !again.empty()) {
    code.open("if (" + again + ")");
    call("cb_wait_front", {buffer(value.kept.copied), count});
    prepareCopy(value.kept.copied);
    openLoop("i", subblock.tiles());
    call("copy_tile", {buffer(value.kept.copied), "i", "i"});
    code.close();
    call("cb_pop_front", {buffer(value.kept.copied), count});
    code.close();
  }
}

void TileCode::multiply(const Product &p, const Subblock &subblock) {
  std::string tileOfB = p.isTransposedB ? plus(scaled(p.k, "column + c"), "k") : plus(scaled(p.n, "k"), "column + c");
  openLoop("k", p.k);
  openLoop("r", subblock.rows);
  openLoop("c", subblock.columns);
  call("matmul_tiles", {buffer(p.a.buffer), buffer(p.b.buffer), index(p.a, plus(scaled(p.k, "row + r"), "k")),
                        index(p.b, tileOfB), plus(scaled(subblock.columns, "r"), "c")});
  close(3);
}

/// In place: in the order in which the next iteration takes them.
void TileCode::packProduct(const TileValue &value, const Subblock &subblock) {
  call("tile_regs_wait");
  if (value.isInPlace) {
    std::string count = std::to_string(subblock.tiles());
    call("cb_reserve_back", {buffer(value.kept.copied), count});
    call("pack_reconfig_data_format", {buffer(value.kept.copied)});
    openLoop("i", subblock.tiles());
    call("pack_tile", {"i", buffer(value.kept.copied)});
    code.close();
    call("tile_regs_release");
    return call("cb_push_back", {buffer(value.kept.copied), count});
  }
  for (int to : value.buffers()) {
    call("pack_reconfig_data_format", {buffer(to)});
    openLoop("r", subblock.rows);
    openLoop("c", subblock.columns);
    call("pack_tile<true>",
         {plus(scaled(subblock.columns, "r"), "c"), buffer(to), plus(scaled(value.columns, "row + r"), "column + c")});
    close(2);
  }
  call("tile_regs_release");
}

//===--- Reductions -----------------------------------------------------------------------------------------------===//

/// The matrix unit reduces tile after tile into one register.
void TileCode::print(const Reduction &reduction, const TileValue &value) {
  const PagedBuffer &from = paging.buffers[reduction.from.buffer];
  std::string kind = std::string("<PoolType::") + (reduction.isMaximum ? "MAX" : "SUM") +
                     ", ReduceDim::" + (reduction.isOfAll ? "REDUCE_SCALAR" : "REDUCE_ROW") + ">";
  headers.insert("reduce.h");
  paging.needScaler();
  multiplied.insert({reduction.from.buffer, paging.scaler});
  await(reduction.from);
  reserve(value);
  call("reconfig_data_format", {buffer(reduction.from.buffer), buffer(paging.scaler)});
  call("pack_reconfig_data_format", {buffer(*value.buffers().begin())});
  call("reduce_init" + kind, {buffer(reduction.from.buffer), buffer(paging.scaler), buffer(*value.buffers().begin())});
  openLoop("row", value.rows);
  call("tile_regs_acquire");
  openLoop("i", from.pages() / value.rows);
  call("reduce_tile" + kind, {buffer(reduction.from.buffer), buffer(paging.scaler),
                              index(reduction.from, plus(scaled(from.pages() / value.rows, "row"), "i")), "0", "0"});
  code.close();
  call("tile_regs_commit");
  call("tile_regs_wait");
  for (int to : value.buffers()) {
    call("pack_reconfig_data_format", {buffer(to)});
    call("pack_tile<true>", {"0", buffer(to), "row"});
  }
  call("tile_regs_release");
  code.close();
  call("reduce_uninit");
  push(value);
}

void TileCode::reserve(const TileValue &value) {
  for (int to : value.buffers())
    call("cb_reserve_back", {buffer(to), std::to_string(paging.buffers[to].pages())});
}

void TileCode::push(const TileValue &value) {
  for (int to : value.buffers())
    call("cb_push_back", {buffer(to), std::to_string(paging.buffers[to].pages())});
}

} // namespace tawa::metalium
