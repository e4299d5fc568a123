// TileProgram: a kernel's text with everything that a launch of it needs, written as one line of text:
//
//   grid=2,1 config="D=2 warps=4" args=f16[128,64] f32[64]=0 i32[32]=0..8 i32:1000 f32:0.5
//
//   TYPE[SIZES]        a dense tensor of random numbers: normal ones, integers from -8 to 7
//   TYPE[SIZES]=A..B   of uniform numbers, A included and B not (for integers)
//   TYPE[SIZES]=A,B,...  of these numbers in turn
//   TYPE[SIZES]=special  of normal ones with a zero of either sign, an infinity or a NaN now and then (floats)
//   TYPE:NUMBER        a scalar; TYPE:const:NUMBER one that is compiled in
//   ptr[SIZES]=I,J     a tensor of addresses, those of arguments I, J, ... in turn
// Tensors that the kernel writes hold random numbers too, so that what it must not touch shows.
#pragma once

#include "compiler/reference/Expectation.h"
#include "runtime/support/Status.h"

#include <tawa/tawa.hpp>

#include <stdexcept>
#include <string>

namespace tawa::conformance {

using ProgramArgument = reference::LaunchArgument;
using TileProgram = reference::LaunchedText;
using reference::Expectation;
using reference::Outputs;
using reference::Tally;

/// Reads a line as above into the program's launch; contents come from `seed`.
Status readLaunch(const std::string &line, uint32_t seed, TileProgram &program);
/// What stands in the text's `// run:` lines.
std::vector<std::string> launchesOf(const std::string &text);
/// The launch in the first of them; an error where it has none.
Status readLaunchOf(const std::string &text, uint32_t seed, TileProgram &program);

/// The kernel's cubin, made by ptxas, which needs no GPU; its PTX where there is no ptxas. Throws like runOn().
std::string assemble(const Runtime &runtime, const TileProgram &program);

/// The kernel's PTX. Throws like runOn().
std::string emitPtx(const Runtime &runtime, const TileProgram &program);

/// Compiles, and says why the kernel is one role; empty where it was split. Throws like runOn().
std::string whyOneRole(const Runtime &runtime, const TileProgram &program);

/// A kernel whose code the prover of machine code does not accept (compiler/roles/prover/README.md).
struct NotProved : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compiles and launches so often, each time with the same contents; throws tawa::Error with the compiler's or
/// launcher's words, or NotProved.
Outputs runOn(const Runtime &runtime, const TileProgram &program, const std::string &schedule = {},
              unsigned launches = 1);

} // namespace tawa::conformance
