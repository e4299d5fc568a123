// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

enum class BroadcastType { NONE, COL, ROW, SCALAR };

void mul_bcast_cols_init_short(uint32_t icb0, uint32_t icb1);
void mul_tiles_bcast_scalar_init_short(uint32_t icb0, uint32_t icb1);
void mul_tiles_bcast_of(BroadcastType type, uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                        uint32_t idst); ///< Of the model.
template <BroadcastType tBcastDim>
void mul_tiles_bcast(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1, uint32_t idst) {
  mul_tiles_bcast_of(tBcastDim, icb0, icb1, itile0, itile1, idst);
}
