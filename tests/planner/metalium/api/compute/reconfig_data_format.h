// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void reconfig_data_format(const uint32_t srca_new_operand, const uint32_t srcb_new_operand);
void reconfig_data_format_srca(const uint32_t srca_new_operand);
