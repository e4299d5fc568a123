// Attention whose scores are sums of two products, over a part of each head without and one with positions (multi-head latent attention).
// run: grid=2 args=f16[128,192] f16[192,192] f16[192,64] f16[128,64] i32:150
module {
  tt.func public @attn_two_parts(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %keys: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %rows = arith.constant 64 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %scale = arith.constant dense<1.250000e-01> : tensor<64x64xf32>
    %low = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %lowest = arith.constant dense<0xFF800000> : tensor<64xf32>
    %nothing = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %padn = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %padr = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %padv = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %ldq = arith.constant dense<192> : tensor<64x1xi32>
    %ldk = arith.constant dense<192> : tensor<1x64xi32>
    %ldv = arith.constant dense<64> : tensor<64x1xi32>
    %ldo = arith.constant dense<64> : tensor<64x1xi32>
    %past = arith.constant dense<128> : tensor<64xi32>
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %rows : i32
    %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %r128 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %row = arith.addi %firsts, %r64 : tensor<64xi32>
    %rowc = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rope = arith.addi %r64, %past : tensor<64xi32>
    %qrow = arith.muli %rowc, %ldq : tensor<64x1xi32>
    %qnc = tt.expand_dims %r128 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %qnrb = tt.broadcast %qrow : tensor<64x1xi32> -> tensor<64x128xi32>
    %qncb = tt.broadcast %qnc : tensor<1x128xi32> -> tensor<64x128xi32>
    %qnoff = arith.addi %qnrb, %qncb : tensor<64x128xi32>
    %qns = tt.splat %q : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>>
    %qnp = tt.addptr %qns, %qnoff : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
    %qn = tt.load %qnp : tensor<64x128x!tt.ptr<f16>>
    %qrc = tt.expand_dims %rope {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %qrrb = tt.broadcast %qrow : tensor<64x1xi32> -> tensor<64x64xi32>
    %qrcb = tt.broadcast %qrc : tensor<1x64xi32> -> tensor<64x64xi32>
    %qroff = arith.addi %qrrb, %qrcb : tensor<64x64xi32>
    %qrs = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %qrp = tt.addptr %qrs, %qroff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %qr = tt.load %qrp : tensor<64x64x!tt.ptr<f16>>
    %res:3 = scf.for %at = %c0 to %keys step %step iter_args(%m = %lowest, %sum = %nothing, %acc = %zero) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) : i32 {
      %ats = tt.splat %at : i32 -> tensor<64xi32>
      %key = arith.addi %ats, %r64 : tensor<64xi32>
      %keyr = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %ends = tt.splat %keys : i32 -> tensor<1x64xi32>
      %there = arith.cmpi slt, %keyr, %ends : tensor<1x64xi32>
      %krow = arith.muli %keyr, %ldk : tensor<1x64xi32>
      %knc = tt.expand_dims %r128 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %knrb = tt.broadcast %krow : tensor<1x64xi32> -> tensor<128x64xi32>
      %kncb = tt.broadcast %knc : tensor<128x1xi32> -> tensor<128x64xi32>
      %knoff = arith.addi %knrb, %kncb : tensor<128x64xi32>
      %kns = tt.splat %k : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
      %knp = tt.addptr %kns, %knoff : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %knm = tt.broadcast %there : tensor<1x64xi1> -> tensor<128x64xi1>
      %kn = tt.load %knp, %knm, %padn : tensor<128x64x!tt.ptr<f16>>
      %s0 = tt.dot %qn, %kn, %none, inputPrecision = tf32 : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
      %krc = tt.expand_dims %rope {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %krrb = tt.broadcast %krow : tensor<1x64xi32> -> tensor<64x64xi32>
      %krcb = tt.broadcast %krc : tensor<64x1xi32> -> tensor<64x64xi32>
      %kroff = arith.addi %krrb, %krcb : tensor<64x64xi32>
      %krs = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %krp = tt.addptr %krs, %kroff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %krm = tt.broadcast %there : tensor<1x64xi1> -> tensor<64x64xi1>
      %kr = tt.load %krp, %krm, %padr : tensor<64x64x!tt.ptr<f16>>
      %s1 = tt.dot %qr, %kr, %s0, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %s2 = arith.mulf %s1, %scale : tensor<64x64xf32>
      %theres = tt.broadcast %there : tensor<1x64xi1> -> tensor<64x64xi1>
      %s = arith.select %theres, %s2, %low : tensor<64x64xi1>, tensor<64x64xf32>
      %most = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %z = arith.maxnumf %x, %y : f32
        tt.reduce.return %z : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %m1 = arith.maxnumf %m, %most : tensor<64xf32>
      %fall = arith.subf %m, %m1 : tensor<64xf32>
      %alpha = math.exp2 %fall : tensor<64xf32>
      %m1c = tt.expand_dims %m1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %m1b = tt.broadcast %m1c : tensor<64x1xf32> -> tensor<64x64xf32>
      %d = arith.subf %s, %m1b : tensor<64x64xf32>
      %p = math.exp2 %d : tensor<64x64xf32>
      %psum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tt.reduce.return %z : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %sa = arith.mulf %sum, %alpha : tensor<64xf32>
      %sum1 = arith.addf %sa, %psum : tensor<64xf32>
      %ac = tt.expand_dims %alpha {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %ab = tt.broadcast %ac : tensor<64x1xf32> -> tensor<64x64xf32>
      %scaled = arith.mulf %acc, %ab : tensor<64x64xf32>
      %keyc = tt.expand_dims %key {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %vrow = arith.muli %keyc, %ldv : tensor<64x1xi32>
      %vrb = tt.broadcast %vrow : tensor<64x1xi32> -> tensor<64x64xi32>
      %vc = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %vcb = tt.broadcast %vc : tensor<1x64xi32> -> tensor<64x64xi32>
      %voff = arith.addi %vrb, %vcb : tensor<64x64xi32>
      %vs = tt.splat %v : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %vp = tt.addptr %vs, %voff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %vends = tt.splat %keys : i32 -> tensor<64x1xi32>
      %vthere = arith.cmpi slt, %keyc, %vends : tensor<64x1xi32>
      %vm = tt.broadcast %vthere : tensor<64x1xi1> -> tensor<64x64xi1>
      %value = tt.load %vp, %vm, %padv : tensor<64x64x!tt.ptr<f16>>
      %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %acc1 = tt.dot %ph, %value, %scaled, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %m1, %sum1, %acc1 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %sc = tt.expand_dims %res#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %sb = tt.broadcast %sc : tensor<64x1xf32> -> tensor<64x64xf32>
    %mean = arith.divf %res#2, %sb : tensor<64x64xf32>
    %half = arith.truncf %mean : tensor<64x64xf32> to tensor<64x64xf16>
    %orow = arith.muli %rowc, %ldo : tensor<64x1xi32>
    %orb = tt.broadcast %orow : tensor<64x1xi32> -> tensor<64x64xi32>
    %oc = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %ocb = tt.broadcast %oc : tensor<1x64xi32> -> tensor<64x64xi32>
    %ooff = arith.addi %orb, %ocb : tensor<64x64xi32>
    %os = tt.splat %o : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %op = tt.addptr %os, %ooff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    tt.store %op, %half : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
