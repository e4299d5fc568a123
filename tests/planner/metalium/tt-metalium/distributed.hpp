// Devices. A test fixture.
#pragma once

#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/mesh_buffer.hpp>

namespace tt::tt_metal::distributed {
class MeshDevice {
public:
  CoreCoord worker_core_from_logical_core(const CoreCoord &logical_core) const;
};
} // namespace tt::tt_metal::distributed
