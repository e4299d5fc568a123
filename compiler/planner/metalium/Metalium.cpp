#include "compiler/planner/metalium/Metalium.h"

#include "compiler/planner/metalium/HostCode.h"

namespace tawa::metalium {
namespace {

// Of a core: kernel_apis/circular_buffers ("0 to 31"), and NUM_SEMAPHORES of the host interface.
constexpr size_t kCircularBuffers = 32;
constexpr size_t kSemaphores = 16;

void checkLimits(const mesh::CoreProgram &program, const mesh::Machine &machine, const Paging &paging,
                 Refusals &refusals) {
  if (paging.buffers.size() > kCircularBuffers)
    refusals.add(Refusal::Buffers, std::to_string(paging.buffers.size()) + " of " + std::to_string(kCircularBuffers));
  if (program.semaphores.size() > kSemaphores)
    refusals.add(Refusal::Semaphores, std::to_string(program.semaphores.size()) + " of " + std::to_string(kSemaphores));
  int64_t bytes = 0;
  for (const PagedBuffer &buffer : paging.buffers)
    bytes += buffer.slots * buffer.blockBytes();
  int local = machine.localMemory();
  if (local >= 0 && bytes > machine.memories[local].bytes)
    refusals.add(Refusal::LocalMemory,
                 std::to_string(bytes) + " of " + std::to_string(machine.memories[local].bytes) + " bytes");
}

} // namespace

const char *name(Refusal refusal) {
  static const char *const names[] = {"none",    "grid",     "block",      "alignment",   "mask",
                                      "element", "operator", "operands",   "accumulator", "registers",
                                      "ring",    "buffers",  "semaphores", "local memory"};
  return names[static_cast<int>(refusal)];
}

Code printCode(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, const mesh::Machine &machine) {
  Refusals refusals;
  Paging paging(program, hasColumns(tiles), refusals);
  LogicalAxes axes = logicalAxes(program, refusals);
  Code code;
  if (refusals.reason == Refusal::None) {
    ComputeCode compute = printCompute(program, tiles, paging, refusals); // adds buffers
    KernelCode reader = printDataflow(program, mesh::Thread::Reader, paging);
    KernelCode writer = printDataflow(program, mesh::Thread::Writer, paging);
    checkLimits(program, machine, paging, refusals);
    code = {reader.text,
            compute.kernel.text,
            writer.text,
            printHost({program, paging, reader.arguments, compute.kernel.arguments, writer.arguments,
                       compute.unpackedTo32, axes, tiles.scalars}),
            Refusal::None,
            ""};
  }
  if (refusals.reason != Refusal::None)
    code = {"", "", "", "", refusals.reason, refusals.detail};
  return code;
}

} // namespace tawa::metalium
