// The upper half of a Wormhole chip: 4 rows of 8 cores, for experiments with an array that is not square (TileLoom, section 4).
//
// Figures and sources as in wormhole_8x8.mlir. The part has all of the chip's DRAM. The columns are taken as rings of 4; on the chip
// the way back leads through the rows that are left out.
df.machine @wormhole_4x8 {
  clock = 1.0e9,
  launch = 3000,
  message = 40,
  semaphore = 20
} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 4

  %fpu = df.mat {shape = [32, 32, 32], throughput = 128}
  %sfpu = df.vec {shape = [32], throughput = 3}
  %risc = df.scalar {latency = 1}
  %cores = df.core {scaleout = (%x, %y), scalein = (%fpu, %sfpu, %risc, [8, 1, 1])}

  %l1 = df.memory {scaleout = (%x, %y), size = 1499136, bandwidth = 384, latency = 8}
  %l1_port = df.mux %l1, %cores {map = affine_map<(d0, d1) -> (d0, d1)>, bandwidth = 384}

  %noc_h = df.interconnects %cores, %cores {
    map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, bandwidth = 28, hop_latency = 9, multicast = true}
  %noc_v = df.interconnects %cores, %cores {
    map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, bandwidth = 28, hop_latency = 9, multicast = true}

  // The chip's four banks of 72 bytes per cycle, shared by column here so that each of them serves as many cores.
  %edge = df.spatial_dim 2
  %group = df.spatial_dim 2
  %dram = df.memory {scaleout = (%edge, %group), size = 3221225472, bandwidth = 72, latency = 350}
  %dram_port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (d0 floordiv 4, (d0 floordiv 2) mod 2)>, bandwidth = 28}
}
