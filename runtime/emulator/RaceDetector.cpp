// Shadow cells: checks an access against the recorded epochs, then records its own.
#include "runtime/emulator/RaceDetector.h"

namespace tawa::emu {

void ShadowMemory::reset(uint32_t bytes) {
  cells.assign((bytes + kGranule - 1) / kGranule, Cell{});
  splits.clear();
  crowds.clear();
}

std::optional<ShadowMemory::Conflict> ShadowMemory::record(uint32_t offset, uint32_t bytes, const Access &access) {
  Conflict conflict;
  uint32_t end = offset + bytes;
  Cell passed; // granules of a tile mostly have the same history, so what has been checked need not be again
  bool anyPassed = false;
  for (uint32_t at = offset; at < end;) {
    uint32_t granule = at / kGranule, inside = at % kGranule;
    uint32_t count = std::min(kGranule - inside, end - at);
    at += count;
    Cell &cell = cells[granule];
    bool whole = count == kGranule;
    if (whole && access.write && anyPassed && cell == passed) {
      cell = Cell{access.self, {}};
      continue;
    }
    Cell before = cell;
    if (!(whole ? visitWhole(cell, access, conflict) : visitPart(cell, inside, count, access, conflict))) {
      conflict.offset += granule * kGranule;
      return conflict;
    }
    if (whole && !(before.write.flags & Epoch::Link)) {
      passed = before;
      anyPassed = true;
    }
  }
  return std::nullopt;
}

std::optional<ShadowMemory::Conflict> ShadowMemory::recordReads(std::span<const uint32_t> offsets,
                                                                const Access &access) {
  Conflict conflict;
  Epoch passed; // the last write found ordered
  for (uint32_t offset : offsets) {
    Cell &cell = cells[offset / kGranule];
    if (cell.write == passed) {
      auto own = std::find_if(cell.reads.begin(), cell.reads.end(), [&](const Epoch &read) {
        return read.isNone() || (read.agent == access.self.agent && read.flags == access.self.flags);
      });
      if (own != cell.reads.end()) {
        *own = access.self;
        continue;
      }
    }
    if (!visitWhole(cell, access, conflict)) {
      conflict.offset += offset / kGranule * kGranule;
      return conflict;
    }
    passed = cell.write.flags & Epoch::Link ? Epoch{} : cell.write;
  }
  return std::nullopt;
}

bool ShadowMemory::visitWhole(Cell &cell, const Access &access, Conflict &conflict) {
  if (!(cell.write.flags & Epoch::Link))
    return visit(cell, access, conflict);
  if (!visitPart(cell, 0, kGranule, access, conflict))
    return false;
  if (access.write) // one epoch for all bytes again
    cell = Cell{access.self, {}};
  return true;
}

bool ShadowMemory::visitPart(Cell &cell, uint32_t first, uint32_t count, const Access &access, Conflict &conflict) {
  if (!(cell.write.flags & Epoch::Link)) {
    splits.emplace_back().fill(cell);
    if (Epoch &last = cell.reads.back(); last.flags & Epoch::Link) {
      for (Cell &byte : splits.back()) { // each byte gets a crowd of its own
        crowds.push_back(std::vector<Epoch>(crowds[last.tick - 1]));
        byte.reads.back().tick = static_cast<uint32_t>(crowds.size());
      }
    }
    cell = Cell{};
    cell.write = {static_cast<uint32_t>(splits.size()), 0, Epoch::Link};
  }
  Bytes &bytes = splits[cell.write.tick - 1];
  for (uint32_t i = first; i < first + count; ++i) {
    if (!visit(bytes[i], access, conflict)) {
      conflict.offset = i;
      return false;
    }
  }
  return true;
}

bool ShadowMemory::visit(Cell &cell, const Access &access, Conflict &conflict) {
  const Epoch &last = cell.write;
  bool bothAtomic = last.flags & access.self.flags & Epoch::Atomic;
  if (!last.isNone() && last != access.self && !bothAtomic) {
    bool ordered = last.coveredBy(access.knows->seen);
    bool fenced = !access.asyncProxy || !(last.flags & Epoch::Generic) || last.coveredBy(access.knows->async);
    if (!ordered || !fenced) {
      conflict = {0, last, true, ordered};
      return false;
    }
  }
  if (!access.write) {
    addRead(cell, access);
    return true;
  }
  for (const Epoch &read : cell.reads)
    if (!checkRead(read, access, conflict))
      return false;
  cell = Cell{access.self, {}};
  return true;
}

bool ShadowMemory::checkRead(const Epoch &read, const Access &access, Conflict &conflict) const {
  if (read.isNone())
    return true;
  if (read.flags & Epoch::Link) {
    for (const Epoch &one : crowds[read.tick - 1])
      if (!checkRead(one, access, conflict))
        return false;
    return true;
  }
  if (read.coveredBy(access.knows->seen))
    return true;
  conflict = {0, read, false, false};
  return false;
}

void ShadowMemory::addRead(Cell &cell, const Access &access) {
  const Epoch &self = access.self;
  for (Epoch &read : cell.reads) {
    if (read == self)
      return;
    bool linked = read.flags & Epoch::Link;
    // An earlier read ordered before this one is implied by it.
    if (read.isNone() || (!linked && (read.agent == self.agent || read.coveredBy(access.knows->seen)))) {
      read = self;
      return;
    }
  }
  Epoch &last = cell.reads.back();
  if (!(last.flags & Epoch::Link)) {
    crowds.push_back({last});
    last = {static_cast<uint32_t>(crowds.size()), 0, Epoch::Link};
  }
  auto &crowd = crowds[last.tick - 1];
  for (Epoch &read : crowd) {
    if (read.agent == self.agent) {
      read = self;
      return;
    }
  }
  crowd.push_back(self);
}

} // namespace tawa::emu
