// No division may trap: divisors 0 and -1 are kept from the processor, and -1 negates.
//
// RUN: tawa-opt %s --tawa-sm90-to-host | FileCheck %s

// CHECK-LABEL: llvm.func @divide
func.func @divide(%p: !llvm.ptr<1>, %a: i32, %b: i32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[B:.*]], %
  // CHECK: %[[MINUS:.*]] = llvm.icmp "eq" %[[B]], %
  // CHECK: %[[UNSAFE:.*]] = llvm.or %[[ZERO]], %[[MINUS]]
  // CHECK: %[[SAFE:.*]] = llvm.select %[[UNSAFE]], %{{.*}}, %[[B]]
  // CHECK: %[[NEGATED:.*]] = llvm.sub %{{.*}}, %[[A:.*]] : i32
  // CHECK: %[[QUOTIENT:.*]] = llvm.sdiv %[[A]], %[[SAFE]]
  // CHECK: llvm.select %[[MINUS]], %[[NEGATED]], %[[QUOTIENT]]
  %0 = arith.divsi %a, %b : i32
  // CHECK: llvm.or
  // CHECK: %[[SAFE:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[B]]
  // CHECK: %[[REST:.*]] = llvm.srem %{{.*}}, %[[SAFE]]
  // CHECK-NOT: llvm.select
  %1 = arith.remsi %0, %b : i32
  // CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[B]], %
  // CHECK-NEXT: llvm.mlir.constant(1
  // CHECK-NEXT: %[[SAFE:.*]] = llvm.select %[[ZERO]], %{{.*}}, %[[B]]
  // CHECK-NEXT: llvm.udiv %[[REST]], %[[SAFE]]
  %2 = arith.divui %1, %b : i32
  // A constant that is neither is divided by as it is.
  // CHECK: %[[SEVEN:.*]] = llvm.mlir.constant(7
  // CHECK-NOT: llvm.select
  // CHECK: llvm.urem %{{.*}}, %[[SEVEN]]
  %c7 = arith.constant 7 : i32
  %3 = arith.remui %2, %c7 : i32
  sm90.store_global %p, %3 : i32
  return
}
