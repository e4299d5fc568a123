// A kernel with tile parameters expands to the first listed values, or to those that are given.
// RUN: tawa-opt %kernels/gemm_param.mlir | FileCheck %s --check-prefix=FIRST
// RUN: tawa-opt %kernels/gemm_param.mlir --tawa-param=BLOCK_N=256 --tawa-param=GROUP=16 | FileCheck %s --check-prefix=GIVEN
// RUN: not tawa-opt %kernels/gemm_param.mlir --tawa-param=BLOCK_N=100 2>&1 | FileCheck %s --check-prefix=UNLISTED
// RUN: not tawa-opt %kernels/gemm_param.mlir --tawa-param=BLOCK_X=64 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tawa-opt %kernels/gemm_param.mlir --tawa-param=BLOCK_N 2>&1 | FileCheck %s --check-prefix=SPELLING

// FIRST: !tt.tensordesc<tensor<64x64xf16>>
// FIRST-DAG: arith.constant 63 : i32
// FIRST-DAG: arith.constant 8 : i32
// FIRST: tt.dot {{.*}} : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>

// GIVEN-DAG: arith.constant 255 : i32
// GIVEN-DAG: arith.constant 16 : i32
// GIVEN: tt.dot {{.*}} : tensor<64x64xf16> * tensor<64x256xf16> -> tensor<64x256xf32>

// UNLISTED: gemm_param.mlir:8:15: error: configuration: BLOCK_N=100 is not one of the values that the text lists:
// UNKNOWN: gemm_param.mlir: configuration: 'BLOCK_X' is neither a key nor a parameter of this text; did you mean BLOCK_M?
// SPELLING: --tawa-param takes NAME=VALUE with an integer value, not 'BLOCK_N'
