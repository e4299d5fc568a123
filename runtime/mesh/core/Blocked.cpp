#include "runtime/mesh/core/Blocked.h"

namespace tawa::mesh {
namespace {

Blocked::Cause causeOf(Instruction::Kind kind) {
  switch (kind) {
  case Instruction::Kind::Reserve:
    return Blocked::Cause::Slots;
  case Instruction::Kind::SemaphoreWait:
    return Blocked::Cause::Semaphore;
  default:
    return Blocked::Cause::Tiles;
  }
}

} // namespace

std::string Blocked::str() const {
  static const char *const units[] = {"tiles", "free slots", "signals"};
  std::string text = "core (";
  for (size_t i = 0; i < core.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(core[i]);
  text += std::string("), ") + threadName(thread) + (at.empty() ? "" : ", at " + at) + ": " + operation;
  return text + " needs " + std::to_string(needed) + " " + units[static_cast<int>(cause)] + " of " + object +
         ", there are " + std::to_string(available);
}

Blocked blockedAt(const CoreProgram &program, const FlatCore &core, Thread thread, const Instruction &instruction,
                  const Cursor &cursor, int64_t needed, int64_t available) {
  Blocked blocked{core.coordinates,
                  thread,
                  causeOf(instruction.kind),
                  "",
                  needed,
                  available,
                  str(*instruction.operation, program),
                  ""};
  blocked.object = blocked.cause == Blocked::Cause::Semaphore ? program.semaphores[instruction.object]
                                                              : program.buffers[instruction.object].name;
  for (size_t i = core.coordinates.size(); i < cursor.values().size(); ++i)
    if (cursor.values()[i] != 0)
      blocked.at += (blocked.at.empty() ? "" : ", ") + program.variables[i] + " " + std::to_string(cursor.values()[i]);
  return blocked;
}

} // namespace tawa::mesh
