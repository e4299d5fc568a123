// What cannot work on parts of a tile is an error, with its place, the extent and a remedy.
// RUN: tawa-opt %s --split-input-file --verify-diagnostics --tawa-split-tiles

// A dimension of 3 x 32 elements, which the reshape mixes with another.
tt.func public @reshape(%p: !tt.ptr<f32>, %x: f32) {
  %t = tt.splat %x : f32 -> tensor<96x4xf32>
  // expected-error @below {{'tt.reshape' op cannot work on the parts of 'tensor<96x4xf32>', each with 32 of its 96 elements along a dimension; use a power of two, such as 128}}
  %r = tt.reshape %t : tensor<96x4xf32> -> tensor<384xf32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<384x!tt.ptr<f32>>
  tt.store %q, %r : tensor<384x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @scan(%p: !tt.ptr<f32>, %x: f32) {
  %t = tt.splat %x : f32 -> tensor<24xf32>
  // expected-error @below {{'tt.scan' op cannot work on the parts of 'tensor<24xf32>', each with 8 of its 24 elements along a dimension; use a power of two, such as 32}}
  %r = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.scan.return %s : f32
  }) : (tensor<24xf32>) -> tensor<24xf32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<24x!tt.ptr<f32>>
  tt.store %q, %r : tensor<24x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @histogram(%x: i32) {
  %t = tt.splat %x : i32 -> tensor<96xi32>
  // expected-error @below {{'tt.histogram' op cannot work on the parts of 'tensor<96xi32>'}}
  %r = tt.histogram %t : tensor<96xi32> -> tensor<16xi32>
  tt.return
}
