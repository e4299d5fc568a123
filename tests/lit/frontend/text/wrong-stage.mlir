// Text of a later stage of Triton, and types of other machines, are refused with a reason.
// RUN: not tawa-opt %s 2>&1 | FileCheck %s
// RUN: sed -e 's/#ttg.blocked<{order = .0.}>/"other"/' %s | not tawa-opt 2>&1 | FileCheck %s --check-prefix=OP
// RUN: echo 'tt.func @f(%%x: tensor<16xf8E4M3FNUZ>) { tt.return }' | not tawa-opt 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: echo 'module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {}' | tawa-opt

// CHECK: wrong-stage.mlir:[[#@LINE+1]]:12: error: '#ttg.blocked' belongs to a later stage of Triton (.ttgir); Tawa reads .ttir or .source
#blocked = #ttg.blocked<{order = [0]}>
tt.func @f(%x: tensor<16xf32, #blocked>) {
  // OP: error: 'ttg.convert_layout' belongs to a later stage of Triton (.ttgir)
  %0 = ttg.convert_layout %x : tensor<16xf32, #blocked> -> tensor<16xf32, #blocked>
  tt.return
}
// TYPE: <stdin>:1:25: error: the type f8E4M3FNUZ is not supported by this version of Tawa: it is not a type of NVIDIA hardware
