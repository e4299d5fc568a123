// A ring whose slot is one word has one store that fills it; loads of its slots read what that stored under the same
// number.
#include "compiler/target/hopper/prover/MachineNumbers.h"

#include "compiler/target/hopper/prover/MachineAccesses.h"

using namespace mlir;

namespace tawa::verify {

namespace {

/// Which number of which ring of words an operation accesses; none where that does not follow from a counter.
std::optional<MachineRings::SlotPart> wordAt(MachineRole &role, const MachineRings &rings, Operation *op) {
  constexpr int64_t kWordBytes = 4;
  std::optional<RoleFinding> finding;
  Place place = role.places.of(op->getOperand(0));
  bool isOne = accessBytes(op) == kWordBytes && place.shared && !place.isDescriptor && place.high == place.low;
  auto part = isOne ? rings.partOf(place, kWordBytes, op, finding) : std::nullopt;
  bool holdsWord = part && part->number && rings.rings()[part->ring].filled == ByteIntervals{{0, kWordBytes}};
  return holdsWord ? part : std::nullopt;
}

/// What is stored to the slots of each ring; null where several values are.
using Origins = std::map<unsigned, Value>;

void noteStore(MachineRole &role, const MachineRings &rings, sm90::StoreSharedOp store, Origins &origins,
               Identities &identities) {
  auto part = rings.isOfPut(store) ? wordAt(role, rings, store) : std::nullopt;
  if (!part)
    return;
  Value word = store.getValues().front();
  auto [origin, isOnly] = origins.try_emplace(part->ring, word);
  if (!isOnly || word.getParentBlock() != store->getBlock()) // one value may be put under several numbers
    origin->second = Value();
  else
    identities.handOn(word, word, part->number);
}

} // namespace

void handOnNumbers(MachineKernel &kernel, const MachineRings &rings, Identities &identities) {
  Origins origins;
  for (MachineRole &role : kernel.roles)
    role.body->walk([&](sm90::StoreSharedOp store) { noteStore(role, rings, store, origins, identities); });
  for (MachineRole &role : kernel.roles)
    role.body->walk([&](sm90::LoadSharedOp load) {
      auto part = origins.empty() ? std::nullopt : wordAt(role, rings, load);
      if (Value origin = part ? origins[part->ring] : Value())
        identities.handOn(load.getResult(0), origin, part->number);
    });
}

} // namespace tawa::verify
