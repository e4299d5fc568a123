// Rings whose depth is open give back slots until everything fits: here 20 slots of 16 KiB, of which 14 fit.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-to-sm90 --canonicalize --cse | FileCheck %s

// Fourteen slots, full barriers at 229376, empty ones 112 bytes behind.
// CHECK-LABEL: func.func @fits
// CHECK-SAME: sm90.shared_bytes = 229600 : i32
// CHECK-SAME: tawa.ring_depth = 14 : i32
// CHECK-DAG: arith.constant 229376 : i32
// CHECK-DAG: arith.constant 229488 : i32
// CHECK: arith.remui {{.*}}, %c14_i32
tt.func public @fits(%d: !tt.tensordesc<tensor<128x64xf16>>, %n: i32) attributes {tawa.least_depth = 2 : i32, tawa.ring_depth = 20 : i32} {
  %ring = tawa.create_aref : !tawa.aref<20, [tensor<128x64xf16>]>
  tawa.warp_group "producer" warps(4) registers(40) {
    %a = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    tawa.put %ring[%n], %a : !tawa.aref<20, [tensor<128x64xf16>]>, tensor<128x64xf16>
  }
  tawa.warp_group "consumer" warps(4) registers(232) {
    %t = tawa.get %ring[%n] : !tawa.aref<20, [tensor<128x64xf16>]> -> tensor<128x64xf16>
    tawa.consumed %ring[%n] : !tawa.aref<20, [tensor<128x64xf16>]>
  }
  tt.return
}
