// All sm90 operations, by topic, and its attributes: the input of the table generator.
#ifndef TAWA_DIALECT_SM90_OPS_TD
#define TAWA_DIALECT_SM90_OPS_TD

include "compiler/target/hopper/SM90/Attributes.td"
include "compiler/target/hopper/SM90/OpsControl.td"
include "compiler/target/hopper/SM90/OpsBarrier.td"
include "compiler/target/hopper/SM90/OpsTma.td"
include "compiler/target/hopper/SM90/OpsWgmma.td"
include "compiler/target/hopper/SM90/OpsMma.td"
include "compiler/target/hopper/SM90/OpsMemory.td"
include "compiler/target/hopper/SM90/OpsAtomic.td"
include "compiler/target/hopper/SM90/OpsMath.td"
include "compiler/target/hopper/SM90/OpsScalar.td"
include "compiler/target/hopper/SM90/OpsDebug.td"

#endif // TAWA_DIALECT_SM90_OPS_TD
