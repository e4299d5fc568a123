// Attention within windows of 64 tokens, its heads projected to the output at once: y = sum over heads of softmax(q k^T) v w.
// run: grid=4 config="D=2 consumers=1" args=f16[256,256] f16[256,256] f16[256,256] f16[256,64] f32[256,64] i32:256
// run: grid=1 config="D=1 consumers=1" args=f16[64,64] f16[64,64] f16[64,64] f16[64,64] f32[64,64] i32:64
// run: grid=2 args=f16[128,128] f16[128,128] f16[128,128] f16[128,64] f32[128,64] i32:128
module {
  tt.func public @attn_heads_projected(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %columns: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %scale = arith.constant dense<1.250000e-01> : tensor<64x64xf32>
    %ldw = arith.constant dense<64> : tensor<64x1xi32>
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %token = arith.addi %firsts, %r : tensor<64xi32>
    %tokenc = tt.expand_dims %token {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tokenr = tt.expand_dims %token {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %ldc = tt.splat %columns : i32 -> tensor<64x1xi32>
    %ldr = tt.splat %columns : i32 -> tensor<1x64xi32>
    %rows = arith.muli %tokenc, %ldc : tensor<64x1xi32>
    %cols = arith.muli %tokenr, %ldr : tensor<1x64xi32>
    %rowsb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %colsb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
    %rc = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rr = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rrb = tt.broadcast %rr : tensor<1x64xi32> -> tensor<64x64xi32>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %vs = tt.splat %v : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ws = tt.splat %w : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %sum = scf.for %at = %c0 to %columns step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %ats = tt.splat %at : i32 -> tensor<64xi32>
      %column = arith.addi %ats, %r : tensor<64xi32>
      %columnr = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %columnc = tt.expand_dims %column {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %columnrb = tt.broadcast %columnr : tensor<1x64xi32> -> tensor<64x64xi32>
      %columncb = tt.broadcast %columnc : tensor<64x1xi32> -> tensor<64x64xi32>
      %qoff = arith.addi %rowsb, %columnrb : tensor<64x64xi32>
      %qp = tt.addptr %qs, %qoff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %qt = tt.load %qp : tensor<64x64x!tt.ptr<f16>>
      %koff = arith.addi %colsb, %columncb : tensor<64x64xi32>
      %kp = tt.addptr %ks, %koff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>>
      %s0 = tt.dot %qt, %kt, %zero, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %s = arith.mulf %s0, %scale : tensor<64x64xf32>
      %most = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %mostc = tt.expand_dims %most {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %mostb = tt.broadcast %mostc : tensor<64x1xf32> -> tensor<64x64xf32>
      %d = arith.subf %s, %mostb : tensor<64x64xf32>
      %p = math.exp2 %d : tensor<64x64xf32>
      %total = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %voff = arith.addi %rowsb, %columnrb : tensor<64x64xi32>
      %vp = tt.addptr %vs, %voff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %vt = tt.load %vp : tensor<64x64x!tt.ptr<f16>>
      %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %ph, %vt, %zero, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %totalc = tt.expand_dims %total {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %totalb = tt.broadcast %totalc : tensor<64x1xf32> -> tensor<64x64xf32>
      %mean = arith.divf %o, %totalb : tensor<64x64xf32>
      %meanh = arith.truncf %mean : tensor<64x64xf32> to tensor<64x64xf16>
      %wrow = arith.muli %columnc, %ldw : tensor<64x1xi32>
      %wrowb = tt.broadcast %wrow : tensor<64x1xi32> -> tensor<64x64xi32>
      %woff = arith.addi %wrowb, %rrb : tensor<64x64xi32>
      %wp = tt.addptr %ws, %woff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %wt = tt.load %wp : tensor<64x64x!tt.ptr<f16>>
      %next = tt.dot %meanh, %wt, %acc, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    %yrow = arith.muli %tokenc, %ldw : tensor<64x1xi32>
    %yrowb = tt.broadcast %yrow : tensor<64x1xi32> -> tensor<64x64xi32>
    %yoff = arith.addi %yrowb, %rrb : tensor<64x64xi32>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %yoff : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %yp, %sum : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
