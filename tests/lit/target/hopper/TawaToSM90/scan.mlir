// A scan joins blocks of 2^k elements, bit by bit of the axis: in registers, by shuffles, through scratch.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#line = #tawa.linear<[256], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>

// CHECK-LABEL: func.func @sums
// CHECK-SAME: sm90.shared_bytes = 16 : i32
tt.func public @sums(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #line>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #line>
    %p = tt.addptr %xs, %r : tensor<256x!tt.ptr<i32>, #line>, tensor<256xi32, #line>
    %v = tt.load %p {tawa.vector = 2 : i32} : tensor<256x!tt.ptr<i32>, #line>
    // CHECK: %[[V:.*]]:2 = sm90.load_global
    // CHECK: %[[PAIR:.*]] = arith.addi %[[V]]#0, %[[V]]#1
    // CHECK: %[[LEFT:.*]] = sm90.shuffle bfly %[[PAIR]], %c1_i32
    // CHECK: arith.addi %[[LEFT]], %[[V]]#0
    // CHECK-COUNT-4: sm90.shuffle bfly
    // CHECK-NOT: sm90.shuffle bfly
    // Each warp shows its total once, and all read the four in one access.
    // CHECK: sm90.store_shared %{{.*}} if %{{.*}} : i32
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: %[[TOTALS:.*]]:4 = sm90.load_shared
    // CHECK: %[[TWO:.*]] = arith.addi %[[TOTALS]]#0, %[[TOTALS]]#1
    // CHECK: %[[BEFORE:.*]] = arith.select %{{.*}}, %[[TWO]], %[[TOTALS]]#0
    // The first warp has nothing before it.
    // CHECK: arith.cmpi uge, %{{.*}}, %c1_i32
    %s = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a : i32, %b : i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<256xi32, #line>) -> tensor<256xi32, #line>
    // In place, through the same pointers in the same threads: no barrier is needed for that.
    // CHECK-NOT: sm90.barrier_sync
    // CHECK: sm90.store_global
    tt.store %p, %s{tawa.vector = 2 : i32} : tensor<256x!tt.ptr<i32>, #line>
  }
  tt.return
}
