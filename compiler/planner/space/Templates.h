// Fixed dataflows to compare plans with (TileLoom, section 4): what libraries for such machines do, and the planner
// with parts of its space switched off.
#pragma once

#include "compiler/planner/space/LoadSpace.h"
#include "runtime/support/Status.h"

namespace tawa::mesh::planner {

enum class Template : uint8_t {
  Any,         ///< The whole space.
  OneD,        ///< All cores make a line that splits the dimension of the larger input; each core reads its part of it
               ///< itself, the other input is broadcast over the whole array.
  OneDSmaller, ///< The same with the inputs exchanged: each core reads its part of the smaller one.
  TwoD,        ///< One dimension of the grid per dimension of the array; each input passes along the other one, from
               ///< neighbour to neighbour.
  ByShape,     ///< OneD or TwoD by the shape of the output, as vendors' libraries choose.
  NoSpatialReuse,  ///< Each core reads all its tiles itself.
  NoTemporalReuse, ///< Each tile is loaded where the text loads it.
  Reload           ///< Neither reuse.
};
constexpr std::array kTemplates = {
    Template::Any,     Template::OneD,           Template::OneDSmaller,     Template::TwoD,
    Template::ByShape, Template::NoSpatialReuse, Template::NoTemporalReuse, Template::Reload};
const char *nameOf(Template choice);

/// The template that ByShape stands for: OneD where the shorter side of the output has fewer blocks of 128 than the
/// longer side of the array has cores, so that a split of both would leave cores without work. It does not look at the
/// ratio of the sides: at N = 1024 on 8 x 8 it takes TwoD however long M is, as the paper saw the vendor do.
Template chooseByShape(const TileProgram &program, const Machine &machine);

/// What a template leaves of the space.
struct TemplateRules {
  std::optional<Mapping> mapping; ///< The only one.
  ChoiceFilter filter;
};

/// Fails where the template has no meaning for the program: OneD and TwoD are for two loads that depend on one
/// dimension of the grid each.
Result<TemplateRules> rulesOf(Template choice, const TileProgram &program, const Machine &machine);

} // namespace tawa::mesh::planner
