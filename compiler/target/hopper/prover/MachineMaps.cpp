// Finds the tensor maps that a kernel writes, and the size of their boxes. MachineRecords.cpp reads the records;
// MachineMapOrder.cpp checks the order of writes and copies.
#include "compiler/target/hopper/prover/MachineMaps.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/roles/prover/RoleProgram.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"
#include "compiler/target/hopper/prover/MachineAccesses.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa::verify {

static constexpr int64_t kMapAlignment = 64;      // PTX ISA, tensor maps
static constexpr int64_t kStagingAlignment = 128; // in shared memory (PTX ISA, tensormap.replace)

//===--- Where maps are -------------------------------------------------------------------------------------------===//

/// a * b + c.
static std::optional<std::array<Value, 3>> readProductAndSum(Value value) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  auto product = sum ? sum.getLhs().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  if (!product)
    return std::nullopt;
  return std::array{product.getLhs(), product.getRhs(), sum.getRhs()};
}

static bool isRegister(Value value, sm90::SpecialRegister which) {
  auto read = value.getDefiningOp<sm90::SpecialRegisterOp>();
  return read && read.getWhich() == which;
}

/// (z * ny + y) * nx + x: different in all CTAs of a launch.
static bool numbersCtas(Value value) {
  using Register = sm90::SpecialRegister;
  auto last = readProductAndSum(value);
  auto first = last ? readProductAndSum((*last)[0]) : std::nullopt;
  return first && isRegister((*first)[0], Register::CtaidZ) && isRegister((*first)[1], Register::NctaidY) &&
         isRegister((*first)[2], Register::CtaidY) && isRegister((*last)[1], Register::NctaidX) &&
         isRegister((*last)[2], Register::CtaidX);
}

/// How many bytes the launch gives each CTA.
static int64_t scratchBytes(func::FuncOp func) { return sm90::kScratchBytesAttr.get(func).value_or(0); }

/// Base of the launch's scratch memory + number of the CTA * bytes per CTA.
static bool isScratchOfCta(func::FuncOp kernel, LLVM::GEPOp address) {
  auto argument = dyn_cast<BlockArgument>(address.getBase());
  bool isParameter = argument && argument.getOwner() == &kernel.getBody().front();
  auto role = isParameter ? parameterRole(kernel, argument.getArgNumber()) : std::nullopt;
  if (!role || role->part != ParameterRole::Part::Scratch || address.getDynamicIndices().size() != 1)
    return false;
  auto offset = address.getDynamicIndices()[0].getDefiningOp<arith::MulIOp>();
  auto number = offset ? offset.getLhs().getDefiningOp<arith::ExtUIOp>() : arith::ExtUIOp();
  return number && numbersCtas(number.getIn()) && constantValue(offset.getRhs()) == scratchBytes(kernel);
}

std::optional<int64_t> scratchPlaceOf(func::FuncOp kernel, Value address) {
  int64_t place = 0;
  auto at = address.getDefiningOp<LLVM::GEPOp>();
  for (; at && at.getElemType().isInteger(8) && at.getDynamicIndices().empty();
       at = at.getBase().getDefiningOp<LLVM::GEPOp>())
    place += at.getRawConstantIndices()[0];
  bool isKnown = at && at.getElemType().isInteger(8) && isScratchOfCta(kernel, at);
  return isKnown ? std::optional(place) : std::nullopt;
}

/// Maps are disjoint and lie within this CTA's scratch memory.
void MachineMaps::readPlaces() {
  int64_t end = 0;
  for (auto [place, number] : numbers) {
    Operation *write = found[number].write;
    if (place < end || place + kMapBytes > scratchBytes(kernel.func))
      return fail(write, "this tensor map overlaps another one, or memory of another CTA's");
    if (place % kMapAlignment != 0)
      return fail(write, "a tensor map has to be aligned to 64 bytes");
    end = place + kMapBytes;
  }
}

//===--- What is written ------------------------------------------------------------------------------------------===//

std::optional<unsigned> MachineMaps::numberOf(Value map) const {
  auto at = map.getDefiningOp<sm90::TensormapAtOp>();
  auto place = at ? scratchPlaceOf(kernel.func, at.getAddress()) : std::nullopt;
  auto number = place ? numbers.find(*place) : numbers.end();
  return number == numbers.end() ? std::nullopt : std::optional(number->second);
}

static int64_t bytesOf(Type element, ArrayRef<uint32_t> box) {
  int64_t bytes = sm90::elementBits(element) / 8;
  for (uint32_t extent : box)
    bytes *= extent;
  return bytes;
}

sm90::TensorMapAttr MachineMaps::parameterOf(Value map) const {
  auto argument = dyn_cast<BlockArgument>(map);
  return argument ? sm90::kTensorMapAttr.get(kernel.func, argument.getArgNumber()) : sm90::TensorMapAttr();
}

int64_t MachineMaps::boxBytes(Value map) const {
  if (auto number = numberOf(map)) {
    sm90::TensormapWriteOp write = found[*number].write;
    return bytesOf(write.getElement(), SmallVector<uint32_t, 5>(write.getBox().begin(), write.getBox().end()));
  }
  sm90::TensorMapAttr recipe = parameterOf(map);
  return recipe ? bytesOf(recipe.getElement(), recipe.getBox()) : 0;
}

void MachineMaps::readWrite(MachineRole &role, sm90::TensormapWriteOp write) {
  auto at = write.getMap().getDefiningOp<sm90::TensormapAtOp>();
  auto place = at ? scratchPlaceOf(kernel.func, at.getAddress()) : std::nullopt;
  if (!place)
    return fail(write, "the address of this tensor map is not known");
  if (!numbers.try_emplace(*place, found.size()).second)
    return fail(write, "this tensor map is written at two places");
  Place staging = role.places.of(write.getStaging());
  if (!staging.isOneByte() || staging.number || staging.low % kStagingAlignment != 0)
    return fail(write, "the shared memory in which this tensor map is assembled is not known");
  found.push_back({*place, write, &role, {staging.low, staging.low + kMapBytes}, recordOf(kernel, role, write)});
}

/// Only the role that writes a map copies through it.
void MachineMaps::readUses(MachineRole &role) {
  role.body->walk([&](sm90::TensormapAtOp at) {
    for (Operation *user : at->getUsers()) {
      auto number = numberOf(at);
      MachineRole *its = number ? found[*number].role : nullptr;
      if (!its)
        return fail(user, "no role writes this tensor map");
      if (!its->body->findAncestorOpInBlock(*user))
        return fail(user, "another role writes this tensor map");
    }
  });
}

/// Shared memory where maps are assembled, and records; maps of one description share it.
void MachineMaps::readMemory() {
  ByteIntervals all;
  llvm::SmallPtrSet<Operation *, 4> guards;
  for (const WrittenMap &map : found) {
    if (map.record.guard && !guards.insert(map.record.guard).second)
      continue;
    all.push_back(map.staging);
    all.append(map.record.bytes);
  }
  llvm::sort(all);
  for (size_t index = 1; index < all.size(); ++index)
    if (meets(all[index - 1], all[index]))
      return fail(nullptr, "two tensor maps or their records are made in the same bytes");
  for (const WrittenMap &map : found)
    all.push_back(map.staging);
  taken = normalize(std::move(all));
}

/// Only the writes of a map and its record store to their memory.
void MachineMaps::checkStores() {
  SharedAddresses everywhere(kernel.threads, 0, kernel.info.threads, kernel.cluster());
  kernel.func.walk([&](Operation *op) {
    bool isOfRecord = llvm::any_of(found, [&](const WrittenMap &map) { return map.record.stores.contains(op); });
    if (finding || isOfRecord || !isa<sm90::StoreSharedOp, sm90::StmatrixOp>(op))
      return;
    auto role = llvm::find_if(kernel.roles, [&](MachineRole &role) { return role.body->findAncestorOpInBlock(*op); });
    Place place = (role == kernel.roles.end() ? everywhere : role->places).of(op->getOperand(0));
    Range touched{place.low, place.high + place.stride * (place.depth - 1) + accessBytes(op)};
    if (meets(ByteIntervals{touched}, taken))
      fail(op, "this writes to the memory of a tensor map or its record");
  });
}

std::optional<RoleFinding> MachineMaps::read() {
  for (MachineRole &role : kernel.roles)
    role.body->walk([&](sm90::TensormapWriteOp write) { readWrite(role, write); });
  if (finding)
    return finding; // `numbers` may name a map that is not among `found`
  for (MachineRole &role : kernel.roles)
    readUses(role);
  readPlaces();
  readMemory();
  if (!finding && !found.empty())
    checkStores();
  return finding;
}

} // namespace tawa::verify
