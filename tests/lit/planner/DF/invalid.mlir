// Each constraint of the df dialect is enforced, by the number its description gives it, and so are fields.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// machine C1: a clock.
// expected-error @+1 {{the clock is 0, not positive (C1)}}
df.machine @m {clock = 0} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
}

// -----

// machine C2.
// expected-error @+1 {{'message' is -1, below zero (C2)}}
df.machine @m {clock = 1, message = -1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
}

// -----

// machine C3: cores.
// expected-error @+1 {{has 0 df.core operations, not one (C3)}}
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
}

// -----

// machine C3: one array of them.
// expected-error @+1 {{has 2 df.core operations, not one (C3)}}
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  %more = df.core {scaleout = (%x)}
}

// -----

// Nothing else is a part of a machine.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{is no part of a machine}}
  %c = arith.constant 1 : i32
}

// -----

// spatial_dim C1.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its size is 0, not positive (C1)}}
  %z = df.spatial_dim 0
}

// -----

// core C1: cores have a place.
df.machine @m {clock = 1} {
  // expected-error @+1 {{is scaled out along no dimension; a single core has one of size 1 (C1)}}
  %cores = df.core {scaleout = ()}
}

// -----

// core C1: along different dimensions.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  // expected-error @+1 {{is scaled out along one dimension twice (C1)}}
  %cores = df.core {scaleout = (%x, %x)}
}

// -----

// core C2: a count per unit.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %mat = df.mat {shape = [1, 1, 1], throughput = 2}
  // expected-error @+1 {{has 1 kinds of units and counts of 2 (C2)}}
  %cores = df.core {scaleout = (%x), scalein = (%mat, [1, 2])}
}

// -----

// core C2: that is positive.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %mat = df.mat {shape = [1, 1, 1], throughput = 2}
  // expected-error @+1 {{a count of units is 0, not positive (C2)}}
  %cores = df.core {scaleout = (%x), scalein = (%mat, [0])}
}

// -----

// memory C1.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{is scaled out along one dimension twice (C1)}}
  %l1 = df.memory {scaleout = (%x, %x), size = 1, bandwidth = 1}
}

// -----

// memory C2: bytes.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its size is -1, not positive (C2)}}
  %l1 = df.memory {size = -1, bandwidth = 1}
}

// -----

// memory C2: bandwidth.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its bandwidth is 0, not positive (C2)}}
  %l1 = df.memory {size = 1, bandwidth = 0}
}

// -----

// memory C2: latency.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its latency is -0.5, below zero (C2)}}
  %l1 = df.memory {size = 1, bandwidth = 1, latency = -0.5}
}

// -----

// interconnects C1: one map dimension per dimension of the senders.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{has a map of 1 dimensions, its senders have 2 (C1)}}
  %noc = df.interconnects %cores, %cores {map = affine_map<(d0) -> (d0, d0)>, bandwidth = 1}
}

// -----

// interconnects C1: one result per dimension of the receivers.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{has a map with 1 results, its receivers have 2 dimensions (C1)}}
  %noc = df.interconnects %cores, %cores {map = affine_map<(d0, d1) -> (d0)>, bandwidth = 1}
}

// -----

// interconnects C1: no symbols.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{has a map with symbols (C1)}}
  %noc = df.interconnects %cores, %cores {map = affine_map<(d0, d1)[s0] -> (d0, d1)>, bandwidth = 1}
}

// -----

// interconnects C2: bandwidth.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its bandwidth is 0, not positive (C2)}}
  %noc = df.interconnects %cores, %cores {map = affine_map<(d0, d1) -> (d0, d1)>, bandwidth = 0}
}

// -----

// interconnects C2: latency.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its hop latency is -1, below zero (C2)}}
  %noc = df.interconnects %cores, %cores {map = affine_map<(d0, d1) -> (d0, d1)>, bandwidth = 1, hop_latency = -1}
}

// -----

// interconnects C3: a map may leave the array, but not everywhere.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{connects nothing: its map leaves the array of receivers everywhere (C3)}}
  %noc = df.interconnects %cores, %cores {map = affine_map<(d0, d1) -> (d0 + 8, d1)>, bandwidth = 1}
}

// -----

// mux C1.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  %dram = df.memory {scaleout = (%y), size = 1, bandwidth = 1}
  // expected-error @+1 {{has a map with 2 results, its receivers have 1 dimensions (C1)}}
  %port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (d0, d1)>, bandwidth = 1}
}

// -----

// mux C2.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  %dram = df.memory {scaleout = (%y), size = 1, bandwidth = 1}
  // expected-error @+1 {{its bandwidth is -1, not positive (C2)}}
  %port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (d1)>, bandwidth = -1}
}

// -----

// mux C3.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  %dram = df.memory {scaleout = (%y), size = 1, bandwidth = 1}
  // expected-error @+1 {{connects nothing: its map leaves the array of receivers everywhere (C3)}}
  %port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (-d1 - 1)>, bandwidth = 1}
}

// -----

// mat C1.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{has a shape of 3 positive numbers, not [32, 32] (C1)}}
  %mat = df.mat {shape = [32, 32], throughput = 1}
}

// -----

// mat C2.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its throughput is 0, not positive (C2)}}
  %mat = df.mat {shape = [32, 32, 32], throughput = 0}
}

// -----

// vec C1.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{has a shape of 1 positive number, not [0] (C1)}}
  %vec = df.vec {shape = [0], throughput = 1}
}

// -----

// vec C2.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its throughput is -1, not positive (C2)}}
  %vec = df.vec {shape = [32], throughput = -1}
}

// -----

// scalar C1.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{its latency is 0, not positive (C1)}}
  %scalar = df.scalar {latency = 0}
}

// -----

// Parts stand in a machine.
// expected-error @+1 {{expects parent op 'df.machine'}}
%x = df.spatial_dim 8

// -----

// Fields have names.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{'width' is none of the fields scaleout, size, bandwidth, latency}}
  %l1 = df.memory {size = 1, width = 1}
}

// -----

// A field stands once.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{'size' stands here twice}}
  %l1 = df.memory {size = 1, size = 1}
}

// -----

// What has no default is not left out.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{'df.memory' needs the field 'bandwidth'}}
  %l1 = df.memory {size = 1}
}

// -----

// A number is a number.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{'bandwidth' is a number}}
  %l1 = df.memory {size = 1, bandwidth = "fast"}
}

// -----

// A map is a map.
df.machine @m {clock = 1} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4
  %cores = df.core {scaleout = (%x, %y)}
  // expected-error @+1 {{'map' is an affine map}}
  %noc = df.interconnects %cores, %cores {map = 1, bandwidth = 1}
}
