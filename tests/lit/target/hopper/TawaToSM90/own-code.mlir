// Assertions, printing, functions and PTX of the kernel's own.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#line = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0]]>

// CHECK-LABEL: func.func @debug
tt.func public @debug(%n: i32) {
  tawa.warp_group main warps(2) registers(0) {
    %v = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #line>
    %c = arith.cmpi slt, %v, %ns : tensor<128xi32, #line>
    // All registers in one check.
    // CHECK: %[[A:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
    // CHECK: %[[B:.*]] = arith.andi %[[A]], %{{.*}} : i1
    // CHECK: %[[ALL:.*]] = arith.andi %[[B]], %{{.*}} : i1
    // CHECK: sm90.assert %[[ALL]], "too many"
    tt.assert %c, "too many" : tensor<128xi1, #line>
    // One line per element, from its owner: the index, and the value without a sign.
    // CHECK: %[[VALUE:.*]] = arith.extui %[[I:.*]] : i32 to i64
    // CHECK: sm90.print "v: ", %[[I]], %[[VALUE]] if %[[OWNER:.*]] : i32, i64
    // CHECK-COUNT-3: sm90.print "v: "
    // CHECK-NOT: sm90.print
    tt.print "v: " {hex = false, isSigned = array < i32 : 0 > } : %v : tensor<128xi32, #line>
  }
  tt.return
}

// -----

#line = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

// Four bytes share a register; their halves come back two to a register and are stored as they came.
// CHECK-LABEL: func.func @assembly
// CHECK: %[[MASK:.*]] = arith.constant 983055 : i32
tt.func public @assembly(%x: !tt.ptr<i8>, %y: !tt.ptr<f16>, %z: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %p = tt.splat %x : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #line>
    // CHECK: %[[W:.*]] = sm90.load_global %{{.*}} : i32
    %v = tt.load %p {tawa.vector = 4 : i32} : tensor<128x!tt.ptr<i8>, #line>
    // CHECK: %[[R:.*]]:2 = sm90.inline_asm "prmt.b32 $0, $2, 0, 0x4140; prmt.b32 $1, $2, 0, 0x4342;", "=r,=r,r" {pure} (%{{.*}}) : (i32) ->
    // (i32, i32)
    %w = tt.elementwise_inline_asm "prmt.b32 $0, $2, 0, 0x4140; prmt.b32 $1, $2, 0, 0x4342;" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = true} %v : tensor<128xi8, #line> -> tensor<128xf16, #line>
    // CHECK: sm90.store_global %{{.*}}, %[[R]]#0, %[[R]]#1 : i32, i32
    %q = tt.splat %y : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #line>
    tt.store %q, %w {tawa.vector = 4 : i32} : tensor<128x!tt.ptr<f16>, #line>
    // An immediate stays a constant up to the assembler's text.
    // CHECK: sm90.inline_asm "{{.*}}lop3.b32 t, $1, $2, 0, 0xc0;{{.*}}", "=r,r,n" {pure} (%{{.*}}, %[[MASK]]) : (i32, i32) -> i32
    %mask = arith.constant dense<983055> : tensor<128xi32, #line>
    %line = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %m = tt.elementwise_inline_asm "{ .reg .b32 t; lop3.b32 t, $1, $2, 0, 0xc0; mov.b32 $0, t; }" {constraints = "=r,r,n", packed_element = 1 : i32, pure = true} %line, %mask : tensor<128xi32, #line>, tensor<128xi32, #line> -> tensor<128xi32, #line>
    %to = tt.splat %z : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #line>
    tt.store %to, %m {tawa.vector = 4 : i32} : tensor<128x!tt.ptr<i32>, #line>
    // Without operands it is run once.
    // CHECK: sm90.inline_asm "mov.u64 $0, 1;  ", "=l" () : () -> i64
    %t = tt.elementwise_inline_asm "mov.u64 $0, 1; // no clock" {constraints = "=l", packed_element = 1 : i32, pure = false} -> i64
  }
  tt.return
}

// -----

#line = #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>

// CHECK-LABEL: func.func @map
tt.func public @map(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %v = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #line>
    // Two elements to a call.
    // CHECK: %[[SUM:.*]] = arith.muli %[[A:.*]], %[[B:.*]] : i32
    // CHECK: %[[DIFFERENCE:.*]] = arith.subi %[[A]], %[[B]] : i32
    // CHECK: sm90.store_global %{{.*}}, %[[SUM]]
    // CHECK: sm90.store_global %{{.*}}, %[[DIFFERENCE]]
    %w = "tt.map_elementwise"(%v) <{pack = 2 : i32}> ({
    ^bb0(%a : i32, %b : i32):
      %s = arith.muli %a, %b : i32
      %d = arith.subi %a, %b : i32
      tt.map_elementwise.return %s, %d : i32, i32
    }) : (tensor<64xi32, #line>) -> tensor<64xi32, #line>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #line>
    tt.store %p, %w : tensor<64x!tt.ptr<i32>, #line>
  }
  tt.return
}
