// Syntax new in Triton 3.4: descriptors without the experimental name, with signed elements and with shapes and
// strides among the arguments; tt.descriptor_reduce; masks of histograms; a loop that asks for roles.
// RUN: tawa-opt %s | FileCheck %s

// CHECK-LABEL: tt.func public @k
// CHECK-SAME: (%{{.*}}: !tt.tensordesc<tensor<64x64xui8>>, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !tt.ptr<i32>
tt.func public @k(%d: !tt.tensordesc<tensor<64x64xui8>>, %d.shape.0: i32, %d.shape.1: i32, %d.stride.0: i64, %d.stride.1: i64, %p: !tt.ptr<i32>) attributes {noinline = false} {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  // CHECK: scf.for
  scf.for %i = %c0_i32 to %d.shape.0 step %c1_i32  : i32 {
    // CHECK: tt.descriptor_load %{{.*}} : !tt.tensordesc<tensor<64x64xui8>> -> tensor<64x64xi8>
    %0 = tt.descriptor_load %d[%i, %c0_i32] : !tt.tensordesc<tensor<64x64xui8>> -> tensor<64x64xi8>
    %1 = tt.reshape %0 allow_reorder : tensor<64x64xi8> -> tensor<4096xi8>
    %2 = arith.extui %1 : tensor<4096xi8> to tensor<4096xi32>
    %m = arith.cmpi slt, %2, %2 : tensor<4096xi32>
    // CHECK: tt.histogram %{{.*}}, %{{.*}} : tensor<4096xi32> -> tensor<256xi32>
    %3 = tt.histogram %2, %m : tensor<4096xi32> -> tensor<256xi32>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    tt.store %ps, %3 : tensor<256x!tt.ptr<i32>>
    // CHECK: } {tt.disallow_acc_multi_buffer, tt.flatten, tt.num_stages = 3 : i32, tt.warp_specialize}
  } {tt.disallow_acc_multi_buffer, tt.flatten, tt.num_stages = 3 : i32, tt.warp_specialize}
  tt.return
}
