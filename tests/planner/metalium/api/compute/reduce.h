// Declarations of TT-Metalium's compute interface: kernel_apis/compute of docs.tenstorrent.com/tt-metal. A test
// fixture.
#pragma once

#include "api/kernel_args.h"

enum class PoolType { SUM, AVG, MAX };
enum class ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };

void reduce_init_of(PoolType type, ReduceDim dim, uint32_t icb, uint32_t icb_scaler, uint32_t ocb); ///< Of the model.
void reduce_tile_of(PoolType type, ReduceDim dim, uint32_t icb, uint32_t icb_scaler, uint32_t itile,
                    uint32_t itile_scaler, uint32_t idst); ///< Of the model.

template <PoolType reduce_type, ReduceDim reduce_dim>
void reduce_init(uint32_t icb, uint32_t icb_scaler, uint32_t ocb) {
  reduce_init_of(reduce_type, reduce_dim, icb, icb_scaler, ocb);
}
template <PoolType reduce_type, ReduceDim reduce_dim>
void reduce_tile(uint32_t icb, uint32_t icb_scaler, uint32_t itile, uint32_t itile_scaler, uint32_t idst) {
  reduce_tile_of(reduce_type, reduce_dim, icb, icb_scaler, itile, itile_scaler, idst);
}
void reduce_uninit();
