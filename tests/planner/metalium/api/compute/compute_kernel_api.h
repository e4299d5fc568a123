// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void abs_tile_init();
void abs_tile(uint32_t idst);
void exp2_tile_init();
void exp2_tile(uint32_t idst);
void log_tile_init();
void log_tile(uint32_t idst);
void tanh_tile_init();
void tanh_tile(uint32_t idst);
