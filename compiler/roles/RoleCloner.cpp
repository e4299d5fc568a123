// Clones operations, loops and branches of one role, with counters of its rings carried through the loops.
#include "compiler/roles/RoleCloner.h"

#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/PartialCopies.h"
#include "compiler/analysis/TileLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tawa {

/// The last operation of `block` that uses the value or a view of it, itself or inside one of its regions.
static Operation *lastUserIn(Block *block, Value value, Operation *last) {
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
    if (isa<tt::TransOp>(user))
      last = lastUserIn(block, user->getResult(0), last);
  }
  return last;
}

/// The last operation of `block` that stores a tile, itself or inside one of its regions.
static Operation *lastStoreIn(Block *block, Operation *last) {
  for (Operation &op : *block) {
    bool stores = op.walk([](Operation *inner) {
                      return isa<tt::DescriptorStoreOp, tt::DescriptorReduceOp>(inner) ? WalkResult::interrupt()
                                                                                       : WalkResult::advance();
                    }).wasInterrupted();
    if (stores && last->isBeforeInBlock(&op))
      last = &op;
  }
  return last;
}

/// A converter that only transposes tiles comes by the puts as the producer does.
bool RoleCloner::hasRole(ws::RolesAttr roles) const {
  bool transposes = llvm::any_of(channels, [](auto &channel) { return channel.second.transposed >= 0; });
  return roles && roles.contains(role == Role::Converter && transposes ? Role::Producer : role);
}

Value RoleCloner::constant(Location loc, int32_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(value));
}

void RoleCloner::cloneFunction(tt::FuncOp func) {
  Value zero = constant(func.getLoc(), 0);
  for (auto &[index, channel] : channels)
    counters[index] = zero;
  cloneBlock(&func.getBody().front());
}

void RoleCloner::advance(int index, Location loc) {
  counters[index] = builder.create<arith::AddIOp>(loc, counters[index], constant(loc, 1));
}

void RoleCloner::put(int index, ArrayRef<Operation *> loads) {
  SmallVector<Value> values;
  for (Operation *load : loads)
    values.push_back(mapping.lookup(load->getResult(0)));
  Location loc = loads.back()->getLoc();
  builder.create<ws::PutOp>(loc, channels[index].aref, counters[index], values);
  advance(index, loc);
}

void RoleCloner::get(int index, ArrayRef<Operation *> loads) {
  SmallVector<Type> types;
  for (Operation *load : loads)
    types.push_back(load->getResult(0).getType());
  Location loc = loads.front()->getLoc();
  borrowed[index] = counters[index];
  auto get = builder.create<ws::GetOp>(loc, types, channels[index].aref, counters[index]);
  advance(index, loc);
  Operation *last = nullptr;
  for (auto [load, value] : llvm::zip(loads, get.getValues())) {
    mapping.map(load->getResult(0), value);
    last = lastUserIn(load->getBlock(), load->getResult(0), last);
  }
  if (ws::kStagesStoresAttr.on(loads.front()))
    last = lastStoreIn(loads.front()->getBlock(), last);
  releasedAfter[last].push_back(index);
}

/// Moves the tile from a slot of one ring to one of the next.
void RoleCloner::handOn(int index, ArrayRef<Operation *> loads) {
  Location loc = loads.front()->getLoc();
  int next = channels[index].transposed;
  Value raw = channels[index].aref;
  auto tile = builder.create<ws::GetOp>(loc, loads.front()->getResultTypes(), raw, counters[index]);
  builder.create<ws::PutOp>(loc, channels[next].aref, counters[next], tile.getValues());
  builder.create<ws::ConsumedOp>(loc, raw, counters[index], Value());
  advance(index, loc);
  advance(next, loc);
}

/// The channel from which consumers get what is loaded into channel `index`.
int RoleCloner::readChannel(int index) { return channels[index].transposed >= 0 ? channels[index].transposed : index; }

/// What is put: a descriptor load, a copy that replaces a load through pointers, or what a converter computes.
void RoleCloner::cloneFetch(Operation *load) {
  auto pointers = dyn_cast<tt::LoadOp>(load);
  if (!pointers) {
    Operation *clone = builder.clone(*load, mapping);
    ws::kRolesAttr.remove(clone);
    ws::kChannelAttr.remove(clone);
    ws::kStagesStoresAttr.remove(clone);
    return;
  }
  ws::CopyAttr copy = ws::kCopyAttr.get(load);
  PartialMask mask{pointers.getMask() ? mapping.lookupOrDefault(pointers.getMask()) : Value(), Value()};
  if (Operation *end = rowEnds.lookup(load))
    mask = takeEnd(builder, mask.mask, cast<arith::CmpIOp>(mapping.lookup(end->getResult(0)).getDefiningOp()),
                   copy.getVector());
  Value tile =
      builder.create<ws::CopyTileOp>(load->getLoc(), pointers.getType(), mapping.lookupOrDefault(pointers.getPtr()),
                                     mask.mask, mask.count, copy.getContiguous(), copy.getVector());
  mapping.map(pointers.getResult(), tile);
}

void RoleCloner::cloneLoad(Operation *load) {
  int index = *ws::kChannelAttr.get(load);
  ArrayRef<Operation *> loads = channels[index].sites[load->getBlock()];
  const Channel &channel = channels[index];
  if (role == Role::Converter && channel.transposed >= 0) {
    handOn(index, loads);
  } else if (role == channel.from) {
    cloneFetch(load);
    if (load == loads.back())
      put(index, loads);
  } else if (role == channels[readChannel(index)].to && load == loads.front()) {
    get(readChannel(index), loads);
  }
}

/// A descriptor whose tensor map the role makes itself. The producer's rings count the loads that use the previous
/// description.
bool RoleCloner::cloneDescriptor(Operation *op) {
  auto make = dyn_cast<tt::MakeTensorDescOp>(op);
  if (!make || isKnownAtLaunch(make))
    return false;
  llvm::SetVector<int> used;
  for (Operation *user : make->getUsers())
    if (auto channel = ws::kChannelAttr.get(user); channel && role == Role::Producer)
      used.insert(*channel);
  SmallVector<Value> operands, arefs, indices;
  for (int index : used) {
    arefs.push_back(channels[index].aref);
    indices.push_back(counters[index]);
  }
  auto mapped = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  Value made = builder.create<ws::MakeDescriptorOp>(
      make.getLoc(), make.getType(), mapping.lookupOrDefault(make.getBase()), mapped(make.getShape()),
      mapped(make.getStrides()), arefs, indices, make.getPadding() == tt::PaddingOption::NaN);
  mapping.map(make.getResult(), made);
  return true;
}

SmallVector<int> RoleCloner::channelsIn(Operation *op) {
  SmallVector<int> found;
  for (auto &[index, channel] : channels)
    if (counts(channel) &&
        llvm::any_of(channel.sites, [&](auto &site) { return op->isProperAncestor(site.second.front()); }))
      found.push_back(index);
  return found;
}

/// Of `count` values that a loop or condition carries, from number `begin` on, those that this role has a use for.
SmallVector<unsigned> RoleCloner::keptOf(Operation *op, unsigned begin, unsigned count) {
  ArrayAttr carried = ws::kCarriedAttr.get(op);
  SmallVector<unsigned> kept;
  for (unsigned index = 0; index < count; ++index)
    if (hasRole(cast<ws::RolesAttr>(carried[begin + index])))
      kept.push_back(index);
  return kept;
}

/// Both branches yield the counters: one of them may have put or got what the other has not.
void RoleCloner::cloneBranch(scf::IfOp branch) {
  SmallVector<unsigned> kept = keptResults(branch);
  SmallVector<int> inside = channelsIn(branch);
  SmallVector<Type> types;
  for (unsigned index : kept)
    types.push_back(branch.getResult(index).getType());
  types.append(inside.size(), builder.getI32Type());
  bool hasElse = !types.empty() || branch.elseBlock();
  auto clone = builder.create<scf::IfOp>(branch.getLoc(), types, mapping.lookupOrDefault(branch.getCondition()),
                                         /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  DenseMap<int, Value> before = counters;
  for (auto [from, to] :
       {std::pair(branch.thenBlock(), clone.thenBlock()), std::pair(branch.elseBlock(), clone.elseBlock())}) {
    if (!to)
      continue;
    counters = before;
    OpBuilder::InsertionGuard guard(builder);
    to->clear();
    builder.setInsertionPointToEnd(to);
    SmallVector<Value> yielded;
    if (from) {
      cloneBlock(from);
      for (unsigned index : kept)
        yielded.push_back(mapping.lookupOrDefault(from->getTerminator()->getOperand(index)));
    }
    for (int index : inside)
      yielded.push_back(counters[index]);
    builder.create<scf::YieldOp>(branch.getLoc(), yielded);
  }
  counters = std::move(before);
  for (auto [position, index] : llvm::enumerate(kept))
    mapping.map(branch.getResult(index), clone.getResult(position));
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = clone.getResult(kept.size() + position);
}

void RoleCloner::cloneLoop(scf::ForOp loop) {
  SmallVector<unsigned> kept = keptResults(loop);
  SmallVector<Value> inits;
  for (unsigned index : kept)
    inits.push_back(mapping.lookupOrDefault(loop.getInitArgs()[index]));
  SmallVector<int> inside = channelsIn(loop);
  for (int index : inside)
    inits.push_back(counters[index]);
  if (isPingPong(loop))
    inits.push_back(constant(loop.getLoc(), 0));

  auto bound = [&](Value value) { return mapping.lookupOrDefault(value); };
  auto clone = builder.create<scf::ForOp>(loop.getLoc(), bound(loop.getLowerBound()), bound(loop.getUpperBound()),
                                          bound(loop.getStep()), inits);
  clone->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  ws::kCarriedAttr.remove(clone);
  ws::kRolesAttr.remove(clone);
  ws::kPingPongAttr.remove(clone);
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  for (auto [position, index] : llvm::enumerate(kept))
    mapping.map(loop.getRegionIterArgs()[index], clone.getRegionIterArgs()[position]);
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = clone.getRegionIterArgs()[kept.size() + position];

  if (inits.empty()) // only a loop that carries nothing is built with its terminator
    clone.getBody()->getTerminator()->erase();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(clone.getBody());
    Value whose = isPingPong(loop) ? clone.getRegionIterArgs().back() : BlockArgument();
    if (whose)
      clonePingPongTile(loop, clone, whose);
    else
      cloneBlock(loop.getBody());
    SmallVector<Value> yielded;
    for (unsigned index : kept)
      yielded.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[index]));
    for (int index : inside)
      yielded.push_back(counters[index]);
    if (whose)
      yielded.push_back(nextPingPongTile(loop.getLoc(), whose));
    builder.create<scf::YieldOp>(loop.getLoc(), yielded);
  }
  for (auto [position, index] : llvm::enumerate(kept))
    mapping.map(loop.getResult(index), clone.getResult(position));
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = clone.getResult(kept.size() + position);
}

/// A new block of a loop: values of the text that this role keeps, then the counters of the rings used in it.
void RoleCloner::enterRegion(Region &region, ValueRange arguments, ArrayRef<unsigned> kept, ArrayRef<int> inside) {
  Location loc = region.getLoc();
  Block *block = builder.createBlock(&region);
  for (unsigned index : kept)
    mapping.map(arguments[index], block->addArgument(arguments[index].getType(), loc));
  for (int index : inside)
    counters[index] = block->addArgument(builder.getI32Type(), loc);
}

/// The values of the text that this role keeps, then the counters.
SmallVector<Value> RoleCloner::leaveRegion(ValueRange values, ArrayRef<unsigned> kept, ArrayRef<int> inside) {
  SmallVector<Value> all;
  for (unsigned index : kept)
    all.push_back(mapping.lookupOrDefault(values[index]));
  for (int index : inside)
    all.push_back(counters[index]);
  return all;
}

/// The condition passes the counters on as they are: no tile is loaded in it.
void RoleCloner::cloneWhile(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  SmallVector<unsigned> passed = keptResults(loop), begun = keptOf(loop, loop.getNumResults(), loop.getNumOperands());
  SmallVector<int> inside = channelsIn(loop);
  SmallVector<Type> types;
  for (unsigned index : passed)
    types.push_back(loop.getResult(index).getType());
  types.append(inside.size(), builder.getI32Type());
  auto clone = builder.create<scf::WhileOp>(loc, types, leaveRegion(loop.getInits(), begun, inside));
  {
    OpBuilder::InsertionGuard guard(builder);
    scf::ConditionOp condition = loop.getConditionOp();
    enterRegion(clone.getBefore(), loop.getBeforeArguments(), begun, inside);
    cloneBlock(loop.getBeforeBody());
    builder.create<scf::ConditionOp>(loc, mapping.lookupOrDefault(condition.getCondition()),
                                     leaveRegion(condition.getArgs(), passed, inside));
    enterRegion(clone.getAfter(), loop.getAfterArguments(), passed, inside);
    cloneBlock(loop.getAfterBody());
    builder.create<scf::YieldOp>(loc, leaveRegion(loop.getYieldOp().getOperands(), begun, inside));
  }
  for (auto [position, index] : llvm::enumerate(passed))
    mapping.map(loop.getResult(index), clone.getResult(position));
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = clone.getResult(passed.size() + position);
}

void RoleCloner::cloneBlock(Block *block) {
  for (Operation &op : *block) {
    if (&op == pingPongBegins)
      builder.create<ws::PingPongWaitOp>(op.getLoc(), group.index, notFirst);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (runs(&op))
        cloneLoop(loop);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (runs(&op))
        cloneWhile(loop);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (runs(&op))
        cloneBranch(branch);
    } else if (ws::kChannelAttr.on(&op)) {
      cloneLoad(&op);
    } else if (runs(&op) && !cloneDescriptor(&op)) {
      ws::kRolesAttr.remove(builder.clone(op, mapping));
    }
    // A slot is released in the block of its get; deeper uses are inside `op`.
    for (int index : releasedAfter.lookup(&op))
      builder.create<ws::ConsumedOp>(op.getLoc(), channels[index].aref, borrowed[index], Value());
    if (&op == pingPongEnds)
      builder.create<ws::PingPongPassOp>(op.getLoc(), (group.index + 1) % group.count, notLast);
  }
}

} // namespace tawa
