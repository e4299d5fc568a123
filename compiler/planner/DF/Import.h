// Import: a machine described in the df dialect as the plain data that planner and simulator work with.
#pragma once

#include "runtime/mesh/Machine.h"
#include "runtime/support/Status.h"

#include <string_view>

namespace tawa::df {

/// Why a verified description has no mesh::Machine.
enum class ImportReason : uint8_t {
  MapForm,       ///< mesh::Coordinate holds (affine floordiv c) mod m and nothing else.
  RepeatedUnit,  ///< A core has one matrix, one vector and one scalar unit, in any number.
  ScalarCount,   ///< The model knows one scalar unit per core.
  NoLocalMemory, ///< No memory has the dimensions of the cores.
  NoGlobalMemory,
  TooLarge, ///< Planner and simulator keep something for each core and each memory.
};
std::string_view textOf(ImportReason reason);

/// The one `df.machine` of a text. `name` is the file's, for errors; they name line, operation and reason.
Result<mesh::Machine> readMachine(std::string_view text, std::string_view name);

} // namespace tawa::df
