// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void where_tile_init();
void where_fp32_tile(uint32_t idst0, uint32_t idst1, uint32_t idst2, uint32_t odst);
