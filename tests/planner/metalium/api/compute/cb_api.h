// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void cb_reserve_back(uint32_t cb_id, uint32_t num_pages);
void cb_push_back(uint32_t cb_id, uint32_t num_pages);
void cb_wait_front(uint32_t cb_id, uint32_t num_pages);
void cb_pop_front(uint32_t cb_id, uint32_t num_pages);
