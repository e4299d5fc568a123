// Linear attention, one program for all chunks of a head, states from memory: o = (q k^T where key <= row) v + q state.
// run: grid=2 config="D=2 consumers=1" args=f16[384,64] f16[384,64] f16[384,64] f16[384,64] f16[384,64] i32:192
// run: grid=2 config="D=3 consumers=1 persistent=1" args=f16[128,64] f16[128,64] f16[128,64] f16[128,64] f16[128,64] i32:64
// run: grid=2 args=f16[384,64] f16[384,64] f16[384,64] f16[384,64] f16[384,64] i32:192
module {
  tt.func public @linear_chunk_walk(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %state: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %tokens: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %scale = arith.constant dense<1.250000e-01> : tensor<64x64xf32>
    %ldc = arith.constant dense<64> : tensor<64x1xi32>
    %ldr = arith.constant dense<64> : tensor<1x64xi32>
    %pid = tt.get_program_id x : i32
    %base = arith.muli %pid, %tokens : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %rc = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rr = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rcb = tt.broadcast %rc : tensor<64x1xi32> -> tensor<64x64xi32>
    %rrb = tt.broadcast %rr : tensor<1x64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sge, %rcb, %rrb : tensor<64x64xi32>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %vs = tt.splat %v : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ss = tt.splat %state : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %os = tt.splat %o : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    scf.for %at = %c0 to %tokens step %step : i32 {
      %first = arith.addi %base, %at : i32
      %firsts = tt.splat %first : i32 -> tensor<64xi32>
      %token = arith.addi %firsts, %r : tensor<64xi32>
      %tokenc = tt.expand_dims %token {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %tokenr = tt.expand_dims %token {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %rows = arith.muli %tokenc, %ldc : tensor<64x1xi32>
      %rowsb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
      %off = arith.addi %rowsb, %rrb : tensor<64x64xi32>
      %cols = arith.muli %tokenr, %ldr : tensor<1x64xi32>
      %colsb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
      %koff = arith.addi %colsb, %rcb : tensor<64x64xi32>
      %qp = tt.addptr %qs, %off : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %qt = tt.load %qp : tensor<64x64x!tt.ptr<f16>>
      %kp = tt.addptr %ks, %koff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>>
      %vp = tt.addptr %vs, %off : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %vt = tt.load %vp : tensor<64x64x!tt.ptr<f16>>
      %sp = tt.addptr %ss, %off : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %st = tt.load %sp : tensor<64x64x!tt.ptr<f16>>
      %inter = tt.dot %qt, %st, %zero, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %a0 = tt.dot %qt, %kt, %zero, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %a = arith.select %seen, %a0, %zero : tensor<64x64xi1>, tensor<64x64xf32>
      %ah = arith.truncf %a : tensor<64x64xf32> to tensor<64x64xf16>
      %intra = tt.dot %ah, %vt, %zero, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %both = arith.addf %intra, %inter : tensor<64x64xf32>
      %scaled = arith.mulf %both, %scale : tensor<64x64xf32>
      %half = arith.truncf %scaled : tensor<64x64xf32> to tensor<64x64xf16>
      %op = tt.addptr %os, %off : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      tt.store %op, %half : tensor<64x64x!tt.ptr<f16>>
    }
    tt.return
  }
}
