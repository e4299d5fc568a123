// Kernels as Triton 3.6 printed them read, verify, survive a round trip with their locations, and canonicalize.
// RUN: tawa-opt %kernels/attn_causal.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/attn_causal.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/attn_full.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/attn_full.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_batched.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_batched.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_batched_persistent.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_batched_persistent.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_fp8_persistent.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_fp8_persistent.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_fp8_tma.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_fp8_tma.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_grouped.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_grouped.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_persistent.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_persistent.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_ptr.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_ptr.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_ptr_masked.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_ptr_masked.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_tma.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_tma.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_tma_128.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_tma_128.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/gemm_tma_ws.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/gemm_tma_ws.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/layernorm_rows.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/layernorm_rows.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/rope.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/rope.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/softmax_rows.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/softmax_rows.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: tawa-opt %kernels/vec_add.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/vec_add.mlir -mlir-print-debuginfo -o %t.1 && tawa-opt %t.1 -mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2

// The text itself comes back: what one of them holds, spelled as it was.
// RUN: tawa-opt %kernels/gemm_tma.mlir | FileCheck %s
// CHECK: tt.func public @gemm_tma(%{{.*}}: !tt.tensordesc<tensor<128x64xf16>>, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i64, %{{.*}}: i64,
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<128x256xf32>)  : i32 {
// CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
// CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<256x64xf16> -> tensor<64x256xf16>
// CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}}, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
// CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<128x256xf16>>, tensor<128x256xf16>
