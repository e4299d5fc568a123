// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void add_binary_tile_init();
void add_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst);
void sub_binary_tile_init();
void sub_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst);
void mul_binary_tile_init();
void mul_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst);
void div_binary_tile_init();
void div_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst);
