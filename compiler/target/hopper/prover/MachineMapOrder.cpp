// Checks, on all paths through a role, how it uses the tensor maps that it writes (MachineMaps.h): one thread writes a
// map while no store through it is in flight, and every thread that copies through it has acquired the last write. That
// no load through it is in flight is checked by the states of the roles (RoleRules.h), because it depends on the number
// of puts.
#include "compiler/target/hopper/prover/MachineFlow.h"
#include "compiler/target/hopper/prover/MachineMaps.h"
#include "runtime/artifact/PtxShapes.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tawa::verify {

namespace {

using Threads = std::vector<unsigned>; // sorted

struct MapStatus {
  static constexpr uint8_t kMostGroups = 8; // further back than any wait distinguishes
  bool maybeMissing = true;                 // possibly never written
  Level written = Level::Role;              // which threads know that the last write is over
  Threads acquired;                         // threads that may copy through the last write
  // Stores through the map
  Threads storing;          // threads that started them; empty: none in flight
  uint8_t age = 0;          // commits since the last one, its own included
  Level over = Level::Role; // which threads know that all are over

  bool operator==(const MapStatus &) const = default;
  void join(const MapStatus &other);
};

void MapStatus::join(const MapStatus &other) {
  Threads both, either;
  std::ranges::set_intersection(acquired, other.acquired, std::back_inserter(both));
  std::ranges::set_union(storing, other.storing, std::back_inserter(either));
  maybeMissing |= other.maybeMissing;
  written = std::min(written, other.written);
  if (over != Level::NoRole)
    age = other.age;
  else if (other.over == Level::NoRole)
    age = std::min(age, other.age);
  over = std::min(over, other.over);
  acquired = std::move(both);
  storing = std::move(either);
}

using Statuses = std::vector<MapStatus>; // by number of the map

class MapCheck : public MachineFlow<Statuses> {
public:
  MapCheck(MachineKernel &kernel, MachineRole &role, const MachineMaps &maps)
      : kernel(kernel), role(role), maps(maps) {}

  std::optional<RoleFinding> run() {
    Statuses statuses(maps.maps().size());
    for (MapStatus &status : statuses)
      for (unsigned thread = role.first; thread < role.first + role.threads; ++thread)
        status.acquired.push_back(thread); // nothing was written that they would not know of
    runBlock(*role.body, statuses);
    return finding;
  }

private:
  void execute(Operation &op, Statuses &statuses) override;
  bool join(Statuses &statuses, const Statuses &other) override;
  bool happens(scf::IfOp branch) override { return kernel.choosesThreads(role, branch.getCondition()); }
  void passBy(scf::IfOp branch, Statuses &statuses) override;
  void write(sm90::TensormapWriteOp op, Statuses &statuses);
  void acquire(sm90::TensormapAcquireOp op, Statuses &statuses);
  void copy(Operation *op, Value map, bool isStore, Statuses &statuses);
  void commit(const Threads &threads, Statuses &statuses);
  void wait(unsigned pendings, Statuses &statuses);
  Threads threadsOf(Operation *op) { return kernel.performersOf(role, op).threads; }
  bool isByAll(Operation *op) { return threadsOf(op).size() == role.threads; }

  MachineKernel &kernel;
  MachineRole &role;
  const MachineMaps &maps;
};

bool MapCheck::join(Statuses &statuses, const Statuses &other) {
  Statuses before = statuses;
  for (auto [status, more] : llvm::zip(statuses, other))
    status.join(more);
  return statuses != before;
}

/// The description equals the recorded one, so its map has been written.
void MapCheck::passBy(scf::IfOp branch, Statuses &statuses) {
  for (auto [map, status] : llvm::zip(maps.maps(), statuses))
    status.maybeMissing &= map.record.guard != branch;
}

void MapCheck::write(sm90::TensormapWriteOp op, Statuses &statuses) {
  MapStatus &status = statuses[*maps.numberOf(op.getMap())];
  Threads writer = threadsOf(op);
  if (writer.size() != 1)
    return fail(op, "not exactly one thread writes this tensor map");
  bool areOwn = status.storing == writer && status.over != Level::NoRole;
  if (status.over != Level::Role && !areOwn)
    return fail(op, "this tensor map is written while a store through it may be in flight");
  status = {};
  status.maybeMissing = false;
  status.written = Level::Thread;
}

/// Each thread that knows the map to be written acquires it for itself.
void MapCheck::acquire(sm90::TensormapAcquireOp op, Statuses &statuses) {
  auto number = maps.numberOf(op.getMap());
  MapStatus &status = statuses[*number];
  Threads writer = threadsOf(maps.maps()[*number].write);
  Threads knowing;
  for (unsigned thread : threadsOf(op))
    if (status.written == Level::Role || thread == writer.front() ||
        (status.written == Level::Warp && thread / kLanes == writer.front() / kLanes))
      knowing.push_back(thread);
  Threads all;
  std::ranges::set_union(knowing, status.acquired, std::back_inserter(all));
  status.acquired = std::move(all);
}

void MapCheck::copy(Operation *op, Value map, bool isStore, Statuses &statuses) {
  auto number = maps.numberOf(map);
  Threads threads = threadsOf(op);
  if (!number || threads.empty())
    return;
  MapStatus &status = statuses[*number];
  if (status.maybeMissing)
    return fail(op, "the tensor map of this copy may not have been written");
  if (!std::ranges::includes(status.acquired, threads))
    return fail(op, "no fence makes the last write of its tensor map visible to this copy");
  if (!isStore)
    return;
  bool isFirst = status.over != Level::NoRole;
  if (!isFirst && status.storing != threads)
    return fail(op, "threads store through this tensor map before the stores of others are over");
  status.storing = std::move(threads);
  status.age = 0;
  status.over = Level::NoRole;
}

void MapCheck::commit(const Threads &threads, Statuses &statuses) {
  for (MapStatus &status : statuses)
    if (status.over == Level::NoRole && (status.storing == threads || status.age != 0))
      status.age = std::min<uint8_t>(status.age + 1, MapStatus::kMostGroups);
}

void MapCheck::wait(unsigned pendings, Statuses &statuses) {
  for (MapStatus &status : statuses)
    if (status.over == Level::NoRole && status.age > pendings)
      status.over = Level::Thread;
}

static void raise(Statuses &statuses, Level level) {
  for (MapStatus &status : statuses) {
    status.written = std::max(status.written, level);
    if (status.over != Level::NoRole)
      status.over = std::max(status.over, level);
  }
}

void MapCheck::execute(Operation &op, Statuses &statuses) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case<sm90::TensormapWriteOp>([&](auto op) { write(op, statuses); })
      .Case<sm90::TensormapAcquireOp>([&](auto op) { acquire(op, statuses); })
      .Case<sm90::TmaLoadOp>([&](auto load) { copy(load, load.getMap(), /*isStore=*/false, statuses); })
      .Case<sm90::TmaStoreOp>([&](auto store) { copy(store, store.getMap(), /*isStore=*/true, statuses); })
      .Case<sm90::BulkCommitOp>([&](auto op) { commit(threadsOf(op), statuses); })
      .Case<sm90::BulkWaitOp>([&](auto op) {
        if (!op.getRead() && isByAll(op)) // `read` does not cover the map
          wait(op.getPendings(), statuses);
      })
      .Case<sm90::WarpSyncOp>([&](auto op) {
        if (isByAll(op))
          raise(statuses, Level::Warp);
      })
      .Case<sm90::BarrierSyncOp>([&](auto op) {
        if (meetsIn(op, role))
          raise(statuses, Level::Role);
      });
}

} // namespace

std::optional<RoleFinding> checkMaps(MachineKernel &kernel, MachineRole &role, const MachineMaps &maps) {
  bool hasAny = llvm::any_of(maps.maps(), [&](const WrittenMap &map) { return map.role == &role; });
  return hasAny ? MapCheck(kernel, role, maps).run() : std::nullopt;
}

} // namespace tawa::verify
