// AssignLayouts, converted tiles: the layout of a tile that a converter puts into a ring (tawa-distribute-roles). Its
// readers are dots. Of what they can read, it is written fastest from the registers of a tile that was computed; one
// that is transposed has K innermost, in the order of their operand A if that is in registers.
#include "compiler/analysis/ConvertingPut.h"
#include "compiler/layouts/AssignLayouts.h"

using namespace mlir;

namespace tawa::layouts {

namespace {

/// A tile's readers with what transposes it on the way.
struct Reader {
  OpOperand *use;
  SmallVector<Operation *, 2> views;
};

void collectReaders(Value tile, const SmallVector<Operation *, 2> &views, SmallVector<Reader> &readers) {
  for (OpOperand &use : tile.getUses()) {
    if (!isView(use.getOwner())) {
      readers.push_back({&use, views});
      continue;
    }
    SmallVector<Operation *, 2> further = views;
    further.push_back(use.getOwner());
    collectReaders(use.getOwner()->getResult(0), further, readers);
  }
}

} // namespace

bool isConvertedRing(ws::CreateArefOp create) {
  return llvm::any_of(create.getAref().getUsers(), [](Operation *user) {
    auto put = dyn_cast<ws::PutOp>(user);
    return put && isConverted(put);
  });
}

/// The registers of a tile that a role computed, seen through views; null for one from a slot.
static LinearAttr registersOf(ws::PutOp put, LayoutTable &table, Graph &graph) {
  SmallVector<Operation *> views;
  Value value = put.getValues().front();
  for (Operation *op = value.getDefiningOp(); op && isView(op); op = value.getDefiningOp()) {
    views.push_back(op);
    value = op->getOperand(0);
  }
  LinearAttr layout = graph.homeOf(value);
  for (Operation *view : llvm::reverse(views))
    if (layout)
      layout = table.forward(view, layout);
  return layout;
}

/// The slot layout that this reader requires of a tile that is written from `registers`, or moved.
static LinearAttr wantedBy(const Reader &reader, bool naturally, LinearAttr registers, LayoutTable &table, Rules &rules,
                           Graph &graph) {
  OpOperand &use = *reader.use;
  auto type = cast<RankedTensorType>(use.get().getType());
  KPermutation order;
  LinearAttr home = use.getOperandNumber() == 1 ? graph.homeOf(use.getOwner()->getOperand(0)) : LinearAttr();
  if (home && !naturally)
    order = orderOfOperandA(table.map(home), type.getElementTypeBitWidth()).value_or(KPermutation());
  for (Operation *view : reader.views)
    if (registers)
      registers = table.forward(view, registers);
  LinearAttr layout = rules.wgmmaTile(use, registers ? registers : table.fallback(type.getShape()), order);
  for (Operation *view : llvm::reverse(reader.views))
    if (layout)
      layout = table.demand(view, layout);
  return layout;
}

LinearAttr convertedSlot(ws::CreateArefOp create,
                         llvm::function_ref<std::tuple<LayoutTable &, Rules &, Graph &>(ws::WarpGroupOp)> of) {
  SmallVector<Reader> readers;
  LinearAttr registers;
  for (Operation *user : create.getAref().getUsers()) {
    if (auto get = dyn_cast<ws::GetOp>(user))
      collectReaders(get.getValues().front(), {}, readers);
    auto put = dyn_cast<ws::PutOp>(user);
    if (!put || !isComputed(put))
      continue;
    auto [table, rules, graph] = of(put->getParentOfType<ws::WarpGroupOp>());
    registers = registersOf(put, table, graph);
  }
  for (bool naturally : {false, true}) {
    llvm::SmallSetVector<LinearAttr, 2> wanted;
    for (const Reader &reader : readers) {
      auto [table, rules, graph] = of(reader.use->getOwner()->getParentOfType<ws::WarpGroupOp>());
      wanted.insert(wantedBy(reader, naturally, registers, table, rules, graph));
    }
    if (wanted.size() == 1 && wanted.front())
      return wanted.front();
  }
  return {};
}

} // namespace tawa::layouts
