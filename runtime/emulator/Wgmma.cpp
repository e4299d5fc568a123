// wgmma.mma_async, its fence, commit and wait, and the accumulators of a warp group (PTX ISA, "Asynchronous Warpgroup
// Level Matrix Instructions").
#include "runtime/emulator/Wgmma.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tawa::emu {

void GroupDeposit::clear() {
  threads = 0;
  std::fill(std::begin(ofWarp), std::end(ofWarp), 0u);
  registersA.clear();
  commitGroup = 0;
  warps = 0;
  computed = false;
}

void WarpGroup::reset() {
  deposits.reset();
  while (!products.empty()) {
    deposits.recycle(std::move(products.front()));
    products.pop_front();
  }
  groupTicks.clear();
  waiters = {};
  commits = 0;
  tick = 0;
  for (auto &accumulator : accumulators)
    accumulator->inUse = false;
}

/// The cost of one thread's share of a wgmma in loop iterations, by the time of both: an endless loop of products must
/// not run for minutes before the budget ends it.
static constexpr uint64_t kProductWork = 8;

GroupDeposit &depositInGroup(Thread &self, GroupDeposit::Kind kind, uint64_t operand, const WgmmaCall *call) {
  Cluster &cluster = *self.cta->cluster;
  WarpGroup &group = *self.group;
  if (!group.complete)
    cluster.fail(self, "an instruction of a whole warp group in one of less than %u threads", kGroupThreads);
  GroupDeposit &entry = group.deposits.at(self.groupDeposits++);
  if (entry.threads == 0) {
    entry.kind = kind;
    entry.operand = operand;
    if (call)
      entry.call = *call;
  } else if (entry.kind != kind || entry.operand != operand || (call && entry.call != *call)) {
    cluster.fail(self, "the threads of warp group %u disagree: %s", group.number,
                 entry.kind != kind ? "they are at different instructions" : "operands of one instruction differ");
  }
  ++entry.threads;
  if (call)
    self.cta->work += kProductWork;
  if (++entry.ofWarp[self.warpId % 4] == kWarpThreads && call && cluster.detecting()) {
    if (entry.warps++ == 0)
      entry.knows = self.warp->knows;
    else
      entry.knows.meet(self.warp->knows);
    self.warp->noteRelease();
  }
  return entry;
}

namespace {

// --- accumulators ----------------------------------------------------------------------------------------------------

Accumulator &takeAccumulator(WarpGroup &group, uint32_t registers) {
  auto isFree = [](const auto &accumulator) { return !accumulator->inUse; };
  auto it = std::find_if(group.accumulators.begin(), group.accumulators.end(), isFree);
  if (it == group.accumulators.end())
    it = group.accumulators.insert(it, std::make_unique<Accumulator>());
  (*it)->start(registers);
  return **it;
}

Accumulator &useAccumulator(Thread &self, void *handle, const char *what) {
  for (auto &accumulator : self.group->accumulators)
    if (accumulator.get() == handle && accumulator->inUse)
      return *accumulator;
  self.cta->cluster->fail(self, "%s: %p is not an accumulator of warp group %u", what, handle, self.group->number);
}

/// Registers in flight belong to wgmma: touching them is what ptxas answers with a serialized pipeline.
Accumulator &useReadable(Thread &self, void *handle, const char *what) {
  Accumulator &accumulator = useAccumulator(self, handle, what);
  if (accumulator.products)
    self.cta->cluster->fail(self, "%s an accumulator while %u wgmma on it are not yet covered by a wgmma.wait_group",
                            what, accumulator.products);
  return accumulator;
}

// --- products --------------------------------------------------------------------------------------------------------

bool isFp8(ElementType type) { return type == ElementType::F8E4M3 || type == ElementType::F8E5M2; }

/// Why the shape is no wgmma instruction, or null.
const char *refuseShape(const WgmmaShape &shape, uint32_t flags, bool fromRegisters) {
  if (shape.n < 8 || shape.n > kWgmmaMaxColumns || shape.n % 8)
    return "n must be a multiple of 8 from 8 to 256";
  ElementType a = shape.a, b = shape.b, d = shape.d;
  if (isFp8(a) ? !isFp8(b) : a != b)
    return "element types of A and B do not go together";
  bool wide = d == ElementType::F32;
  switch (a) {
  case ElementType::F16:
  case ElementType::F8E4M3:
  case ElementType::F8E5M2:
    if (!wide && d != ElementType::F16)
      return "D must be f32 or f16";
    break;
  case ElementType::BF16:
  case ElementType::F32:
    if (!wide)
      return "D must be f32";
    break;
  case ElementType::I8:
    if (d != ElementType::I32)
      return "D must be i32";
    if (shape.n > 24 && shape.n % 16)
      return "n above 24 must be a multiple of 16 for i8";
    if (flags & 12)
      return "i8 operands cannot be negated";
    break;
  default:
    return "operands must be f16, bf16, f32 (as tf32), f8 or i8";
  }
  bool transposes = shape.transposeB || (shape.transposeA && !fromRegisters);
  if (transposes && elementBytes(a) != 2)
    return "only 16-bit operands may be MN-major";
  return nullptr;
}

/// Offsets of an operand's 16-byte chunks in shared memory, in the order multiplyTile wants their bytes; at most 512.
struct Chunks {
  uint32_t count = 0;
  uint32_t offsets[kWgmmaMaxColumns * 2];
};

void listChunks(uint64_t bits, bool transposed, uint32_t rows, Chunks &chunks) {
  MatrixDescriptor descriptor = MatrixDescriptor::decode(bits);
  chunks.count = 0;
  if (transposed) {
    for (uint32_t k = 0; k < 16; ++k)
      for (uint32_t chunk = 0; chunk < rows / 8; ++chunk)
        chunks.offsets[chunks.count++] = descriptor.chunkMNMajor(chunk, k) - kSharedBase;
    return;
  }
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t chunk = 0; chunk < 2; ++chunk)
      chunks.offsets[chunks.count++] = descriptor.chunkKMajor(row, chunk) - kSharedBase;
}

/// Checks that every chunk is in shared memory and records that wgmma reads it.
void checkOperand(Thread &self, const GroupDeposit &entry, uint64_t bits, bool transposed, uint32_t rows,
                  const char *name) {
  Cluster &cluster = *self.cta->cluster;
  Cta &cta = *self.cta;
  char what[64];
  snprintf(what, sizeof what, "wgmma of warp group %u, operand %s,", self.group->number, name);
  if (MatrixDescriptor::decode(bits).baseOffset)
    cluster.fail(self, "%s descriptor 0x%016llx has a base offset; start its tile at a multiple of 1024 instead", what,
                 static_cast<unsigned long long>(bits));
  Chunks chunks;
  listChunks(bits, transposed, rows, chunks);
  for (uint32_t i = 0; i < chunks.count; ++i)
    if (chunks.offsets[i] >= cta.sharedBytes || cta.sharedBytes - chunks.offsets[i] < 16)
      cluster.fail(self,
                   "%s descriptor 0x%016llx reaches shared address 0x%x, which is out of bounds; the CTA has %u "
                   "bytes at 0x%x",
                   what, static_cast<unsigned long long>(bits), chunks.offsets[i] + kSharedBase, cta.sharedBytes,
                   kSharedBase);
  ShadowMemory::Access access{{self.group->tick, self.group->agent, Epoch::Quarters}, &entry.knows, false, true};
  cluster.recordReads(self, cta, {chunks.offsets, chunks.count}, access, what);
}

void gather(const Cta &cta, uint64_t bits, bool transposed, uint32_t rows, uint8_t *out) {
  Chunks chunks;
  listChunks(bits, transposed, rows, chunks);
  for (uint32_t i = 0; i < chunks.count; ++i)
    memcpy(out + i * 16, cta.shared + chunks.offsets[i], 16);
}

/// A's fragments, four registers a thread, to rows of 32 bytes: register r holds the four bytes at byte 4(l%4) of the
/// 16-byte half r/2 of row 16w + l/4 + 8(r%2), whatever the element type.
void gatherRegisters(const std::vector<uint32_t> &registers, uint8_t *out) {
  for (uint32_t thread = 0; thread < kGroupThreads; ++thread) {
    for (uint32_t r = 0; r < 4; ++r) {
      uint32_t row = thread / 32 * 16 + thread % 32 / 4 + r % 2 * 8, byte = r / 2 * 16 + thread % 4 * 4;
      memcpy(out + row * kWgmmaKBytes + byte, &registers[thread * 4 + r], 4);
    }
  }
}

void compute(const Cta &cta, GroupDeposit &entry) {
  WgmmaScratch &scratch = cta.cluster->wgmmaScratch;
  const WgmmaShape &shape = entry.shape;
  if (entry.call.fromRegisters)
    gatherRegisters(entry.registersA, scratch.rawA);
  else
    gather(cta, entry.call.descriptorA, shape.transposeA, kWgmmaRows, scratch.rawA);
  gather(cta, entry.call.descriptorB, shape.transposeB, shape.n, scratch.rawB);
  multiplyTile(shape, scratch, entry.accumulator->matrix(shape.d, shape.n, shape.accumulate));
  entry.computed = true;
}

/// All 128 threads have come: from here on the product is in flight.
void issue(Thread &self) {
  Cluster &cluster = *self.cta->cluster;
  WarpGroup &group = *self.group;
  group.products.push_back(group.deposits.takeFront());
  GroupDeposit &entry = *group.products.back();
  const WgmmaCall &call = entry.call;
  ++group.tick;
  entry.commitGroup = group.commits;
  if (!call.fromRegisters)
    checkOperand(self, entry, call.descriptorA, entry.shape.transposeA, kWgmmaRows, "A");
  checkOperand(self, entry, call.descriptorB, entry.shape.transposeB, call.n, "B");
  ++entry.accumulator->products;
  ++cluster.stats.wgmmaInstructions;
  if (!cluster.schedule().deferWgmma)
    compute(*self.cta, entry);
}

/// The first thread's call stands for all: checks it and makes the entry's shape of it.
void decodeCall(Thread &self, GroupDeposit &entry) {
  Cluster &cluster = *self.cta->cluster;
  const WgmmaCall &call = entry.call;
  auto type = [&](unsigned shift) { return static_cast<ElementType>(call.types >> shift & 0xff); };
  entry.shape.a = type(0);
  entry.shape.b = type(8);
  entry.shape.d = type(16);
  entry.shape.n = call.n;
  entry.shape.transposeA = !call.fromRegisters && (call.flags & 1);
  entry.shape.transposeB = call.flags & 2;
  entry.shape.negate = (call.flags >> 2 & 1) != (call.flags >> 3 & 1);
  entry.shape.accumulate = call.scaleD != 0;
  if (const char *reason = refuseShape(entry.shape, call.flags, call.fromRegisters))
    cluster.fail(self, "wgmma m64n%u, types 0x%06x: %s", call.n, call.types, reason);
  entry.accumulator = &useAccumulator(self, call.accumulator, "wgmma");
  uint32_t needed = entry.shape.d == ElementType::F16 ? call.n / 4 : call.n / 2, has = entry.accumulator->registers();
  if (has != needed && has != call.n / 2)
    cluster.fail(self, "wgmma m64n%u needs an accumulator of %u registers; this one has %u", call.n, needed, has);
}

GroupDeposit &depositProduct(Thread &self, const WgmmaCall &call) {
  if (!self.fencedWgmma)
    self.cta->cluster->fail(self, "wgmma without a wgmma.fence before the first one");
  GroupDeposit &entry = depositInGroup(self, GroupDeposit::Kind::Product, 0, &call);
  if (entry.threads == 1)
    decodeCall(self, entry);
  return entry;
}

// --- wait ------------------------------------------------------------------------------------------------------------

/// Finishes all but the last `pendings` committed groups.
void retire(WarpGroup &group, uint64_t pendings) {
  Cta &cta = *group.cta;
  if (pendings >= group.groupTicks.size())
    return;
  size_t finished = group.groupTicks.size() - pendings;
  uint64_t open = group.commits - pendings; // groups below this number
  while (!group.products.empty() && group.products.front()->commitGroup < open) {
    GroupDeposit &entry = *group.products.front();
    if (!entry.computed)
      compute(cta, entry);
    --entry.accumulator->products;
    group.deposits.recycle(std::move(group.products.front()));
    group.products.pop_front();
  }
  uint32_t tick = group.groupTicks[finished - 1];
  group.groupTicks.erase(group.groupTicks.begin(), group.groupTicks.begin() + static_cast<std::ptrdiff_t>(finished));
  if (!cta.cluster->detecting())
    return;
  for (uint32_t w = 0; w < 4; ++w) { // each warp learns of its own quarter only
    Warp &warp = cta.warps[group.number * 4 + w];
    warp.knows.raise(static_cast<AgentId>(group.agent + w), tick);
    ++warp.version;
  }
}

} // namespace

namespace abi {

extern "C" p tawa_emu_acc_new(p thread, i n) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  if (n < 4 || n > kWgmmaMaxColumns || n % 4)
    cluster.fail(caller, "accumulator of n = %u", n);
  GroupDeposit &entry = depositInGroup(caller, GroupDeposit::Kind::AccNew, n, nullptr);
  if (entry.threads == 1)
    entry.accumulator = &takeAccumulator(*caller.group, n / 2);
  Accumulator *accumulator = entry.accumulator;
  if (entry.threads == kGroupThreads)
    caller.group->deposits.popFront();
  return accumulator;
}

extern "C" v tawa_emu_acc_write(p thread, p accumulator, p registers) {
  Thread &caller = self(thread);
  useReadable(caller, accumulator, "writing")
      .write(caller.tid[0] % kGroupThreads, static_cast<const uint32_t *>(registers));
}

extern "C" v tawa_emu_acc_read(p thread, p accumulator, p registers) {
  Thread &caller = self(thread);
  useReadable(caller, accumulator, "reading").read(caller.tid[0] % kGroupThreads, static_cast<uint32_t *>(registers));
}

extern "C" v tawa_emu_acc_free(p thread, p handle) {
  Accumulator &accumulator = useReadable(self(thread), handle, "freeing");
  if (++accumulator.frees == kGroupThreads)
    accumulator.inUse = false;
}

extern "C" v tawa_emu_wgmma_fence(p thread) { self(thread).fencedWgmma = true; }

extern "C" v tawa_emu_wgmma(p thread, p accumulator, l descriptorA, l descriptorB, i scaleD, i n, i types, i flags) {
  Thread &caller = self(thread);
  WgmmaCall call{accumulator, descriptorA, descriptorB, scaleD, n, types, flags, false};
  if (depositProduct(caller, call).threads == kGroupThreads)
    issue(caller);
}

extern "C" v tawa_emu_wgmma_rs(p thread, p accumulator, i a0, i a1, i a2, i a3, l descriptorB, i scaleD, i n, i types,
                               i flags) {
  Thread &caller = self(thread);
  WgmmaCall call{accumulator, 0, descriptorB, scaleD, n, types, flags, true};
  GroupDeposit &entry = depositProduct(caller, call);
  entry.registersA.resize(kGroupThreads * 4);
  uint32_t *own = &entry.registersA[caller.tid[0] % kGroupThreads * 4];
  own[0] = a0;
  own[1] = a1;
  own[2] = a2;
  own[3] = a3;
  if (entry.threads == kGroupThreads)
    issue(caller);
}

extern "C" v tawa_emu_wgmma_commit(p thread) {
  Thread &caller = self(thread);
  WarpGroup &group = *caller.group;
  if (depositInGroup(caller, GroupDeposit::Kind::Commit, 0, nullptr).threads < kGroupThreads)
    return;
  group.groupTicks.push_back(group.tick);
  ++group.commits;
  group.deposits.popFront();
}

extern "C" v tawa_emu_wgmma_wait(p thread, i pendings) {
  Thread &caller = self(thread);
  WarpGroup &group = *caller.group;
  Scheduler &scheduler = caller.cta->cluster->scheduler;
  if (depositInGroup(caller, GroupDeposit::Kind::Wait, pendings, nullptr).threads < kGroupThreads) {
    group.waiters.push(caller);
    scheduler.block(caller, {Wait::Kind::Wgmma, pendings, 0});
    return;
  }
  group.deposits.popFront();
  retire(group, pendings);
  scheduler.wakeAll(group.waiters);
}

} // namespace abi
} // namespace tawa::emu
