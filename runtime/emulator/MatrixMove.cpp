// stmatrix deposits its operands, ldmatrix synchronizes the warp (PTX ISA, "ldmatrix", "stmatrix").
//
// Matrix m takes its eight row addresses from lanes 8m .. 8m+7. Lane l holds elements 2(l%4), 2(l%4)+1 of row l/4 in
// its m-th register, or of column l/4 when transposed.
#include "runtime/emulator/MatrixMove.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <cstring>

namespace tawa::emu {

namespace {

constexpr uint32_t kRowBytes = 16;

void checkCount(Thread &self, uint32_t count, const char *what) {
  if (count != 1 && count != 2 && count != 4)
    self.cta->cluster->fail(self, "%s of %u matrices; legal are 1, 2 and 4", what, count);
}

SharedSpan resolveRow(Thread &self, uint32_t address, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  SharedSpan span = cluster.resolve(self, address, kRowBytes, what);
  if (address % kRowBytes)
    cluster.fail(self, "%s: row address 0x%x is not a multiple of 16", what, address);
  return span;
}

/// Row `row` of matrix `matrix`, put together from the lanes that hold its parts.
void gatherRow(const MatrixStore &store, uint32_t matrix, uint32_t row, uint16_t (&elements)[8]) {
  for (uint32_t column = 0; column < 8; ++column) {
    uint32_t lane = store.transpose ? column * 4 + row / 2 : row * 4 + column / 2;
    uint32_t half = store.transpose ? row & 1 : column & 1;
    elements[column] = static_cast<uint16_t>(store.registers[lane][matrix] >> (16 * half));
  }
}

void storeMatrices(Thread &self, const MatrixStore &store) {
  Cluster &cluster = *self.cta->cluster;
  for (uint32_t i = 0; i < store.count * 8; ++i) {
    SharedSpan span = resolveRow(self, store.address[i], "stmatrix");
    cluster.refuseBarrierBytes(self, span, kRowBytes, "stmatrix");
    if (cluster.detecting())
      cluster.record(self, span, kRowBytes, {self.warp->access(Epoch::Generic), &self.warp->knows, true, false},
                     "stmatrix");
    uint16_t elements[8];
    gatherRow(store, i / 8, i % 8, elements);
    memcpy(span.data(), elements, kRowBytes);
  }
}

} // namespace

void Cluster::finishDeposits(Thread &self) {
  Warp &warp = *self.warp;
  while (warp.stores.done() < self.warpDeposits) {
    warp.storeWaiters.push(self);
    scheduler.block(self, {Wait::Kind::Deposits, 0, 0});
  }
}

namespace abi {

extern "C" v tawa_emu_stmatrix(p thread, i address, i count, i transpose, i r0, i r1, i r2, i r3) {
  Thread &caller = self(thread);
  Warp &warp = *caller.warp;
  Cluster &cluster = *caller.cta->cluster;
  checkCount(caller, count, "stmatrix");
  MatrixStore &store = warp.stores.at(caller.warpDeposits++);
  if (store.lanes == 0) {
    store.count = count;
    store.transpose = transpose;
  } else if (store.count != count || store.transpose != transpose) {
    cluster.fail(caller, "stmatrix differs between the lanes of the warp");
  }
  uint32_t lane = caller.laneId;
  store.address[lane] = address;
  caller.noteWrite(address, kRowBytes);
  store.registers[lane][0] = r0;
  store.registers[lane][1] = r1;
  store.registers[lane][2] = r2;
  store.registers[lane][3] = r3;
  if (++store.lanes < kWarpThreads)
    return;
  storeMatrices(caller, store);
  warp.stores.popFront();
  cluster.scheduler.wakeAll(warp.storeWaiters);
}

extern "C" v tawa_emu_ldmatrix(p thread, i address, i count, i transpose, p registers) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  cluster.finishDeposits(caller);
  checkCount(caller, count, "ldmatrix");
  const LaneValues *lanes = exchangeValues(caller, address, count << 1 | (transpose & 1));
  if (lanes[0].extra != (count << 1 | (transpose & 1)))
    cluster.fail(caller, "ldmatrix differs between the lanes of the warp");
  auto *results = static_cast<uint32_t *>(registers);
  uint32_t lane = caller.laneId;
  for (uint32_t matrix = 0; matrix < count; ++matrix) {
    uint16_t pair[2];
    for (uint32_t half = 0; half < 2; ++half) {
      uint32_t row = transpose ? lane % 4 * 2 + half : lane / 4;
      uint32_t column = transpose ? lane / 4 : lane % 4 * 2 + half;
      SharedSpan span = resolveRow(caller, lanes[matrix * 8 + row].value, "ldmatrix");
      if (cluster.detecting())
        cluster.record(caller, span, kRowBytes,
                       {caller.warp->access(Epoch::Generic), &caller.warp->knows, false, false}, "ldmatrix");
      memcpy(&pair[half], span.data() + column * 2, 2);
    }
    results[matrix] = pair[0] | static_cast<uint32_t>(pair[1]) << 16;
  }
}

} // namespace abi
} // namespace tawa::emu
