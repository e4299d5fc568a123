// A product whose result is an operand of another one, without a loop: the second one's operands take the bytes of the first one's.
// Written for Tawa, after a random program of tests/conformance.
// run: grid=1 args=f16[8192]=-1..1 f16[2048]=-1..1 f32[1024]=-1..1 f32[4096]
module {
  tt.func public @misc_dot_after_dot(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r128 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %row128 = tt.expand_dims %r128 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %row64 = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %row32 = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %column64 = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %column32 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>

    %lengthA = arith.constant dense<64> : tensor<128x1xi32>
    %beginA = arith.muli %row128, %lengthA : tensor<128x1xi32>
    %beginsA = tt.broadcast %beginA : tensor<128x1xi32> -> tensor<128x64xi32>
    %columnsA = tt.broadcast %column64 : tensor<1x64xi32> -> tensor<128x64xi32>
    %placeA = arith.addi %beginsA, %columnsA : tensor<128x64xi32>
    %baseA = tt.splat %a : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %fromA = tt.addptr %baseA, %placeA : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %tileA = tt.load %fromA : tensor<128x64x!tt.ptr<f16>>

    %lengthB = arith.constant dense<32> : tensor<64x1xi32>
    %beginB = arith.muli %row64, %lengthB : tensor<64x1xi32>
    %beginsB = tt.broadcast %beginB : tensor<64x1xi32> -> tensor<64x32xi32>
    %columnsB = tt.broadcast %column32 : tensor<1x32xi32> -> tensor<64x32xi32>
    %placeB = arith.addi %beginsB, %columnsB : tensor<64x32xi32>
    %baseB = tt.splat %b : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %fromB = tt.addptr %baseB, %placeB : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %tileB = tt.load %fromB : tensor<64x32x!tt.ptr<f16>>

    %none = arith.constant dense<0.000000e+00> : tensor<128x32xf32>
    %first = tt.dot %tileA, %tileB, %none : tensor<128x64xf16> * tensor<64x32xf16> -> tensor<128x32xf32>

    %lengthW = arith.constant dense<32> : tensor<32x1xi32>
    %beginW = arith.muli %row32, %lengthW : tensor<32x1xi32>
    %beginsW = tt.broadcast %beginW : tensor<32x1xi32> -> tensor<32x32xi32>
    %columnsW = tt.broadcast %column32 : tensor<1x32xi32> -> tensor<32x32xi32>
    %placeW = arith.addi %beginsW, %columnsW : tensor<32x32xi32>
    %baseW = tt.splat %w : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %fromW = tt.addptr %baseW, %placeW : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %tileW = tt.load %fromW : tensor<32x32x!tt.ptr<f32>>
    %second = tt.dot %first, %tileW, %none : tensor<128x32xf32> * tensor<32x32xf32> -> tensor<128x32xf32>

    %lengthC = arith.constant dense<32> : tensor<128x1xi32>
    %beginC = arith.muli %row128, %lengthC : tensor<128x1xi32>
    %beginsC = tt.broadcast %beginC : tensor<128x1xi32> -> tensor<128x32xi32>
    %columnsC = tt.broadcast %column32 : tensor<1x32xi32> -> tensor<128x32xi32>
    %placeC = arith.addi %beginsC, %columnsC : tensor<128x32xi32>
    %baseC = tt.splat %c : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
    %toC = tt.addptr %baseC, %placeC : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
    tt.store %toC, %second : tensor<128x32x!tt.ptr<f32>>
    tt.return
  }
}
