// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void init_sfpu(uint32_t icb, uint32_t ocb);
