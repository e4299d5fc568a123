// AssignLayouts, transposed tiles: the layout of a tile that a role moves from one ring to another
// (tawa-distribute-roles). Its readers are dots; they need K innermost, in the order of their operand A if that is in
// registers.
#include "compiler/analysis/TransposingPut.h"
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

bool isTransposedRing(ws::CreateArefOp create) {
  return llvm::any_of(create.getAref().getUsers(), [](Operation *user) {
    auto put = dyn_cast<ws::PutOp>(user);
    return put && isTransposed(put);
  });
}

/// The slot layout that this reader requires.
static LinearAttr wantedBy(const Reader &reader, bool naturally, LayoutTable &table, Rules &rules, Graph &graph) {
  OpOperand &use = *reader.use;
  auto type = cast<RankedTensorType>(use.get().getType());
  KPermutation order;
  LinearAttr home = use.getOperandNumber() == 1 ? graph.homeOf(use.getOwner()->getOperand(0)) : LinearAttr();
  if (home && !naturally)
    order = orderOfOperandA(table.map(home), type.getElementTypeBitWidth()).value_or(KPermutation());
  LinearAttr layout = rules.wgmmaTile(use, table.fallback(type.getShape()), order);
  for (Operation *view : llvm::reverse(reader.views))
    if (layout)
      layout = table.demand(view, layout);
  return layout;
}

LinearAttr transposedSlot(ws::CreateArefOp create,
                          llvm::function_ref<std::tuple<LayoutTable &, Rules &, Graph &>(ws::WarpGroupOp)> of) {
  SmallVector<Reader> readers;
  for (Operation *user : create.getAref().getUsers())
    if (auto get = dyn_cast<ws::GetOp>(user))
      collectReaders(get.getValues().front(), {}, readers);
  for (bool naturally : {false, true}) {
    llvm::SmallSetVector<LinearAttr, 2> wanted;
    for (const Reader &reader : readers) {
      auto [table, rules, graph] = of(reader.use->getOwner()->getParentOfType<ws::WarpGroupOp>());
      wanted.insert(wantedBy(reader, naturally, table, rules, graph));
    }
    if (wanted.size() == 1 && wanted.front())
      return wanted.front();
  }
  return {};
}

} // namespace tawa::layouts
