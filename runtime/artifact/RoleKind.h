// RoleKind: what a role of a kernel does. One table of names for the IR (compiler/roles/Tawa), summaries and reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tawa {

enum class RoleKind : uint8_t {
  Producer,  ///< Loads tiles and puts them into rings.
  Consumer,  ///< Multiplies what it gets from rings, and stores the result.
  Converter, ///< Makes operands of products from tiles of one ring, and puts them into another.
  Main,      ///< All of a kernel that is not split.
};

inline constexpr std::array<std::string_view, 4> kRoleKindNames = {"producer", "consumer", "converter", "main"};

constexpr std::string_view roleKindName(RoleKind kind) { return kRoleKindNames[static_cast<size_t>(kind)]; }

/// For people: role `index` of `count` of one kind.
inline std::string roleName(RoleKind kind, size_t index, size_t count) {
  return std::string(roleKindName(kind)) + (count > 1 ? std::to_string(index) : "");
}

} // namespace tawa
