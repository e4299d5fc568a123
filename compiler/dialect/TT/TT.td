//===- TT.td - entry point of the tt dialect's definitions --------------------------------------------------------===//
//
// mlir-tblgen reads this file only; the definitions stand by topic in the files below. The rationale, the table of
// operations and what is refused are in README.md beside this file.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TAWA_TT_TD
#define TAWA_TT_TD

include "compiler/dialect/TT/Dialect.td"
include "compiler/dialect/TT/Enums.td"
include "compiler/dialect/TT/Types.td"
include "compiler/dialect/TT/OpsProgram.td"
include "compiler/dialect/TT/OpsShape.td"
include "compiler/dialect/TT/OpsMemory.td"
include "compiler/dialect/TT/OpsAtomic.td"
include "compiler/dialect/TT/OpsBlockPtr.td"
include "compiler/dialect/TT/OpsDescriptor.td"
include "compiler/dialect/TT/OpsDot.td"
include "compiler/dialect/TT/OpsCompute.td"
include "compiler/dialect/TT/OpsElementwise.td"

#endif
