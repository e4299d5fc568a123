// RUN: tawa-opt %s --tawa-fold-unit-dims | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-fold-unit-dims -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-fold-unit-dims{{$}}
// COUNTS: {{^ *}}5 num-folded:
// COUNTS: {{^ *}}2 num-kept:

// Views that only drop or add the leading 1 go away; the tile in between keeps its two dimensions.
// CHECK-LABEL: @batched
// CHECK:      %[[X:.*]] = tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tt.tensordesc<tensor<1x64x32xf16>> -> tensor<64x32xf16>
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : tensor<64x32xf16>
// CHECK:      tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}], %[[Y]] : !tt.tensordesc<tensor<1x64x32xf16>>, tensor<64x32xf16>
tt.func public @batched(%d: !tt.tensordesc<tensor<1x64x32xf16>>, %z: i32, %i: i32) {
  %b = tt.descriptor_load %d[%z, %i, %i] : !tt.tensordesc<tensor<1x64x32xf16>> -> tensor<1x64x32xf16>
  %x = tt.reshape %b : tensor<1x64x32xf16> -> tensor<64x32xf16>
  %y = arith.addf %x, %x : tensor<64x32xf16>
  %r = tt.expand_dims %y {axis = 0 : i32} : tensor<64x32xf16> -> tensor<1x64x32xf16>
  tt.descriptor_store %d[%z, %i, %i], %r : !tt.tensordesc<tensor<1x64x32xf16>>, tensor<1x64x32xf16>
  tt.return
}

// Whoever works on three dimensions gets them back.
// CHECK-LABEL: @needs_rank_three
// CHECK:      %[[X:.*]] = tt.descriptor_load {{.*}} -> tensor<64x32xf16>
// CHECK-NEXT: %[[W:.*]] = tt.reshape %[[X]] : tensor<64x32xf16> -> tensor<1x64x32xf16>
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[W]], %[[W]] : tensor<1x64x32xf16>
// CHECK-NEXT: %[[R:.*]] = tt.reshape %[[Y]] : tensor<1x64x32xf16> -> tensor<64x32xf16>
// CHECK-NEXT: tt.descriptor_store %{{.*}}, %[[R]]
tt.func public @needs_rank_three(%d: !tt.tensordesc<tensor<1x64x32xf16>>, %z: i32, %i: i32) {
  %b = tt.descriptor_load %d[%z, %i, %i] : !tt.tensordesc<tensor<1x64x32xf16>> -> tensor<1x64x32xf16>
  %y = arith.addf %b, %b : tensor<1x64x32xf16>
  tt.descriptor_store %d[%z, %i, %i], %y : !tt.tensordesc<tensor<1x64x32xf16>>, tensor<1x64x32xf16>
  tt.return
}

// What is added to memory.
// CHECK-LABEL: @added
// CHECK: tt.descriptor_reduce add, {{.*}}, %[[Y:.*]] : !tt.tensordesc<tensor<1x64x32xf32>>, tensor<64x32xf32>
tt.func private @added(%d: !tt.tensordesc<tensor<1x64x32xf32>>, %y: tensor<64x32xf32>, %z: i32, %i: i32) {
  %r = tt.expand_dims %y {axis = 0 : i32} : tensor<64x32xf32> -> tensor<1x64x32xf32>
  tt.descriptor_reduce add, %d[%z, %i, %i], %r : !tt.tensordesc<tensor<1x64x32xf32>>, tensor<1x64x32xf32>
  tt.return
}

// Two dimensions stay, whatever their sizes.
// CHECK-LABEL: @row
// CHECK: -> tensor<1x64xf16>
tt.func public @row(%d: !tt.tensordesc<tensor<1x64xf16>>, %i: i32) {
  %b = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<1x64xf16>> -> tensor<1x64xf16>
  tt.descriptor_store %d[%i, %i], %b : !tt.tensordesc<tensor<1x64xf16>>, tensor<1x64xf16>
  tt.return
}
