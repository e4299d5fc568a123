// Only dots that wgmma takes become asynchronous; the others stay tt.dot.
// RUN: tawa-opt %s --tawa-pipeline-dots -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-dots -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-pipeline-dots{{$}}
// COUNTS: {{^ *}}4 num-awaited:
// COUNTS-NEXT: 4 the dot does not accumulate into a value carried by its own loop
// COUNTS: {{^ *}}7 num-elsewhere:
// COUNTS: {{^ *}}1 num-promoted:

// CHECK-LABEL: tt.func private @units
tt.func private @units(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>,
               %few: tensor<16x64xf16>, %fewc: tensor<16x64xf32>, %thin: tensor<64x8xf16>, %thinb: tensor<8x64xf16>,
               %f: tensor<64x64xf32>, %d: tensor<64x64xf64>, %i: tensor<64x64xi8>, %ic: tensor<64x64xi32>,
               %e: tensor<64x64xf8E4M3FN>, %cube: tensor<2x64x64xf16>, %cubec: tensor<2x64x64xf32>) {
  tawa.warp_group main warps(4) registers(0) {
    // CHECK: tawa.dot_issue
    // CHECK: tawa.dot_wait {{.*}} pendings(0)
    %0 = tt.dot %a, %b, %c : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    // 16 rows.
    // CHECK-NEXT: tt.dot
    %1 = tt.dot %few, %b, %fewc : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    // K of 16 bytes.
    // CHECK-NEXT: tt.dot
    %2 = tt.dot %thin, %thinb, %c : tensor<64x8xf16> * tensor<8x64xf16> -> tensor<64x64xf32>
    // f32 as tf32, if the text says so.
    // CHECK: tawa.dot_issue
    // CHECK: tawa.dot_wait
    %3 = tt.dot %f, %f, %c, inputPrecision = tf32 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    // CHECK-NEXT: tt.dot
    %4 = tt.dot %f, %f, %c : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    // CHECK-NEXT: tt.dot
    %5 = tt.dot %d, %d, %d : tensor<64x64xf64> * tensor<64x64xf64> -> tensor<64x64xf64>
    // 8-bit integers.
    // CHECK: tawa.dot_issue {{.*}}tensor<64x64xi8>
    %6 = tt.dot %i, %i, %ic : tensor<64x64xi8> * tensor<64x64xi8> -> tensor<64x64xi32>
    // 8-bit floats, where wgmma may sum all products; where it may not, it works piece by piece, and where it may not sum the
    // 32 of one instruction, mma.sync computes.
    // CHECK: tawa.dot_issue {{.*}}tensor<64x64xf8E4M3FN>
    // CHECK: tawa.dot_wait {{.*}} pendings(1) {{.*}}tensor<64x64xi32>
    // CHECK: tawa.dot_wait {{.*}} pendings(0) {{.*}}tensor<64x64xf32>
    %7 = tt.dot %e, %e, %c {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    // CHECK-NEXT: tt.dot
    %8 = tt.dot %e, %e, %c {maxNumImpreciseAcc = 32 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    // CHECK-NEXT: tt.dot
    %10 = tt.dot %e, %e, %c {maxNumImpreciseAcc = 16 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    // CHECK-NEXT: tt.dot
    %9 = tt.dot %cube, %cube, %cubec : tensor<2x64x64xf16> * tensor<2x64x64xf16> -> tensor<2x64x64xf32>
    // CHECK-NOT: tawa.dot
  }
  tt.return
}

// -----

// Two warps are no warp group.
// CHECK-LABEL: tt.func private @warps
// CHECK-NOT: tawa.dot
// CHECK: tt.dot
tt.func private @warps(%a: tensor<64x64xf16>, %c: tensor<64x64xf32>) {
  tawa.warp_group main warps(2) registers(0) {
    %0 = tt.dot %a, %a, %c : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  }
  tt.return
}
