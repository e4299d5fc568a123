// A product of tiles that are loaded under masks which hold nowhere: one that is seen to when the text is read, and one that
// only the ranges of the threads tell. Both are zeros.
// run: grid=1 config="warps=1" args=f8e4m3[2048] f8e4m3[4096] f32[2048] f32[64]
module {
  tt.func public @never(%a: !tt.ptr<f8E4M3FN>, %b: !tt.ptr<f8E4M3FN>, %c: !tt.ptr<f32>, %d: !tt.ptr<f32>) attributes {noinline = false} {
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %width = arith.constant dense<64> : tensor<32x1xi32>
    %r2 = arith.muli %r1, %width : tensor<32x1xi32>
    %rr = tt.broadcast %r2 : tensor<32x1xi32> -> tensor<32x64xi32>
    %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %k1 = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %kk = tt.broadcast %k1 : tensor<1x64xi32> -> tensor<32x64xi32>
    %ai = arith.addi %rr, %kk : tensor<32x64xi32>
    %a0 = tt.splat %a : !tt.ptr<f8E4M3FN> -> tensor<32x64x!tt.ptr<f8E4M3FN>>
    %a1 = tt.addptr %a0, %ai : tensor<32x64x!tt.ptr<f8E4M3FN>>, tensor<32x64xi32>
    %never = arith.cmpi ne, %ai, %ai : tensor<32x64xi32>
    %at = tt.load %a1, %never : tensor<32x64x!tt.ptr<f8E4M3FN>>
    %kc = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %width2 = arith.constant dense<64> : tensor<64x1xi32>
    %k2 = arith.muli %kc, %width2 : tensor<64x1xi32>
    %bk = tt.broadcast %k2 : tensor<64x1xi32> -> tensor<64x64xi32>
    %bn = tt.broadcast %k1 : tensor<1x64xi32> -> tensor<64x64xi32>
    %bi = arith.addi %bk, %bn : tensor<64x64xi32>
    %b0 = tt.splat %b : !tt.ptr<f8E4M3FN> -> tensor<64x64x!tt.ptr<f8E4M3FN>>
    %b1 = tt.addptr %b0, %bi : tensor<64x64x!tt.ptr<f8E4M3FN>>, tensor<64x64xi32>
    %bt = tt.load %b1 : tensor<64x64x!tt.ptr<f8E4M3FN>>
    %zero = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %p = tt.dot %at, %bt, %zero : tensor<32x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<32x64xf32>
    %c0 = tt.splat %c : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %c1 = tt.addptr %c0, %ai : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    tt.store %c1, %p : tensor<32x64x!tt.ptr<f32>>
    %beyond = arith.constant dense<64> : tensor<64xi32>
    %out = arith.cmpi uge, %k, %beyond : tensor<64xi32>
    %v0 = tt.splat %b : !tt.ptr<f8E4M3FN> -> tensor<64x!tt.ptr<f8E4M3FN>>
    %v1 = tt.addptr %v0, %k : tensor<64x!tt.ptr<f8E4M3FN>>, tensor<64xi32>
    %v = tt.load %v1, %out : tensor<64x!tt.ptr<f8E4M3FN>>
    %w = tt.fp_to_fp %v : tensor<64xf8E4M3FN> -> tensor<64xf32>
    %d0 = tt.splat %d : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %d1 = tt.addptr %d0, %k : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %d1, %w : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
