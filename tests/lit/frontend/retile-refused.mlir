// Sizes that a kernel cannot have are errors, with the place that stands in the way and what to do.
// RUN: tawa-opt %s --split-input-file --verify-diagnostics --tawa-specialize-arguments --tawa-unshare-tiles --tawa-retile="rows=64 columns=36"

// expected-error @below {{BLOCK_M=64 is not possible for this kernel: the kernel has no product (tt.dot), whose rows, columns and sums the sizes are; leave BLOCK_M out to keep the size that its text has}}
tt.func public @copy(%p: !tt.ptr<i32>, %x: i32) {
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}

// -----

// The rows keep their size.
// expected-error @below {{BLOCK_N=36 is no size of a tile; use a power of two or a multiple of 8}}
tt.func public @columns(%b: !tt.tensordesc<tensor<32x32xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x32xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64) {
  %zero = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %x = arith.constant dense<1.0> : tensor<64x32xf16>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %program = tt.get_program_id x : i32
  %column = arith.muli %program, %c32 : i32
  %y = tt.descriptor_load %b[%zero, %column] : !tt.tensordesc<tensor<32x32xf16>> -> tensor<32x32xf16>
  %s = tt.dot %x, %y, %none, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x32xf16> -> tensor<64x32xf32>
  tt.descriptor_store %c[%zero, %column], %s : !tt.tensordesc<tensor<64x32xf32>>, tensor<64x32xf32>
  tt.return
}

// -----

tt.func public @rows(%a: !tt.tensordesc<tensor<128x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                     %c: !tt.tensordesc<tensor<128x32xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64) {
  %zero = arith.constant 0 : i32
  %y = arith.constant dense<1.0> : tensor<32x32xf16>
  %none = arith.constant dense<0.0> : tensor<128x32xf32>
  // expected-error @below {{BLOCK_M=64 is not possible for this kernel: an operation depends on the index within the tile alone, and not on the number of the tile times its size; leave BLOCK_M out to keep the size that its text has}}
  %x = tt.descriptor_load %a[%zero, %zero] : !tt.tensordesc<tensor<128x32xf16>> -> tensor<128x32xf16>
  %s = tt.dot %x, %y, %none, inputPrecision = tf32 : tensor<128x32xf16> * tensor<32x32xf16> -> tensor<128x32xf32>
  tt.descriptor_store %c[%zero, %zero], %s : !tt.tensordesc<tensor<128x32xf32>>, tensor<128x32xf32>
  tt.return
}
