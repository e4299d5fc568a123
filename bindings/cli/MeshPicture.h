// Pictures of an array of cores as inline SVG: how busy cores and links are, and how the tiles of a load travel.
//
// One dimension is drawn as a ring, two as columns and rows; of more, the first is the column and all others together
// are the row.
#pragma once

#include "bindings/cli/PlanFacts.h"

namespace tawa::cli {

/// Cores with the busy share of their busiest unit as colour and number; links with theirs as width and colour.
std::string busyPicture(const PlanFacts &facts);

/// Cores that read the tiles are filled, arrows go to those that get them.
std::string travelPicture(const PlanFacts &facts, const LoadFacts &load);

/// "#rrggbb" of a busy share, 0 to 1.
std::string coreColour(double share);
std::string linkColour(double share);

} // namespace tawa::cli
