// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void binary_max_tile_init();
void binary_max_tile(uint32_t idst0, uint32_t idst1, uint32_t odst);
void binary_min_tile_init();
void binary_min_tile(uint32_t idst0, uint32_t idst1, uint32_t odst);
