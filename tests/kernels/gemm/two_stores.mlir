// Two products of one A, whose tiles of C are 128 and 512 bytes wide: one panel of staging, then four.
//
// tawa.grid 1
// run: grid=1 config="D=2 consumers=1" args=f16[64,64] f16[64,32] f16[64,128] f32[64,32] f32[64,128] i32:64
module {
  tt.func public @two_stores(
      %a: !tt.tensordesc<tensor<64x32xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<32x32xf16>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %w: !tt.tensordesc<tensor<32x128xf16>>, %w_rows: i32, %w_cols: i32, %w_row_stride: i64, %w_col_stride: i64,
      %c: !tt.tensordesc<tensor<64x32xf32>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %d: !tt.tensordesc<tensor<64x128xf32>>, %d_rows: i32, %d_cols: i32, %d_row_stride: i64, %d_col_stride: i64,
      %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %narrow = arith.constant dense<0.0> : tensor<64x32xf32>
    %wide = arith.constant dense<0.0> : tensor<64x128xf32>
    %sums:2 = scf.for %k = %zero to %K step %step iter_args(%one = %narrow, %other = %wide) -> (tensor<64x32xf32>, tensor<64x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<32x32xf16>> -> tensor<32x32xf16>
      %z = tt.descriptor_load %w[%k, %zero] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
      %p = tt.dot %x, %y, %one : tensor<64x32xf16> * tensor<32x32xf16> -> tensor<64x32xf32>
      %q = tt.dot %x, %z, %other : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
      scf.yield %p, %q : tensor<64x32xf32>, tensor<64x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sums#0 : !tt.tensordesc<tensor<64x32xf32>>, tensor<64x32xf32>
    tt.descriptor_store %d[%zero, %zero], %sums#1 : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
    tt.return
  }
}
