// All sm90 operations, by topic: what the table generator reads.
#ifndef TAWA_DIALECT_SM90_OPS_TD
#define TAWA_DIALECT_SM90_OPS_TD

include "compiler/dialect/SM90/OpsControl.td"
include "compiler/dialect/SM90/OpsBarrier.td"
include "compiler/dialect/SM90/OpsTma.td"
include "compiler/dialect/SM90/OpsWgmma.td"
include "compiler/dialect/SM90/OpsMma.td"
include "compiler/dialect/SM90/OpsMemory.td"
include "compiler/dialect/SM90/OpsAtomic.td"
include "compiler/dialect/SM90/OpsMath.td"
include "compiler/dialect/SM90/OpsScalar.td"
include "compiler/dialect/SM90/OpsDebug.td"

#endif // TAWA_DIALECT_SM90_OPS_TD
