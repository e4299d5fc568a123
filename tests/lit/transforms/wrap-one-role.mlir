// A declined kernel is one role. Its warps follow from the largest tensor unless the configuration says how many.
// RUN: tawa-opt %s --tawa-wrap-one-role -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-wrap-one-role="warps=2" -split-input-file | FileCheck %s --check-prefix=TWO

// CHECK-LABEL: @scalars
// CHECK-NEXT: tawa.warp_group "main" warps(1) registers(0) {
// CHECK-NEXT:   %[[C:.*]] = arith.constant 1 : i32
// CHECK-NEXT:   tt.store %{{.*}}, %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: tt.return
// TWO: tawa.warp_group "main" warps(2)
module attributes {tawa.declined = "reason"} {
  tt.func public @scalars(%p: !tt.ptr<i32>) {
    %c = arith.constant 1 : i32
    tt.store %p, %c : !tt.ptr<i32>
    tt.return
  }
}

// -----

// CHECK-LABEL: @two_warps
// CHECK: tawa.warp_group "main" warps(2)
module attributes {tawa.declined = "reason"} {
  tt.func public @two_warps() {
    %c = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    tt.return
  }
}

// -----

// CHECK-LABEL: @four_warps
// CHECK: tawa.warp_group "main" warps(4)
module attributes {tawa.declined = "reason"} {
  tt.func public @four_warps() {
    %c = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    tt.return
  }
}

// -----

// A dot has whole warp groups, however small it is.
// CHECK-LABEL: @small_dot
// CHECK: tawa.warp_group "main" warps(4)
module attributes {tawa.declined = "reason"} {
  tt.func public @small_dot() {
    %a = arith.constant dense<0.0> : tensor<16x16xf16>
    %c = arith.constant dense<0.0> : tensor<16x16xf32>
    %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.return
  }
}

// -----

// CHECK-LABEL: @eight_warps
// CHECK: tawa.warp_group "main" warps(8)
module attributes {tawa.declined = "reason"} {
  tt.func public @eight_warps() {
    %c = arith.constant dense<0.0> : tensor<128x128xf32>
    tt.return
  }
}

// -----

// CHECK-LABEL: @sixteen_warps
// CHECK: tawa.warp_group "main" warps(16)
module attributes {tawa.declined = "reason"} {
  tt.func public @sixteen_warps() {
    %c = arith.constant dense<0.0> : tensor<256x256xf32>
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
