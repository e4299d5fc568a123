// An error names file, line and column: of the operation's name where the parser finds it; of what the operation's
// loc(...) says where the verifier does, unless locations are stripped.
// RUN: not tawa-opt %s 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not tawa-opt %s --tawa-strip-locations 2>&1 | FileCheck %s --check-prefix=STRIPPED
// RUN: sed -e 's/= tt.trans/= tt.reinterpret_tensor_descriptor/' %s | not tawa-opt 2>&1 | FileCheck %s --check-prefix=PARSED

#loc1 = loc("kernel.py":7:11)
tt.func @f(%x: f32 loc("x"(#loc1))) {
  %t = tt.splat %x : f32 -> tensor<64x32xf32> loc(#loc1)
  // KEPT: kernel.py:7:11: error: 'tt.trans' op order [0, 0] is not a permutation
  // STRIPPED: place.mlir:[[#@LINE+2]]:8: error: 'tt.trans' op order [0, 0] is not a permutation
  // PARSED: <stdin>:[[#@LINE+1]]:8: error: custom op 'tt.reinterpret_tensor_descriptor' is not supported: it works on descriptors
  %u = tt.trans %t {order = array<i32: 0, 0>} : tensor<64x32xf32> -> tensor<32x64xf32> loc(#loc1)
  tt.return loc(#loc1)
} loc(#loc1)
