// Text from before Triton's first passes reads: helpers with quoted names, calls, branches, block pointers, placeholders.
// RUN: tawa-opt %kernels/framework/source_block_pointer_chunks.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/framework/source_block_pointer_gemm.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/framework/source_cdiv_softmax.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/framework/source_early_return.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/framework/source_nested_calls_loop.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/framework/source_triton30_rows.mlir --verify-roundtrip -canonicalize -cse -o /dev/null
// RUN: tawa-opt %kernels/framework/source_cdiv_softmax.mlir --inline | FileCheck %s

// CHECK: tt.func public @softmax_kernel
// CHECK-NOT: tt.call
// CHECK: "tt.reduce"
// CHECK: arith.maxnumf
