// Errors of the verifiers of scans, scalar functions, scaled products, inline assembly and calls; the numbers are
// those of the descriptions in compiler/frontend/TT.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// tt.scan C2: the axis.
tt.func private @scan_c2(%t: tensor<64xf32>) {
  // expected-error @+1 {{axis 1 is not one of the operand's 1 dimensions}}
  %0 = "tt.scan"(%t) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  tt.return
}

// -----

// tt.scan C3: results.
tt.func private @scan_c3(%t: tensor<64xf32>) {
  // expected-error @+1 {{result is 'tensor<32xf32>', but its operand is 'tensor<64xf32>'}}
  %0 = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<64xf32>) -> tensor<32xf32>
  tt.return
}

// -----

// tt.scan C4: the region takes each value twice.
tt.func private @scan_c4(%t: tensor<64xf32>) {
  // expected-error @+1 {{has a region of 1 arguments, but combines 1 values with 1 others}}
  %0 = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32):
    tt.scan.return %a : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  tt.return
}

// -----

// tt.scan C5: the region returns what it combines.
tt.func private @scan_c5(%t: tensor<64xf32>, %i: i32) {
  %0 = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{returns 'i32', but tt.scan combines 'f32'}}
    tt.scan.return %i : i32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  tt.return
}

// -----

// tt.scan C5: it ends in its own terminator.
tt.func private @scan_c5_end(%t: tensor<64xf32>) {
  // expected-error @+1 {{has a region that does not end in tt.scan.return}}
  %0 = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    llvm.unreachable
  }) : (tensor<64xf32>) -> tensor<64xf32>
  tt.return
}

// -----

// tt.cat C1: rank.
tt.func private @cat_c1(%t: tensor<8x8xf32>) {
  // expected-error @+1 {{operands are 'tensor<8x8xf32>', but only tensors of one dimension are put after each other; tt.join and tt.reshape do it for others}}
  %0 = tt.cat %t, %t : tensor<8x8xf32> -> tensor<16x8xf32>
  tt.return
}

// -----

// tt.cat C2: size.
tt.func private @cat_c2(%t: tensor<8xf32>) {
  // expected-error @+1 {{result is 'tensor<32xf32>', but must have shape [16] and element type 'f32'}}
  %0 = tt.cat %t, %t : tensor<8xf32> -> tensor<32xf32>
  tt.return
}

// -----

// tt.unsplat C1: one element.
tt.func private @unsplat_c1(%t: tensor<1x2xf32>) {
  // expected-error @+1 {{operand is 'tensor<1x2xf32>', but must have one element}}
  %0 = tt.unsplat %t : tensor<1x2xf32>
  tt.return
}

// -----

// tt.histogram C1: rank.
tt.func private @histogram_c1(%t: tensor<8x8xi32>) {
  // expected-error @+1 {{counts 'tensor<8x8xi32>' into 'tensor<16xi32>', but both must have one dimension; tt.reshape gives it}}
  %0 = tt.histogram %t : tensor<8x8xi32> -> tensor<16xi32>
  tt.return
}

// -----

// tt.gather C1: other dimensions.
tt.func private @gather_c1(%t: tensor<8x8xf32>, %i: tensor<4x4xi32>) {
  // expected-error @+1 {{dimension 1 has size 8 in the operand, but 4 in the indices; only the axis may differ}}
  %0 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<8x8xf32>, tensor<4x4xi32>) -> tensor<4x4xf32>
  tt.return
}

// -----

// tt.gather C2: the result.
tt.func private @gather_c2(%t: tensor<8xf32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{result is 'tensor<8xf32>', but must have shape [4] and element type 'f32'}}
  %0 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<8xf32>, tensor<4xi32>) -> tensor<8xf32>
  tt.return
}

// -----

// tt.map_elementwise C2: the pack.
tt.func private @map_c2(%t: tensor<8xf32>) {
  // expected-error @+1 {{packs 3 elements, but that must be a power of two that divides 8}}
  %0 = "tt.map_elementwise"(%t) <{pack = 3 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    tt.map_elementwise.return %a, %b, %c : f32, f32, f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

// tt.map_elementwise C3: what the region takes.
tt.func private @map_c3(%t: tensor<8xf32>) {
  // expected-error @+1 {{has a region of 1 arguments, but is called with 2 elements}}
  %0 = "tt.map_elementwise"(%t) <{pack = 2 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a, %a : f32, f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

// tt.map_elementwise C4: what it returns.
tt.func private @map_c4(%t: tensor<8xf32>) {
  %0 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    // expected-error @+1 {{returns 2 values for 1 elements of tt.map_elementwise}}
    tt.map_elementwise.return %a, %a : f32, f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

// tt.map_elementwise C5: no stores.
tt.func @map_c5(%p: !tt.ptr<f32>, %x: f32) {
  %t = tt.splat %x : f32 -> tensor<8xf32>
  // expected-error @+1 {{writes to memory in its region; store its results instead}}
  %0 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    tt.store %p, %a : !tt.ptr<f32>
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

// T3: one shape.
tt.func private @t3(%a: tensor<8xf32>, %b: tensor<16xf32>) {
  // expected-error @+1 {{works element by element, but 'tensor<8xf32>' and 'tensor<16xf32>' have not the same shape}}
  %0 = tt.extern_elementwise %a, %b {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<8xf32>, tensor<16xf32>) -> tensor<8xf32>
  tt.return
}

// -----

// tt.extern_elementwise C1: a name.
tt.func @extern_c1(%a: f32) {
  // expected-error @+1 {{names no function; its symbol is empty}}
  %0 = tt.extern_elementwise %a {libname = "", libpath = "", pure = true, symbol = ""} : (f32) -> f32
  tt.return
}

// -----

// tt.elementwise_inline_asm C2: the pack.
tt.func @asm_c2(%a: f32) {
  // expected-error @+1 {{packs 3 elements, but that must be a power of two}}
  %0 = tt.elementwise_inline_asm "" {constraints = "=f,f", packed_element = 3 : i32, pure = true} %a : f32 -> f32
  tt.return
}

// -----

// tt.elementwise_inline_asm C3: registers. Four bytes share one.
tt.func private @asm_c3(%a: tensor<64xi8>) {
  // expected-error @+1 {{constraints name 1 outputs and 1 inputs, but 4 elements of each value take 2 and 1 registers}}
  %0 = tt.elementwise_inline_asm "" {constraints = "=r,r,~{memory}", packed_element = 4 : i32, pure = true} %a : tensor<64xi8> -> tensor<64xf16>
  tt.return
}

// -----

// tt.clampf C1: types.
tt.func @clampf_c1(%a: f32, %b: f16) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "tt.clampf"(%a, %b, %b) <{propagateNan = 0 : i32}> : (f32, f16, f16) -> f32
  tt.return
}

// -----

// tt.dot_scaled C2: how elements are held.
tt.func private @scaled_c2(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{a is 'tensor<16x32xf16>', which is not how e2m3 is held; 6-bit floats are not supported on Hopper}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = fp16 {fastMath = false} : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

// tt.dot_scaled C3: K of packed elements.
tt.func private @scaled_c3(%a: tensor<16x32xi8>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{K is 64 in a but 32 in b}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = fp16 {fastMath = false} : tensor<16x32xi8> * tensor<32x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

// tt.dot_scaled C4: scales of b are by its columns.
tt.func private @scaled_c4(%a: tensor<16x64xf16>, %b: tensor<64x32xf8E5M2>, %s: tensor<2x32xi8>, %c: tensor<16x32xf32>) {
  // expected-error @+1 {{scale of b is 'tensor<2x32xi8>', but must have shape [32, 2] and element type 'i8'}}
  %0 = tt.dot_scaled %a, %b scale %s, %c lhs = fp16 rhs = e5m2 {fastMath = false} : tensor<16x64xf16> * tensor<64x32xf8E5M2>, tensor<2x32xi8> -> tensor<16x32xf32>
  tt.return
}

// -----

// tt.dot_scaled: types for as many operands as there are.
tt.func private @scaled_types(%a: tensor<16x64xf16>, %b: tensor<64x32xf16>, %s: tensor<32x2xi8>, %c: tensor<16x32xf32>) {
  // expected-error @+1 {{has 4 operands, but types of 1 on the left and 1 on the right}}
  %0 = tt.dot_scaled %a, %b scale %s, %c lhs = fp16 rhs = fp16 {fastMath = false} : tensor<16x64xf16> * tensor<64x32xf16> -> tensor<16x32xf32>
  tt.return
}

// -----

// tt.call C1: types.
tt.func private @callee(%a: i32) -> f32
tt.func @call_c1(%a: i64) {
  // expected-error @+1 {{calls @callee as ('i64') -> ('f32'), but that is '(i32) -> f32'}}
  %0 = tt.call @callee(%a) : (i64) -> f32
  tt.return
}

// -----

// tt.print C1: signs.
tt.func @print_c1(%a: i32) {
  // expected-error @+1 {{has 1 operands, but isSigned speaks of 2}}
  tt.print "" {hex = false, isSigned = array<i32: 1, 1>} : %a : i32
  tt.return
}
