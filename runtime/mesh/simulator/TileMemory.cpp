#include "runtime/mesh/simulator/TileMemory.h"

#include "runtime/mesh/simulator/TensorBlock.h"

#include <algorithm>
#include <cstring>

namespace tawa::mesh {
namespace {

/// What slots hold before anything arrives, and what a spoilt tile becomes: not a number in every float type.
constexpr char kSpoilt = '\xff';

} // namespace

TileMemory::TileMemory(const CoreProgram &program, size_t cores, SimulationData &data)
    : program(program), data(data), running(cores), written(program.tensors.size()) {
  for (size_t core = 0; core < cores; ++core)
    for (const CircularBuffer &buffer : program.buffers) {
      Slot empty;
      empty.contents.bytes.assign(buffer.tileBytes, kSpoilt);
      slots.emplace_back(buffer.slots, empty);
    }
}

TileMemory::Contents TileMemory::contents(int core, int buffer, int64_t slot) const {
  return slots[core * program.buffers.size() + buffer][slot].contents;
}

void TileMemory::arrive(int core, int buffer, int64_t slot, const Contents &contents) {
  Slot &to = slotAt(core, buffer, slot);
  to.contents = contents;
  ++to.version;
}

void TileMemory::read(int core, int buffer, int64_t slot, const TileAccess &access, const std::vector<int64_t> &start) {
  Slot &to = slotAt(core, buffer, slot);
  readBlock(program.tensors[access.tensor], data.tensors[access.tensor], access.block, start, to.contents.bytes);
  if (isWritten(access, start)) // contents of which only the end of the run decides
    std::memset(to.contents.bytes.data(), kSpoilt, to.contents.bytes.size());
  ++to.version;
}

/// Whether an earlier write overlaps the block.
bool TileMemory::isWritten(const TileAccess &access, const std::vector<int64_t> &start) const {
  return std::ranges::any_of(written[access.tensor], [&](const Written &write) {
    bool overlaps = true;
    for (size_t dim = 0; overlaps && dim < start.size(); ++dim)
      overlaps =
          start[dim] < write.start[dim] + write.access->block[dim] && write.start[dim] < start[dim] + access.block[dim];
    return overlaps;
  });
}

void TileMemory::write(const Contents &contents, const TileAccess &access, const std::vector<int64_t> &start) {
  written[access.tensor].push_back({contents.result, &access, start});
}

void TileMemory::beginSegment(int core, const Compute &compute, const std::vector<int64_t> &indices,
                              const std::vector<int64_t> &consumed, const std::vector<int64_t> &produced) {
  Running &current = running[core];
  std::vector<int64_t> grid(indices.begin(), indices.begin() + program.gridDims);
  std::vector<int64_t> loops(indices.begin() + program.gridDims, indices.end());
  if (current.isActive && current.run.grid != grid)
    complete(current);
  current.isActive = true;
  current.run.grid = std::move(grid);
  current.versions.clear();
  for (size_t i = 0; i < consumed.size(); ++i) {
    Slot &slot = slotAt(core, compute.consumes[i].buffer, consumed[i]);
    current.versions.push_back(slot.version);
    current.run.loads.push_back({compute.consumes[i].operation, loops, slot.contents.bytes});
  }
  for (size_t i = 0; i < produced.size(); ++i) {
    Slot &slot = slotAt(core, compute.produces[i].buffer, produced[i]);
    slot.contents.result = static_cast<int64_t>(results.size());
    current.results.push_back(slot.contents.result);
    current.run.stores.push_back({compute.produces[i].operation, loops, {}});
    results.emplace_back();
  }
}

void TileMemory::endSegment(int core, const Compute &compute, const std::vector<int64_t> &consumed) {
  Running &current = running[core];
  size_t first = current.run.loads.size() - consumed.size();
  for (size_t i = 0; i < consumed.size(); ++i)
    if (slotAt(core, compute.consumes[i].buffer, consumed[i]).version != current.versions[i])
      std::memset(current.run.loads[first + i].bytes.data(), kSpoilt, current.run.loads[first + i].bytes.size());
}

void TileMemory::complete(Running &current) {
  if (Status status = data.computer->run(current.run); !status && failure.isOk())
    failure = status;
  for (size_t i = 0; i < current.results.size(); ++i)
    results[current.results[i]] = std::move(current.run.stores[i].bytes);
  ++computed;
  current = {};
}

Status TileMemory::finish() {
  for (Running &current : running)
    if (current.isActive)
      complete(current);
  for (size_t tensor = 0; tensor < written.size(); ++tensor)
    for (const Written &write : written[tensor])
      if (write.result >= 0 && failure.isOk())
        writeBlock(program.tensors[tensor], data.tensors[tensor], write.access->block, write.start,
                   results[write.result]);
  return failure;
}

} // namespace tawa::mesh
