// The passes that split a kernel into roles and pipeline them, by phases.
#ifndef TAWA_ROLES_PASSES_TD
#define TAWA_ROLES_PASSES_TD

include "compiler/roles/PartitionPasses.td"
include "compiler/roles/DistributePasses.td"
include "compiler/roles/PipelinePasses.td"

#endif // TAWA_ROLES_PASSES_TD
