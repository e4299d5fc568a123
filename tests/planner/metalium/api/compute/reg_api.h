// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void tile_regs_acquire();
void tile_regs_commit();
void tile_regs_wait();
void tile_regs_release();
