// cp.async.bulk.tensor in tiled mode, both directions, and its bulk groups (PTX ISA, "Tensors",
// "cp.async.bulk.tensor").
#include "runtime/emulator/Tma.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"
#include "runtime/emulator/TensorMap.h"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace tawa::emu {

namespace {

constexpr uint32_t kChunk = 16;
constexpr uint32_t kMaxRowBytes = 256 * 8; // a box has at most 256 elements per dimension

/// The part of a box that lies inside the tensor, per dimension, counted from the box's corner.
struct Inside {
  uint32_t from[5], to[5];
  bool empty = false;
};

Inside clip(const HostTensorMap &map, const int32_t (&at)[5]) {
  Inside inside;
  for (unsigned d = 0; d < 5; ++d) {
    int64_t box = map.box[d], from = -int64_t(at[d]), to = int64_t(map.dims[d]) - at[d];
    inside.from[d] = static_cast<uint32_t>(std::clamp<int64_t>(from, 0, box));
    inside.to[d] = static_cast<uint32_t>(std::clamp<int64_t>(to, inside.from[d], box));
    inside.empty |= inside.from[d] == inside.to[d];
  }
  return inside;
}

/// The part of a box that a store writes. Rows end at elements for loads, but at multiples of 16 bytes for stores
/// (observed on an H200, perf/LOG.md 2026-11-23; the PTX ISA does not say so).
Inside clipForStore(const HostTensorMap &map, const int32_t (&at)[5]) {
  Inside inside = clip(map, at);
  uint32_t chunk = std::max(kChunk / map.elementSize(), 1u);
  if (!inside.empty)
    inside.to[0] = std::min((inside.to[0] + chunk - 1) / chunk * chunk, map.box[0]);
  return inside;
}

/// Address of an element inside the tensor. Wide enough for strides that exceed the address space.
unsigned __int128 wideAddress(const HostTensorMap &map, const int32_t (&at)[5], const uint32_t (&in)[5]) {
  unsigned __int128 address = map.base;
  for (unsigned d = 0; d < 5; ++d)
    address += static_cast<unsigned __int128>(int64_t(at[d]) + in[d]) * map.strides[d];
  return address;
}

/// Address of a box that has been checked.
uint64_t globalAddress(const HostTensorMap &map, const int32_t (&at)[5], const uint32_t (&in)[5]) {
  uint64_t address = map.base;
  for (unsigned d = 0; d < 5; ++d)
    address += static_cast<uint64_t>(int64_t(at[d]) + in[d]) * map.strides[d];
  return address;
}

/// The values that TMA writes for elements outside the tensor: zeros, or NaNs of the element type.
void fillRow(const HostTensorMap &map, uint8_t *row, uint32_t bytes) {
  if (map.fill == TensorMapRecipe::Fill::Zero) {
    memset(row, 0, bytes);
    return;
  }
  memset(row, 0xff, bytes); // sign bit aside, all ones is a NaN of every floating-point type
  for (uint32_t at = map.elementSize() - 1; at < bytes; at += map.elementSize())
    row[at] = 0x7f;
}

/// Calls visit(row number, is inside, offsets of its first element) for every innermost row of the box, in order.
template <typename Visit> void forEachRow(const HostTensorMap &map, const Inside &inside, Visit visit) {
  uint32_t in[5] = {0, 0, 0, 0, 0}, rows = map.box[1] * map.box[2] * map.box[3] * map.box[4];
  for (uint32_t row = 0; row < rows; ++row) {
    bool present = !inside.empty;
    for (unsigned d = 1; d < 5; ++d)
      present &= in[d] >= inside.from[d] && in[d] < inside.to[d];
    in[0] = inside.from[0];
    visit(row, present, in);
    for (unsigned d = 1; d < 5 && ++in[d] == map.box[d]; ++d)
      in[d] = 0;
  }
}

/// Copies between a row in linear order and its swizzled chunks in shared memory.
template <bool ToShared> void moveRow(const TmaCopy &copy, uint32_t row, uint32_t rowBytes, uint8_t *linear) {
  uint32_t start = copy.offset + row * rowBytes; // the window's base is a multiple of every swizzle period
  for (uint32_t at = 0; at < rowBytes; at += kChunk) {
    uint8_t *chunk = copy.cta->shared + swizzleAddress(start + at, copy.map.swizzle);
    if constexpr (ToShared)
      memcpy(chunk, linear + at, kChunk);
    else
      memcpy(linear + at, chunk, kChunk);
  }
}

void load(const TmaCopy &copy) {
  const HostTensorMap &map = copy.map;
  Inside inside = clip(map, copy.coordinates);
  uint32_t size = map.elementSize(), rowBytes = map.box[0] * size;
  bool whole = inside.from[0] == 0 && inside.to[0] == map.box[0];
  forEachRow(map, inside, [&](uint32_t row, bool present, const uint32_t(&in)[5]) {
    auto *source = reinterpret_cast<uint8_t *>(static_cast<uintptr_t>(globalAddress(map, copy.coordinates, in)));
    if (present && whole) {
      moveRow<true>(copy, row, rowBytes, source);
      return;
    }
    uint8_t linear[kMaxRowBytes];
    fillRow(map, linear, rowBytes);
    if (present)
      memcpy(linear + inside.from[0] * size, source, (inside.to[0] - inside.from[0]) * size);
    moveRow<true>(copy, row, rowBytes, linear);
  });
}

/// Adds f32, each in one step: other CTAs may add to the same at this time.
void addRow(void *target, const uint8_t *row, uint32_t bytes) {
  auto *sums = static_cast<float *>(target);
  for (uint32_t at = 0; at < bytes; at += sizeof(float)) {
    float term;
    memcpy(&term, row + at, sizeof term);
    std::atomic_ref<float>(*sums++).fetch_add(term);
  }
}

void store(const TmaCopy &copy) {
  const HostTensorMap &map = copy.map;
  Inside inside = clipForStore(map, copy.coordinates);
  uint32_t size = map.elementSize(), rowBytes = map.box[0] * size;
  forEachRow(map, inside, [&](uint32_t row, bool present, const uint32_t(&in)[5]) {
    if (!present)
      return;
    uint8_t linear[kMaxRowBytes];
    moveRow<false>(copy, row, rowBytes, linear);
    auto *target = reinterpret_cast<uint8_t *>(static_cast<uintptr_t>(globalAddress(map, copy.coordinates, in)));
    uint32_t bytes = (inside.to[0] - inside.from[0]) * size;
    if (copy.adds)
      addRow(target, linear + inside.from[0] * size, bytes);
    else
      memcpy(target, linear + inside.from[0] * size, bytes);
  });
}

/// Whether the address can hold a tensor map: in the parameters, or in memory given to the kernel.
bool canHoldMap(const Cluster &cluster, uint64_t address) {
  auto params = reinterpret_cast<uintptr_t>(cluster.plan->params);
  bool isParam = address >= params && address - params + sizeof(HostTensorMap) <= cluster.plan->paramBytes;
  return isParam || cluster.plan->memory.find(address, sizeof(HostTensorMap));
}

/// A copy of the map of a kernel parameter (or in global memory), if it is one of ours: the original may change before
/// a copy through it is done.
HostTensorMap useMap(Thread &self, const void *pointer, uint32_t rank, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  auto address = reinterpret_cast<uintptr_t>(pointer);
  if (!canHoldMap(cluster, address))
    cluster.fail(self, "%s: 0x%" PRIxPTR " is neither a kernel parameter nor in global memory", what, address);
  if (address % 64)
    cluster.fail(self, "%s: tensor map at 0x%" PRIxPTR " is not aligned to 64 bytes", what, address);
  HostTensorMap map;
  memcpy(&map, pointer, sizeof map);
  if (!map.isGenuine())
    cluster.fail(self, "%s: the 128 bytes at parameter offset %" PRIdPTR " are not a tensor map of the emulator", what,
                 static_cast<intptr_t>(address - reinterpret_cast<uintptr_t>(cluster.plan->params)));
  if (map.rank != rank)
    cluster.fail(self, "%s of rank %u with a tensor map of rank %u", what, rank, map.rank);
  return map;
}

void checkShared(Thread &self, const HostTensorMap &map, uint32_t address, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  cluster.resolve(self, address, map.boxBytes(), what);
  if (address % 128)
    cluster.fail(self, "%s: shared address 0x%x is not a multiple of 128", what, address);
  uint32_t rowBytes = map.box[0] * map.elementSize();
  if (rowBytes % kChunk || rowBytes > kMaxRowBytes)
    cluster.fail(self, "%s: inner box of %u bytes; legal are multiples of 16 up to 256 elements", what, rowBytes);
}

/// Coordinates for which a GPU stops with an illegal instruction (seen on an H200, perf/LOG.md 2026-11-23).
void checkCoordinates(Thread &self, const HostTensorMap &map, const int32_t (&at)[5], bool write, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  if (int64_t{at[0]} * map.elementSize() % kChunk)
    cluster.fail(self,
                 "%s: innermost coordinate %d, elements of %u bytes, is no multiple of 16 bytes: illegal instruction",
                 what, at[0], map.elementSize());
  for (uint32_t d = 0; write && d < map.rank; ++d)
    if (at[d] < 0)
      cluster.fail(self, "%s: coordinate %u is %d; stores take none below 0: illegal instruction", what,
                   map.rank - 1 - d, at[d]);
}

/// The part inside the tensor must lie in memory the kernel was given.
void checkGlobal(Thread &self, const HostTensorMap &map, const int32_t (&at)[5], bool write, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  Inside inside = write ? clipForStore(map, at) : clip(map, at);
  if (inside.empty)
    return;
  uint32_t last[5];
  for (unsigned d = 0; d < 5; ++d)
    last[d] = inside.to[d] - 1;
  unsigned __int128 end = wideAddress(map, at, last) + map.elementSize();
  if (end > UINT64_MAX)
    cluster.fail(self, "%s: a box of the tensor at 0x%" PRIx64 " leaves the address space", what, map.base);
  uint64_t from = globalAddress(map, at, inside.from), to = static_cast<uint64_t>(end);
  const MemoryRegion *region = cluster.plan->memory.find(from, to - from);
  if (!region)
    cluster.note(self.cta, &self,
                 "%s of box (%d,%d,%d,%d,%d) touches 0x%" PRIx64 " to 0x%" PRIx64 ", which is out of bounds: %s", what,
                 at[0], at[1], at[2], at[3], at[4], from, to,
                 cluster.plan->memory.describeMiss(from, to - from).c_str());
  else if (write && !region->writable)
    cluster.note(self.cta, &self, "%s into '%s', which is read only", what, region->name.c_str());
}

/// Whole rows of the box, as the shadow sees them: swizzling moves chunks only inside 128-byte lines, and a box is
/// recorded line by line anyway, so its extent is enough.
void recordBox(Thread &self, const SharedSpan &span, const HostTensorMap &map, const ShadowMemory::Access &access,
               const char *what) {
  self.cta->cluster->record(self, span, map.boxBytes(), access, what);
}

void loadTo(Thread &self, Cta &target, const void *mapAddress, const HostTensorMap &map, uint32_t destination,
            uint32_t mbarrier, const int32_t (&at)[5]) {
  Cluster &cluster = *self.cta->cluster;
  constexpr const char *what = "TMA load";
  auto inTarget = [&](uint32_t address) {
    return &target == self.cta ? address : (address & 0xffffff) | (target.rank + 1) << kRankShift;
  };
  if (!target.live)
    cluster.fail(self, "%s into CTA rank %u, which has already exited", what, target.rank);
  SharedSpan span = cluster.resolve(self, inTarget(destination), map.boxBytes(), what);
  cluster.refuseBarrierBytes(self, span, map.boxBytes(), what);
  MBarrier &barrier = useBarrier(self, inTarget(mbarrier), what);
  Epoch epoch{++barrier.copies, barrier.agent, 0};
  if (cluster.detecting())
    recordBox(self, span, map, {epoch, &self.warp->knows, true, true}, what);
  TmaCopy &copy = cluster.tma.add();
  copy.mapAddress = mapAddress;
  copy.map = map;
  std::copy(std::begin(at), std::end(at), copy.coordinates);
  copy.cta = &target;
  copy.offset = span.offset;
  copy.mbarrier = &barrier;
  copy.tick = epoch.tick;
  if (cluster.detecting())
    copy.issuer = self.warp->knows;
  ++cluster.stats.tmaLoads;
  cluster.tma.submit(cluster, !cluster.schedule().deferTma);
}

/// Which ranks a load goes to: the mask's, or where the destination address points.
uint32_t destinationRanks(Thread &self, uint32_t destination, uint32_t mbarrier, uint32_t mask) {
  Cluster &cluster = *self.cta->cluster;
  uint32_t size = cluster.plan->clusterSize;
  uint32_t rank = cluster.resolve(self, destination, 1, "TMA load").cta->rank;
  if (cluster.resolve(self, mbarrier, 8, "TMA load").cta->rank != rank)
    cluster.fail(self, "TMA load: destination 0x%x and mbarrier 0x%x are in different CTAs", destination, mbarrier);
  if (mask >> size)
    cluster.fail(self, "TMA load with multicast mask 0x%x in a cluster of %u", mask, size);
  return mask ? mask : 1u << rank;
}

} // namespace

void TmaQueue::reset(uint64_t seed, bool shuffle) {
  waiting.clear();
  random.seed(seed);
  shuffled = shuffle;
}

void TmaQueue::submit(Cluster &cluster, bool now) {
  if (!now)
    return;
  execute(cluster, waiting.back());
  waiting.pop_back();
}

bool TmaQueue::uses(const void *map) const {
  return std::any_of(waiting.begin(), waiting.end(), [map](const TmaCopy &copy) { return copy.mapAddress == map; });
}

void TmaQueue::runOne(Cluster &cluster) {
  if (waiting.empty())
    return;
  size_t which = shuffled ? random() % waiting.size() : 0;
  execute(cluster, waiting[which]);
  waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
}

void TmaQueue::execute(Cluster &cluster, TmaCopy &copy) {
  if (copy.mbarrier) {
    if (copy.mapAddress)
      load(copy);
    else
      memcpy(copy.cta->shared + copy.offset, copy.bytes, copy.count);
    if (cluster.detecting()) {
      GatheredKnowledge &gathered = copy.mbarrier->gathered;
      gathered.join(copy.issuer);
      if (copy.mapAddress)
        gathered.raise(copy.mbarrier->agent, copy.tick);
      else // an ordinary write, as far as TMA and wgmma are concerned
        gathered.seen.raise(copy.mbarrier->agent, copy.tick);
      gathered.lastWarp = nullptr;
    }
    copy.mbarrier->completeTransaction(copy.mapAddress ? copy.map.boxBytes() : copy.count);
    return;
  }
  store(copy);
  --copy.storer->bulk.group(copy.group).pending;
  if (copy.storer->wait.kind == Wait::Kind::Bulk) { // looks at its groups again
    copy.storer->wait = {};
    cluster.scheduler.wake(*copy.storer);
  }
}

/// A lane may store data written by other lanes of its warp only after synchronizing with them: a fence is per lane.
static void refuseUnmetWrites(Thread &self, uint32_t source, uint32_t bytes) {
  for (uint32_t lane = 0; lane < kWarpThreads; ++lane) {
    const Thread &other = self.warp->lanes[lane];
    if (&other != &self && other.wroteFrom < source + bytes && source < other.wroteTo)
      self.cta->cluster->fail(
          self,
          "race on shared memory 0x%x of CTA rank %u: TMA store reads what lane %u of the same warp "
          "wrote, and no barrier of the warp lies between",
          std::max(source, other.wroteFrom), self.cta->rank, lane);
  }
}

namespace abi {

extern "C" v tawa_emu_tma_load(p thread, i destination, p mapPointer, i mbarrier, i rank, i c0, i c1, i c2, i c3, i c4,
                               i multicastMask) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  const HostTensorMap map = useMap(caller, mapPointer, rank, "TMA load");
  checkShared(caller, map, destination, "TMA load");
  const int32_t at[5] = {int32_t(c0), int32_t(c1), int32_t(c2), int32_t(c3), int32_t(c4)};
  checkCoordinates(caller, map, at, false, "TMA load");
  checkGlobal(caller, map, at, false, "TMA load");
  cluster.leaveIfFailed(caller);
  uint32_t ranks = destinationRanks(caller, destination, mbarrier, multicastMask);
  for (uint32_t target = 0; target < cluster.plan->clusterSize; ++target)
    if (ranks >> target & 1)
      loadTo(caller, *cluster.ctas[target], mapPointer, map, destination, mbarrier, at);
  caller.warp->noteRelease();
  cluster.leaveIfFailed(caller);
}

/// A box on its way from shared memory, to be written or added.
static void sendBox(Thread &caller, void *mapPointer, uint32_t source, uint32_t rank, const int32_t (&at)[5],
                    bool adds) {
  Cluster &cluster = *caller.cta->cluster;
  cluster.finishDeposits(caller);
  const HostTensorMap map = useMap(caller, mapPointer, rank, "TMA store");
  if (adds && map.type != ElementType::F32)
    cluster.fail(caller, "TMA addition of another type than f32");
  checkShared(caller, map, source, "TMA store");
  checkCoordinates(caller, map, at, true, "TMA store");
  checkGlobal(caller, map, at, true, "TMA store");
  cluster.leaveIfFailed(caller);
  SharedSpan span = cluster.resolve(caller, source, map.boxBytes(), "TMA store");
  if (span.cta != caller.cta)
    cluster.fail(caller, "TMA store from 0x%x, which is another CTA's shared memory", source);

  if (cluster.detecting())
    refuseUnmetWrites(caller, source, map.boxBytes());
  BulkStores &bulk = caller.bulk;
  if (!bulk.agent) {
    char name[64];
    snprintf(name, sizeof name, "TMA store of warp %u lane %u", caller.warpId, caller.laneId);
    bulk.agent = cluster.agents.add(name);
  }
  if (bulk.groups.empty())
    bulk.groups.emplace_back();
  BulkStores::Group &group = bulk.groups.back();
  ++group.stores;
  ++group.pending;
  group.lastTick = ++bulk.tick;
  if (cluster.detecting())
    recordBox(caller, span, map, {{bulk.tick, bulk.agent, 0}, &caller.warp->knows, false, true}, "TMA store");
  TmaCopy &copy = cluster.tma.add();
  copy.mapAddress = mapPointer;
  copy.map = map;
  std::copy(std::begin(at), std::end(at), copy.coordinates);
  copy.cta = caller.cta;
  copy.offset = span.offset;
  copy.storer = &caller;
  copy.group = bulk.openNumber();
  copy.adds = adds;
  ++cluster.stats.tmaStores;
  caller.warp->noteRelease();
  cluster.tma.submit(cluster, !cluster.schedule().deferTma);
}

extern "C" v tawa_emu_tma_store(p thread, p map, i source, i rank, i c0, i c1, i c2, i c3, i c4) {
  sendBox(self(thread), map, source, rank, {int32_t(c0), int32_t(c1), int32_t(c2), int32_t(c3), int32_t(c4)}, false);
}

extern "C" v tawa_emu_tma_add(p thread, p map, i source, i rank, i c0, i c1, i c2, i c3, i c4) {
  sendBox(self(thread), map, source, rank, {int32_t(c0), int32_t(c1), int32_t(c2), int32_t(c3), int32_t(c4)}, true);
}

extern "C" v tawa_emu_bulk_commit(p thread) {
  BulkStores &bulk = self(thread).bulk;
  if (bulk.groups.empty()) // an empty group: there is nothing to wait for, but it counts
    bulk.groups.emplace_back();
  bulk.groups.emplace_back();
}

extern "C" v tawa_emu_bulk_wait(p thread, i pendings, i read) {
  (void)read; // a copy is done at once or not at all, so its reads and its writes end together
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  BulkStores &bulk = caller.bulk;
  size_t committed = bulk.groups.empty() ? 0 : bulk.groups.size() - 1;
  if (committed <= pendings)
    return;
  size_t finished = committed - pendings;
  auto isPending = [](const BulkStores::Group &group) { return group.pending != 0; };
  while (std::any_of(bulk.groups.begin(), bulk.groups.begin() + static_cast<std::ptrdiff_t>(finished), isPending))
    cluster.scheduler.block(caller, {Wait::Kind::Bulk, pendings, 0});
  for (size_t g = 0; g < finished; ++g)
    if (cluster.detecting() && bulk.groups[g].stores)
      caller.warp->knows.raise(bulk.agent, bulk.groups[g].lastTick);
  ++caller.warp->version;
  bulk.groups.erase(bulk.groups.begin(), bulk.groups.begin() + static_cast<std::ptrdiff_t>(finished));
  bulk.first += finished;
}

/// A kernel's own tensor map is held to the same rules as one of the launch (CUDA driver API, cuTensorMapEncodeTiled).
extern "C" v tawa_emu_tensormap_write(p thread, p map, p fields, i rank, i type, i swizzle, i fill) {
  constexpr const char *what = "tensormap.replace";
  constexpr uint64_t kAligned = 16;
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  auto address = reinterpret_cast<uintptr_t>(map);
  const auto *field = static_cast<const uint64_t *>(fields);
  TensorMapFields described;
  described.type = static_cast<ElementType>(type);
  described.rank = rank;
  described.base = *field++;
  for (uint32_t d = 0; d < rank; ++d)
    described.dims[d] = *field++;
  for (uint32_t d = 1; d < rank; ++d)
    described.strides[d] = *field++;
  for (uint32_t d = 0; d < rank; ++d)
    described.box[d] = static_cast<uint32_t>(*field++);
  described.swizzle = static_cast<TensorMapRecipe::Swizzle>(swizzle);
  described.fill = static_cast<TensorMapRecipe::Fill>(fill);
  if (address % 64 || !cluster.plan->memory.find(address, sizeof(HostTensorMap)))
    cluster.fail(caller, "%s at 0x%" PRIxPTR ", which is not in global memory", what, address);
  if (described.base % kAligned)
    cluster.fail(caller, "%s: address 0x%" PRIx64 " is not a multiple of 16 bytes, as TMA needs", what, described.base);
  for (uint32_t d = 1; d < rank; ++d)
    if (described.strides[d] % kAligned)
      cluster.fail(caller, "%s: stride of %" PRIu64 " bytes is not a multiple of 16, as TMA needs", what,
                   described.strides[d]);
  if (cluster.tma.uses(map))
    cluster.fail(caller, "race on the tensor map at 0x%" PRIxPTR ": %s before all copies that go by it are done",
                 address, what);
  emu::encodeTensorMap(described, map);
}

extern "C" v tawa_emu_tensormap_acquire(p thread, p map) {
  Thread &caller = self(thread);
  auto address = reinterpret_cast<uintptr_t>(map);
  if (!canHoldMap(*caller.cta->cluster, address) || !static_cast<const HostTensorMap *>(map)->isGenuine())
    caller.cta->cluster->fail(caller, "fence.proxy.tensormap of 0x%" PRIxPTR ", where no tensor map is",
                              reinterpret_cast<uintptr_t>(map));
}

extern "C" v tawa_emu_prefetch_tensormap(p thread, p map) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  auto address = reinterpret_cast<uintptr_t>(map), params = reinterpret_cast<uintptr_t>(cluster.plan->params);
  if (address < params || address - params + sizeof(HostTensorMap) > cluster.plan->paramBytes)
    cluster.fail(caller, "prefetch.tensormap of 0x%" PRIxPTR ", which is not a kernel parameter", address);
}

} // namespace abi
} // namespace tawa::emu
