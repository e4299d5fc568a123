// Loads and stores of scalars and tensors: which threads access, how wide, what masked elements are.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#half = #tawa.linear<[64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0]]>

// 16-bit elements travel in words; lanes and warps that hold copies load, but only one of them stores.
// CHECK-LABEL: func.func @halves
tt.func public @halves(%x: !tt.ptr<f16>) {
  tawa.warp_group main warps(2) registers(0) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #half>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>, #half>
    %p = tt.addptr %xs, %r : tensor<64x!tt.ptr<f16>, #half>, tensor<64xi32, #half>
    // CHECK: %[[W:.*]]:4 = sm90.load_global %{{.*}} : i32, i32, i32, i32
    // CHECK: %[[LO:.*]] = arith.trunci %[[W]]#0 : i32 to i16
    // CHECK: arith.bitcast %[[LO]] : i16 to f16
    %a = tt.load %p {tawa.vector = 8 : i32} : tensor<64x!tt.ptr<f16>, #half>
    %b = arith.addf %a, %a : tensor<64xf16, #half>
    // CHECK: %[[COPY:.*]] = arith.andi %{{.*}}, %c24_i32
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[COPY]], %c0_i32
    // CHECK: %[[WARP:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
    // CHECK: %[[OWNER:.*]] = arith.andi %[[FIRST]], %[[WARP]]
    // CHECK: sm90.store_global %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} if %[[OWNER]] : i32, i32, i32, i32
    tt.store %p, %b {tawa.vector = 8 : i32} : tensor<64x!tt.ptr<f16>, #half>
  }
  tt.return
}

// -----

#copies = #tawa.linear<[32], register = [[0]], lane = [[1], [2], [4], [8], [16]], warp = []>

// A register that holds a copy is not loaded a second time. Where the mask is false a load leaves zero, or `other`.
// CHECK-LABEL: func.func @masked
tt.func public @masked(%x: !tt.ptr<f32>, %n: i32) {
  tawa.warp_group main warps(1) registers(0) {
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #copies>
    %ns = tt.splat %n : i32 -> tensor<32xi32, #copies>
    %in = arith.cmpi slt, %r, %ns : tensor<32xi32, #copies>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #copies>
    %p = tt.addptr %xs, %r : tensor<32x!tt.ptr<f32>, #copies>, tensor<32xi32, #copies>
    %zero = arith.constant dense<0.0> : tensor<32xf32, #copies>
    %low = arith.constant dense<0xFF800000> : tensor<32xf32, #copies>
    // CHECK: %[[A:.*]] = sm90.load_global %[[P:.*]] if %[[IN:.*]] : f32
    // CHECK-NOT: arith.select
    // CHECK: %[[B:.*]] = sm90.load_global %[[P]] if %[[IN]] cache cg : f32
    // CHECK: %[[C:.*]] = arith.select %[[IN]], %[[B]], %cst{{.*}} : f32
    // CHECK-NOT: sm90.load_global
    %a = tt.load %p, %in, %zero : tensor<32x!tt.ptr<f32>, #copies>
    %b = tt.load %p, %in, %low cacheModifier = cg : tensor<32x!tt.ptr<f32>, #copies>
    // CHECK: %[[S:.*]] = arith.addf %[[A]], %[[C]]
    %s = arith.addf %a, %b : tensor<32xf32, #copies>
    // CHECK: sm90.store_global %[[P]], %[[S]] if %[[IN]] : f32
    // CHECK-NOT: sm90.store_global
    tt.store %p, %s, %in : tensor<32x!tt.ptr<f32>, #copies>
  }
  tt.return
}

// -----

// A scalar is loaded by all threads and stored by one; an i1 is a byte in memory.
// CHECK-LABEL: func.func @scalars
tt.func public @scalars(%x: !tt.ptr<i64>, %b: !tt.ptr<i1>) {
  tawa.warp_group main warps(4) registers(0) {
    // CHECK: %[[V:.*]] = sm90.load_global %{{.*}} volatile : i64
    %v = tt.load %x {isVolatile = true} : !tt.ptr<i64>
    // CHECK: %[[BYTE:.*]] = sm90.load_global %{{.*}} : i8
    // CHECK: %[[BIT:.*]] = arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
    // CHECK: %[[W:.*]] = arith.select %[[BIT]], %[[V]], %{{.*}} : i64
    %bit = tt.load %b : !tt.ptr<i1>
    %none = arith.constant 0 : i64
    %w = arith.select %bit, %v, %none : i64
    // CHECK: %[[LANE:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
    // CHECK: %[[WARP:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
    // CHECK: %[[ONE:.*]] = arith.andi %[[LANE]], %[[WARP]]
    // CHECK: sm90.store_global %{{.*}}, %[[W]] if %[[ONE]] : i64
    tt.store %x, %w : !tt.ptr<i64>
  }
  tt.return
}

// -----

#words = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

// Narrow elements that share words are filled in by the word, which is zero where the load is off.
// CHECK-LABEL: func.func @filled
tt.func public @filled(%x: !tt.ptr<f16>, %n: i32) {
  tawa.warp_group main warps(1) registers(0) {
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #words>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #words>
    %in = arith.cmpi slt, %r, %ns {tawa.equal = 3 : i32} : tensor<128xi32, #words>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #words>
    %p = tt.addptr %xs, %r : tensor<128x!tt.ptr<f16>, #words>, tensor<128xi32, #words>
    %low = arith.constant dense<0xFC00> : tensor<128xf16, #words>
    // CHECK: %[[V:.*]]:2 = sm90.load_global %{{.*}} if %[[IN:.*]] : i32, i32
    // CHECK: %[[FILL:.*]] = arith.select %[[IN]], %c0_i32, %{{.*}} : i32
    // CHECK: %[[A:.*]] = arith.ori %[[V]]#0, %[[FILL]] : i32
    // CHECK: %[[B:.*]] = arith.ori %[[V]]#1, %[[FILL]] : i32
    // CHECK: arith.trunci %[[A]] : i32 to i16
    // CHECK-NOT: arith.select
    // CHECK: sm90.store_global
    %v = tt.load %p, %in, %low {tawa.vector = 4 : i32} : tensor<128x!tt.ptr<f16>, #words>
    %w = arith.addf %v, %v : tensor<128xf16, #words>
    tt.store %p, %w {tawa.vector = 4 : i32} : tensor<128x!tt.ptr<f16>, #words>
  }
  tt.return
}

// -----

#pairs = #tawa.linear<[128], register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>

// Registers that differ in the lowest bit of their number have one address: two loads for four registers.
// CHECK-LABEL: func.func @equal
tt.func public @equal(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  tawa.warp_group main warps(1) registers(0) {
    %two = arith.constant dense<2> : tensor<128xi32, #pairs>
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #pairs>
    %half = arith.divsi %r, %two {tawa.equal = 1 : i32} : tensor<128xi32, #pairs>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #pairs>
    %p = tt.addptr %xs, %half : tensor<128x!tt.ptr<f32>, #pairs>, tensor<128xi32, #pairs>
    // CHECK-COUNT-2: arith.divsi
    // CHECK-NOT: arith.divsi
    // CHECK-COUNT-2: sm90.load_global
    // CHECK-NOT: sm90.load_global
    %v = tt.load %p {tawa.equal = 1 : i32, tawa.vector = 1 : i32} : tensor<128x!tt.ptr<f32>, #pairs>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #pairs>
    %q = tt.addptr %ys, %r : tensor<128x!tt.ptr<f32>, #pairs>, tensor<128xi32, #pairs>
    // CHECK: sm90.store_global
    tt.store %q, %v {tawa.vector = 2 : i32} : tensor<128x!tt.ptr<f32>, #pairs>
  }
  tt.return
}
