// A small invented torus: no product, but few enough cores to follow a simulation by hand. All figures are choices.
df.machine @torus_4x4 {clock = 1.0e9, launch = 500, message = 10, semaphore = 5} {
  %x = df.spatial_dim 4
  %y = df.spatial_dim 4
  %mat = df.mat {shape = [16, 16, 16], throughput = 512}
  %vec = df.vec {shape = [16], throughput = 16}
  %scalar = df.scalar {latency = 1}
  %cores = df.core {scaleout = (%x, %y), scalein = (%mat, %vec, %scalar)}

  %local = df.memory {scaleout = (%x, %y), size = 262144, bandwidth = 64, latency = 2}
  %local_port = df.mux %local, %cores {map = affine_map<(d0, d1) -> (d0, d1)>, bandwidth = 64}
  %rows = df.interconnects %cores, %cores {
    map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>, bandwidth = 32, hop_latency = 2, multicast = true}
  %columns = df.interconnects %cores, %cores {
    map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, bandwidth = 32, hop_latency = 2, multicast = true}

  // One channel per row.
  %dram = df.memory {scaleout = (%y), size = 1073741824, bandwidth = 16, latency = 100}
  %dram_port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (d1)>, bandwidth = 32}
}
