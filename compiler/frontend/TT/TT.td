//===- TT.td - entry point of the tt dialect's definitions --------------------------------------------------------===//
//
// mlir-tblgen reads this file only; the definitions stand by topic in the files below. The rationale, the table of
// operations and what is refused are in README.md beside this file.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TAWA_TT_TD
#define TAWA_TT_TD

include "compiler/frontend/TT/Dialect.td"
include "compiler/frontend/TT/Enums.td"
include "compiler/frontend/TT/Types.td"
include "compiler/frontend/TT/OpsProgram.td"
include "compiler/frontend/TT/OpsShape.td"
include "compiler/frontend/TT/OpsMemory.td"
include "compiler/frontend/TT/OpsAtomic.td"
include "compiler/frontend/TT/OpsBlockPtr.td"
include "compiler/frontend/TT/OpsDescriptor.td"
include "compiler/frontend/TT/OpsDot.td"
include "compiler/frontend/TT/OpsCompute.td"
include "compiler/frontend/TT/OpsElementwise.td"

#endif
