// A declined kernel is one role. Unless the configuration says how many warps it has, they follow from its largest access and
// from what its threads hold; so do its registers.
// RUN: tawa-opt %s --tawa-wrap-one-role -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-wrap-one-role="warps=2" -split-input-file | FileCheck %s --check-prefix=TWO
// RUN: tawa-opt %s --tawa-wrap-one-role="warps=4" -split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-wrap-one-role -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-wrap-one-role{{$}}
// COUNTS: {{^ *}}1 num-kept:
// COUNTS: {{^ *}}13 num-wrapped:

// CHECK-LABEL: @scalars
// CHECK-NEXT: tawa.warp_group main warps(1) registers(0) {
// CHECK-NEXT:   %[[C:.*]] = arith.constant 1 : i32
// CHECK-NEXT:   tt.store %{{.*}}, %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: tt.return
// TWO: tawa.warp_group main warps(2) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @scalars(%p: !tt.ptr<i32>) {
    %c = arith.constant 1 : i32
    tt.store %p, %c : !tt.ptr<i32>
    tt.return
  }
}

// -----

// 16 bytes for each thread of one warp.
// CHECK-LABEL: @small
// CHECK: tawa.warp_group main warps(1) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @small(%p0: !tt.ptr<f32>) {
    %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %x = tt.load %p : tensor<128x!tt.ptr<f32>>
    tt.store %p, %x : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// 16 bytes for each thread of four.
// CHECK-LABEL: @elementwise
// CHECK: tawa.warp_group main warps(4) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @elementwise(%p0: !tt.ptr<f16>) {
    %p = tt.splat %p0 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %x = tt.load %p : tensor<1024x!tt.ptr<f16>>
    tt.store %p, %x : tensor<1024x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// The same tile, but threads meet: 16 bytes for each of four warps.
// CHECK-LABEL: @short_row
// CHECK: tawa.warp_group main warps(4) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @short_row(%p0: !tt.ptr<f16>, %q: !tt.ptr<f16>) {
    %p = tt.splat %p0 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %x = tt.load %p : tensor<1024x!tt.ptr<f16>>
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f16, %b: f16):
      %c = arith.addf %a, %b : f16
      tt.reduce.return %c : f16
    }) : (tensor<1024xf16>) -> f16
    tt.store %q, %sum : !tt.ptr<f16>
    tt.return
  }
}

// -----

// 16 KiB loaded: four CTAs keep 64 KiB under way. The 32 KiB that live across the reduction are 32 words of each of their
// threads, 64 with half as many warps. The extension that only the last product reads is done there.
// CHECK-LABEL: @row
// CHECK: tawa.warp_group main warps(8) registers(64)
// FOUR-LABEL: @row
// FOUR: tawa.warp_group main warps(4) registers(128)
module attributes {tawa.declined = "reason"} {
  tt.func public @row(%p0: !tt.ptr<f16>, %q0: !tt.ptr<f16>) {
    %p = tt.splat %p0 : !tt.ptr<f16> -> tensor<8192x!tt.ptr<f16>>
    %q = tt.splat %q0 : !tt.ptr<f16> -> tensor<8192x!tt.ptr<f16>>
    %h = tt.load %p : tensor<8192x!tt.ptr<f16>>
    %x = arith.extf %h : tensor<8192xf16> to tensor<8192xf32>
    %square = arith.mulf %x, %x : tensor<8192xf32>
    %sum = "tt.reduce"(%square) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8192xf32>) -> f32
    %sums = tt.splat %sum : f32 -> tensor<8192xf32>
    %wh = tt.load %q : tensor<8192x!tt.ptr<f16>>
    %w = arith.extf %wh : tensor<8192xf16> to tensor<8192xf32>
    %s = arith.mulf %x, %sums : tensor<8192xf32>
    %sw = arith.mulf %s, %w : tensor<8192xf32>
    %y = arith.truncf %sw : tensor<8192xf32> to tensor<8192xf16>
    tt.store %p, %y : tensor<8192x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// With eight warps 64 words and more would be too many.
// CHECK-LABEL: @long_row
// CHECK: tawa.warp_group main warps(16) registers(128)
module attributes {tawa.declined = "reason"} {
  tt.func public @long_row(%p0: !tt.ptr<f32>) {
    %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<16384x!tt.ptr<f32>>
    %x = tt.load %p : tensor<16384x!tt.ptr<f32>>
    tt.store %p, %x : tensor<16384x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// A small product keeps one warp busy; its registers are the assembler's choice.
// CHECK-LABEL: @small_dot
// CHECK: tawa.warp_group main warps(1) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @small_dot() {
    %a = arith.constant dense<0.0> : tensor<16x16xf16>
    %c = arith.constant dense<0.0> : tensor<16x16xf32>
    %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.return
  }
}

// -----

// More than 512 elements of a result are for two.
// CHECK-LABEL: @two_warps_dot
// CHECK: tawa.warp_group main warps(2) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @two_warps_dot() {
    %a = arith.constant dense<1.0> : tensor<32x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x32xf16>
    %c = arith.constant dense<0.0> : tensor<32x32xf32>
    %d = tt.dot %a, %b, %c : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
    tt.return
  }
}

// -----

// Operands of more than 2 KiB are loaded by four.
// CHECK-LABEL: @deep_dot
// CHECK: tawa.warp_group main warps(4) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @deep_dot() {
    %a = arith.constant dense<1.0> : tensor<32x64xf16>
    %b = arith.constant dense<1.0> : tensor<64x32xf16>
    %c = arith.constant dense<0.0> : tensor<32x32xf32>
    %d = tt.dot %a, %b, %c : tensor<32x64xf16> * tensor<64x32xf16> -> tensor<32x32xf32>
    tt.return
  }
}

// -----

// But not where each of them would keep less than 8 elements of the result in a lane.
// CHECK-LABEL: @deep_small_dot
// CHECK: tawa.warp_group main warps(1) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @deep_small_dot() {
    %a = arith.constant dense<1.0> : tensor<16x64xf16>
    %b = arith.constant dense<1.0> : tensor<64x16xf16>
    %c = arith.constant dense<0.0> : tensor<16x16xf32>
    %d = tt.dot %a, %b, %c : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
    tt.return
  }
}

// -----

// Tiles that are unpacked from smaller ones are never there as a whole: eight warps hold what is loaded.
// CHECK-LABEL: @unpacked
// CHECK: tawa.warp_group main warps(8)
module attributes {tawa.declined = "reason"} {
  tt.func public @unpacked(%p: !tt.ptr<i32>, %q: !tt.ptr<f16>) {
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %row = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %column = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %rows = tt.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
    %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<32x32xi32>
    %from = arith.addi %rows, %columns : tensor<32x32xi32>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<32x32x!tt.ptr<i32>>
    %ptr = tt.addptr %ps, %from : tensor<32x32x!tt.ptr<i32>>, tensor<32x32xi32>
    %packed = tt.load %ptr : tensor<32x32x!tt.ptr<i32>>
    %others = tt.addptr %ptr, %from : tensor<32x32x!tt.ptr<i32>>, tensor<32x32xi32>
    %other = tt.load %others : tensor<32x32x!tt.ptr<i32>>
    %two = tt.join %packed, %packed : tensor<32x32xi32> -> tensor<32x32x2xi32>
    %wide = tt.reshape %two : tensor<32x32x2xi32> -> tensor<32x64xi32>
    %four = tt.join %wide, %wide : tensor<32x64xi32> -> tensor<32x64x2xi32>
    %wider = tt.reshape %four : tensor<32x64x2xi32> -> tensor<32x128xi32>
    %eight = tt.join %wider, %wider : tensor<32x128xi32> -> tensor<32x128x2xi32>
    %all = tt.reshape %eight : tensor<32x128x2xi32> -> tensor<32x256xi32>
    %otherTwo = tt.join %other, %other : tensor<32x32xi32> -> tensor<32x32x2xi32>
    %otherWide = tt.reshape %otherTwo : tensor<32x32x2xi32> -> tensor<32x64xi32>
    %otherFour = tt.join %otherWide, %otherWide : tensor<32x64xi32> -> tensor<32x64x2xi32>
    %otherWider = tt.reshape %otherFour : tensor<32x64x2xi32> -> tensor<32x128xi32>
    %otherEight = tt.join %otherWider, %otherWider : tensor<32x128xi32> -> tensor<32x128x2xi32>
    %otherAll = tt.reshape %otherEight : tensor<32x128x2xi32> -> tensor<32x256xi32>
    %mask = arith.constant dense<15> : tensor<32x256xi32>
    %shift = arith.constant dense<4> : tensor<32x256xi32>
    %shifted = arith.shrsi %all, %shift : tensor<32x256xi32>
    %field = arith.andi %shifted, %mask : tensor<32x256xi32>
    %otherShifted = arith.shrsi %otherAll, %shift : tensor<32x256xi32>
    %otherField = arith.andi %otherShifted, %mask : tensor<32x256xi32>
    %difference = arith.subi %field, %otherField : tensor<32x256xi32>
    %number = arith.sitofp %difference : tensor<32x256xi32> to tensor<32x256xf16>
    %out = tt.splat %q : !tt.ptr<f16> -> tensor<32x256x!tt.ptr<f16>>
    tt.store %out, %number : tensor<32x256x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// What wgmma takes has whole warp groups.
// CHECK-LABEL: @group_dot
// CHECK: tawa.warp_group main warps(4) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @group_dot() {
    %a = arith.constant dense<1.0> : tensor<64x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x8xf16>
    %c = arith.constant dense<0.0> : tensor<64x8xf32>
    %d = tt.dot %a, %b, %c : tensor<64x16xf16> * tensor<16x8xf16> -> tensor<64x8xf32>
    tt.return
  }
}

// -----

// CHECK-LABEL: @large_dot
// CHECK: tawa.warp_group main warps(16) registers(0)
module attributes {tawa.declined = "reason"} {
  tt.func public @large_dot() {
    %a = arith.constant dense<0.0> : tensor<256x16xf16>
    %b = arith.constant dense<0.0> : tensor<16x256xf16>
    %c = arith.constant dense<0.0> : tensor<256x256xf32>
    %d = tt.dot %a, %b, %c : tensor<256x16xf16> * tensor<16x256xf16> -> tensor<256x256xf32>
    tt.return
  }
}

// -----

// Roles that are there already stay.
// CHECK-LABEL: @split
// CHECK-NOT: tawa.warp_group
module {
  tt.func public @split() {
    tt.return
  }
}
