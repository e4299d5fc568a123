// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

void pack_tile_in_order(uint32_t ifrom_dst, uint32_t icb);                       ///< Of the model.
void pack_tile_to(uint32_t ifrom_dst, uint32_t icb, uint32_t output_tile_index); ///< Of the model.
template <bool out_of_order_output = false>
void pack_tile(uint32_t ifrom_dst, uint32_t icb, uint32_t output_tile_index = 0) {
  if constexpr (out_of_order_output)
    pack_tile_to(ifrom_dst, icb, output_tile_index);
  else
    pack_tile_in_order(ifrom_dst, icb);
}
void pack_reconfig_data_format(const uint32_t new_cb_id);
