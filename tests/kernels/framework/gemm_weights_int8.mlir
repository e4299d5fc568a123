// Weights of 8 bits, converted and scaled before each product: one role, whose loop loads ahead.
// run: grid=1 args=f16[64,256] i8[256,64] f16[256] f32[64,64] i32:192
module {
  tt.func public @gemm_weights_int8(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) {
    %cz = arith.constant dense<0.0> : tensor<64x64xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %z8 = arith.constant dense<0> : tensor<64x64xi8>
    %zh = arith.constant dense<0.0> : tensor<64x64xf16>
    %w64 = arith.constant dense<64> : tensor<64x1xi32>
    %w256 = arith.constant dense<256> : tensor<64x1xi32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %cols = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %out = scf.for %k = %c0 to %K step %c64 iter_args(%acc = %cz) -> (tensor<64x64xf32>) : i32 {
      %kk = tt.splat %k : i32 -> tensor<64xi32>
      %ki = arith.addi %kk, %r : tensor<64xi32>
      %kc = tt.expand_dims %ki {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %kr = tt.expand_dims %ki {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %kend = tt.splat %K : i32 -> tensor<1x64xi32>
      %km = arith.cmpi slt, %kc, %kend : tensor<1x64xi32>
      %kmask = tt.broadcast %km : tensor<1x64xi1> -> tensor<64x64xi1>
      %kend2 = tt.splat %K : i32 -> tensor<64x1xi32>
      %km2 = arith.cmpi slt, %kr, %kend2 : tensor<64x1xi32>
      %kmask2 = tt.broadcast %km2 : tensor<64x1xi1> -> tensor<64x64xi1>
      %ao = arith.muli %rows, %w256 : tensor<64x1xi32>
      %ap0 = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %ap1 = tt.addptr %ap0, %ao : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %ap2 = tt.broadcast %ap1 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %kcb = tt.broadcast %kc : tensor<1x64xi32> -> tensor<64x64xi32>
      %ap = tt.addptr %ap2, %kcb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %at = tt.load %ap, %kmask, %zh : tensor<64x64x!tt.ptr<f16>>
      %bo = arith.muli %kr, %w64 : tensor<64x1xi32>
      %bp0 = tt.splat %b : !tt.ptr<i8> -> tensor<64x1x!tt.ptr<i8>>
      %bp1 = tt.addptr %bp0, %bo : tensor<64x1x!tt.ptr<i8>>, tensor<64x1xi32>
      %bp2 = tt.broadcast %bp1 : tensor<64x1x!tt.ptr<i8>> -> tensor<64x64x!tt.ptr<i8>>
      %cb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
      %bp = tt.addptr %bp2, %cb : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
      %bt = tt.load %bp, %kmask2, %z8 : tensor<64x64x!tt.ptr<i8>>
      %sp0 = tt.splat %s : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %sp = tt.addptr %sp0, %ki : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %st = tt.load %sp : tensor<64x!tt.ptr<f16>>
      %s1 = tt.expand_dims %st {axis = 1 : i32} : tensor<64xf16> -> tensor<64x1xf16>
      %sb = tt.broadcast %s1 : tensor<64x1xf16> -> tensor<64x64xf16>
      %bf = arith.sitofp %bt : tensor<64x64xi8> to tensor<64x64xf16>
      %bs = arith.mulf %bf, %sb : tensor<64x64xf16>
      %d = tt.dot %at, %bs, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %co = arith.muli %rows, %w64 : tensor<64x1xi32>
    %cp0 = tt.splat %c : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %cp1 = tt.addptr %cp0, %co : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %cp2 = tt.broadcast %cp1 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %ccb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
    %cp = tt.addptr %cp2, %ccb : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %cp, %out : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
