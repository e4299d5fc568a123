// Text of newer LLVM releases reads: the flags that MLIR 19 does not know are gone, the rest is as it was.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s -mlir-print-debuginfo | FileCheck %s --check-prefix=NOLOC

// The alias is used, inside of another location, before it is defined: no location is kept.
// NOLOC-NOT: newer.py

// CHECK-LABEL: tt.func @newer
tt.func @newer(%c: i1, %x: i64, %y: i8) {
  // CHECK-NEXT: llvm.intr.assume
  llvm.intr.assume %c : i1 loc("assume"(#later))
  // CHECK-NEXT: arith.trunci %{{.*}} : i64 to i32
  %0 = arith.trunci %x overflow<nsw, nuw> : i64 to i32 loc(#later)
  // CHECK-NEXT: arith.extui %{{.*}} : i8 to i32
  %1 = arith.extui %y nneg : i8 to i32
  // CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  %2 = arith.addi %0, %1 overflow<nsw> : i32
  // CHECK-NEXT: cf.cond_br %{{.*}}, ^bb1, ^bb2
  cf.cond_br %c weights([1, 99]), ^bb1, ^bb2
^bb1:
  tt.return
^bb2:
  tt.return
}
#later = loc("newer.py":1:1)
