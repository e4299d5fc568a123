// Two warp groups share a 128x128 accumulator: each issues m64n128k16 four times over 64 columns of K, its A rows found at run time
// from its index; 32 bytes of K further is 2 more in the descriptor.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-lower-aref{{$}}
// COUNTS: {{^ *}}4 num-dots:
// COUNTS-NEXT: 4 sm90.wgmma
// COUNTS: {{^ *}}209 num-operations:
// COUNTS: {{^ *}}1 num-rings:
// COUNTS: {{^ *}}1 num-roles:

// CHECK-LABEL: func.func @dot
tt.func public @dot(%n: i32, %dc: !tt.tensordesc<tensor<128x128xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<128x64xf16>, tensor<128x64xf16>]>
  tawa.warp_group consumer warps(8) registers(0) {
    %t:2 = tawa.get %ring[%n] : !tawa.aref<1, [tensor<128x64xf16>, tensor<128x64xf16>]> -> tensor<128x64xf16>, tensor<128x64xf16>
    %v = tt.trans %t#1 {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
    // Zeros need not be brought: the first instruction does not read the accumulator.
    // CHECK: [[START:%.*]] = sm90.acc_undef : <64x128xf32>
    // CHECK: [[GROUP:%.*]] = arith.shrui {{.*}}, %c2_i32
    // CHECK: [[BIT:%.*]] = arith.andi [[GROUP]], %c1_i32
    // CHECK: [[ROWS:%.*]] = arith.muli [[BIT]], %c8192_i32
    // K-major, 128-byte swizzle: 1024 bytes from one group of 8 rows to the next.
    // CHECK: [[A0:%.*]] = arith.ori {{.*}}, %c4611686293305294848_i64
    // CHECK: [[B0:%.*]] = arith.ori {{.*}}, %c4611686293305294848_i64
    // CHECK: sm90.wgmma_fence
    // CHECK: [[W0:%.*]] = sm90.wgmma [[START]], [[A0]], [[B0]], %false {aType = f16, bType = f16}
    // CHECK: [[A1:%.*]] = arith.addi [[A0]], %c2_i64
    // CHECK: [[B1:%.*]] = arith.addi [[B0]], %c2_i64
    // CHECK: [[W1:%.*]] = sm90.wgmma [[W0]], [[A1]], [[B1]], %true
    // CHECK: [[W2:%.*]] = sm90.wgmma [[W1]]
    // CHECK: [[W3:%.*]] = sm90.wgmma [[W2]]
    // CHECK-NEXT: sm90.wgmma_commit
    // CHECK: sm90.wgmma_wait 0 [[W3]] : (!sm90.inflight<64x128xf32>) -> !sm90.accumulator<64x128xf32>
    %false = arith.constant false
    %b = tawa.dot_begin %zero overwritten : tensor<128x128xf32> -> !tawa.inflight<tensor<128x128xf32>>
    %i = tawa.dot_issue %t#0, %v, %b adding if %false : tensor<128x64xf16>, tensor<64x128xf16> -> !tawa.inflight<tensor<128x128xf32>>
    %w = tawa.dot_wait %i pendings(0) : !tawa.inflight<tensor<128x128xf32>> -> tensor<128x128xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<128x64xf16>, tensor<128x64xf16>]>
    // The store goes out in panels of 16 rows by 64 columns, two per warp.
    // CHECK: sm90.bulk_wait 1 {read}
    // CHECK: sm90.warp_sync
    // CHECK: sm90.cvt_pack {{.*}} {type = f16}
    // CHECK-COUNT-4: sm90.stmatrix
    // CHECK: sm90.fence_proxy_async
    // CHECK: sm90.warp_sync
    // CHECK: sm90.tma_store {{.*}} if
    // CHECK: sm90.bulk_commit if
    // CHECK-COUNT-4: sm90.stmatrix
    // CHECK: sm90.tma_store {{.*}} if
    // CHECK-NOT: sm90.tma_store
    // CHECK: sm90.bulk_wait 0 {read}
    %h = arith.truncf %w : tensor<128x128xf32> to tensor<128x128xf16>
    tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  }
  tt.return
}
