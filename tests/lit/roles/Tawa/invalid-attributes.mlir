// Attributes that passes leave on operations have the type and the place that Attributes.def gives them.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'builtin.module' op 'tawa.reclined' is no attribute of the dialect; docs/reference/attributes.md has them}}
module attributes {tawa.reclined = "why"} {
}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.part' is no attribute of the dialect; docs/reference/attributes.md has them}}
tt.func private @parameter1(%x: i32 {tawa.part = "scalar"})

// -----

tt.func @operation2(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load' op 'tawa.chanel' is no attribute of the dialect; docs/reference/attributes.md has them}}
  %v = tt.load %p {tawa.chanel = 0 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.constant' is [64], expected a number}}
tt.func private @parameter3(%x: i32 {tawa.constant = [64]})

// -----

// expected-error @+1 {{'tt.func' op 'tawa.argument' is {index = 0 : i32, part = "scalar"}, expected #tawa.part}}
tt.func private @parameter4(%x: i32 {tawa.argument = {index = 0 : i32, part = "scalar"}})

// -----

// expected-error @+1 {{'tt.func' op 'tawa.descriptor' is {offset = ""}, expected #tawa.description}}
tt.func private @parameter5(%x: !tt.tensordesc<tensor<16x32xf16>> {tawa.descriptor = {offset = ""}})

// -----

// expected-error @+1 {{'tt.func' op 'tawa.divisible' is 16 : i64, expected i32}}
tt.func private @parameter6(%x: i32 {tawa.divisible = 16 : i64})

// -----

// expected-error @+1 {{'builtin.module' op 'tawa.declined' is 3 : i32, expected a string}}
module attributes {tawa.declined = 3 : i32} {
}

// -----

// expected-error @+1 {{'builtin.module' op 'tawa.not_applied' is {raster = 1 : i32}, expected a dictionary of strings}}
module attributes {tawa.not_applied = {raster = 1 : i32}} {
}

// -----

// expected-error @+1 {{'builtin.module' op 'tawa.proved' is unit, expected i32}}
module attributes {tawa.proved} {
}

// -----

// expected-error @+1 {{'builtin.module' op 'tawa.unproved' is true, expected a string}}
module attributes {tawa.unproved = true} {
}

// -----

// expected-error @+1 {{'builtin.module' op 'tawa.fitting_depth' is "3", expected i32}}
module attributes {tawa.fitting_depth = "3"} {
}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.uniform_tiles' is true, expected unit}}
tt.func private @function7() attributes {tawa.uniform_tiles = true}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.split' is 2 : i64, expected i32}}
tt.func private @function8() attributes {tawa.split = 2 : i64}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.rings' is [{bytes = 64 : i64}], expected an array of #tawa.ring}}
tt.func private @function9() attributes {tawa.rings = [{bytes = 64 : i64}]}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.ring_depth' is 3 : index, expected i32}}
tt.func private @function10() attributes {tawa.ring_depth = 3 : index}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.cluster' is 2.000000e+00 : f32, expected i32}}
tt.func private @function11() attributes {tawa.cluster = 2.0 : f32}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.cluster_divides' is "a1", expected an array of strings}}
tt.func private @function12() attributes {tawa.cluster_divides = "a1"}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.tile_number' is 1 : i32, expected unit}}
tt.func private @function13() attributes {tawa.tile_number = 1 : i32}

// -----

tt.func @operation14() {
  // expected-error @+1 {{'tt.get_num_programs' op 'tawa.resident' is 1 : i32, expected unit}}
  %c = tt.get_num_programs x {tawa.resident = 1 : i32} : i32
  tt.return
}

// -----

tt.func @operation15(%n: i32) {
  // expected-error @+1 {{'scf.for' op 'tawa.tile_loop' is 0 : i32, expected #tawa.tile_order}}
  scf.for %i = %n to %n step %n : i32 {
  } {tawa.tile_loop = 0 : i32}
  tt.return
}

// -----

tt.func @operation16(%n: i32) {
  // expected-error @+1 {{'scf.for' op 'tawa.pingpong' is 2 : i64, expected i32}}
  scf.for %i = %n to %n step %n : i32 {
  } {tawa.pingpong = 2 : i64}
  tt.return
}

// -----

tt.func @operation17(%n: i32) {
  // expected-error @+1 {{'arith.addi' op 'tawa.roles' is array<i32: 0>, expected #tawa.roles}}
  %s = arith.addi %n, %n {tawa.roles = array<i32: 0>} : i32
  tt.return
}

// -----

tt.func @operation18(%n: i32) {
  // expected-error @+1 {{'scf.for' op 'tawa.carried' is [array<i32: 0>], expected an array of #tawa.roles}}
  scf.for %i = %n to %n step %n : i32 {
  } {tawa.carried = [array<i32: 0>]}
  tt.return
}

// -----

tt.func @operation19(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load' op 'tawa.channel' is "a", expected i32}}
  %v = tt.load %p {tawa.channel = "a"} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @operation20(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load' op 'tawa.one_slot' is 1 : i32, expected unit}}
  %v = tt.load %p {tawa.one_slot = 1 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @operation21(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load' op 'tawa.copy' is array<i32: 1, 8>, expected #tawa.copy}}
  %v = tt.load %p {tawa.copy = array<i32: 1, 8>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func private @operation22(%d: !tt.tensordesc<tensor<16x32xf16>>, %t: tensor<16x32xf16>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_store' op 'tawa.adds' is true, expected unit}}
  tt.descriptor_store %d[%i, %i], %t {tawa.adds = true} : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// -----

tt.func private @operation23(%d: !tt.tensordesc<tensor<16x32xf16>>, %t: tensor<16x32xf16>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_store' op 'tawa.subtile' is array<i32: 0, 2>, expected #tawa.subtile}}
  tt.descriptor_store %d[%i, %i], %t {tawa.subtile = array<i32: 0, 2>} : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// -----

tt.func @operation24(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load' op 'tawa.vector' is 4 : i64, expected i32}}
  %v = tt.load %p {tawa.vector = 4 : i64} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @operation25(%n: i32) {
  // expected-error @+1 {{'arith.addi' op 'tawa.equal' is unit, expected i32}}
  %s = arith.addi %n, %n {tawa.equal} : i32
  tt.return
}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.declined' stands on this operation, expected on: module}}
tt.func private @function26() attributes {tawa.declined = "why"}

// -----

// expected-error @+1 {{'builtin.module' op 'tawa.cluster' stands on this operation, expected on: function}}
module attributes {tawa.cluster = 2 : i32} {
}

// -----

tt.func @operation27(%n: i32) {
  // expected-error @+1 {{'arith.addi' op 'tawa.stages_stores' stands on this operation, expected on: tt.load, tt.descriptor_load, tawa.create_aref}}
  %s = arith.addi %n, %n {tawa.stages_stores} : i32
  tt.return
}

// -----

tt.func private @operation28(%d: !tt.tensordesc<tensor<16x32xf16>>, %t: tensor<16x32xf16>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_store' op 'tawa.vector' stands on this operation, expected on: tt.load, tt.store}}
  tt.descriptor_store %d[%i, %i], %t {tawa.vector = 4 : i32} : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// -----

tt.func @operation29(%n: i32) {
  // expected-error @+1 {{'arith.addi' op 'tawa.tile_loop' stands on this operation, expected on: scf.for, scf.while}}
  %s = arith.addi %n, %n {tawa.tile_loop = #tawa.tile_order<unordered>} : i32
  tt.return
}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.argument' stands on this operation, expected on: parameter}}
tt.func private @function30() attributes {tawa.argument = #tawa.part<grid, index = 0, dimension = 0>}

// -----

// expected-error @+1 {{'tt.func' op 'tawa.split' stands on a parameter, expected on: function}}
tt.func private @parameter31(%x: i32 {tawa.split = 2 : i32})

// -----

// expected-error @+1 {{'tt.func' op 'tawa.roles' stands on a parameter, expected on: any operation}}
tt.func private @parameter32(%x: i32 {tawa.roles = #tawa.roles<producer>})

// -----

// expected-error @+2 {{specification: turner}}
tt.func private @kind() attributes
    {tawa.roles = #tawa.roles<turner>}

// -----

// expected-error @+2 {{specification: size}}
// expected-error @+1 {{failed to parse Tawa_PartAttr parameter 'part'}}
tt.func private @part(%x: i32 {tawa.argument = #tawa.part<size, index = 0, dimension = 0>})

// -----

tt.func private @role() {
  // expected-error @+1 {{invalid kind attribute specification: "storer"}}
  tawa.warp_group "storer" warps(4) registers(0) {
  }
  tt.return
}
