// Tenstorrent Wormhole, one of the two chips of an n300d card: 64 Tensix cores as an 8x8 torus.
//
// Sources: [TL] TileLoom, arXiv 2512.22168, sections 3.3 and 4; [spec] docs.tenstorrent.com, Wormhole specifications; [isa] the
// repository tenstorrent/tt-isa-documentation, WormholeB0. Figures marked "estimate" have no source and are of the right size.
df.machine @wormhole_8x8 {
  clock = 1.0e9,    // [TL] [spec] 1 GHz
  launch = 3000,    // estimate: the time from the go signal of the dispatcher to the first instruction of a kernel
  message = 40,     // estimate: register writes of a RISC-V core that issue one NoC transaction
  semaphore = 20    // estimate: polling of a local semaphore; the atomic that increments it travels as any message
} {
  %x = df.spatial_dim 8
  %y = df.spatial_dim 8

  // 1024 FP16 operations per cycle and core [TL]: 64 x 1024 x 1 GHz = 65.5 TFLOP/s ([spec]: 131 on both chips of the card).
  // [TL] has eight matrix units of throughput 98 in its listing, what its authors reached; eight times 128 is the peak.
  %fpu = df.mat {shape = [32, 32, 32], throughput = 128}
  %sfpu = df.vec {shape = [32], throughput = 3}             // [TL] shape and throughput
  %risc = df.scalar {latency = 1}                           // estimate: integer operations of the RISC-V cores
  %cores = df.core {scaleout = (%x, %y), scalein = (%fpu, %sfpu, %risc, [8, 1, 1])}

  // Scratchpads: 1464 KiB of the advertised 1.5 MB [isa]; 24.5 TB/s of all 64 at 1 GHz [TL].
  %l1 = df.memory {scaleout = (%x, %y), size = 1499136, bandwidth = 384, latency = 8}   // latency: estimate
  %l1_port = df.mux %l1, %cores {map = affine_map<(d0, d1) -> (d0, d1)>, bandwidth = 384}

  // The rings of one NoC: 28 bytes per cycle of each link [TL] (of 32 that the wires have), 9 cycles from router to router [isa].
  // Routers deliver a broadcast and pass it on [isa].
  %noc_h = df.interconnects %cores, %cores {
    map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, bandwidth = 28, hop_latency = 9, multicast = true}
  %noc_v = df.interconnects %cores, %cores {
    map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 8)>, bandwidth = 28, hop_latency = 9, multicast = true}

  // 12 GB of GDDR6 at 288 GB/s [TL] [spec]. Four neighbouring cores on an edge share a bank [TL]: two banks on the left and two on
  // the right, 3 GiB and 72 bytes per cycle each (the chip has six channels [isa]). A core reaches the bank of its row's half; what
  // it takes of the row's links on the way is not counted. Latency: estimate.
  %edge = df.spatial_dim 2
  %group = df.spatial_dim 2
  %dram = df.memory {scaleout = (%edge, %group), size = 3221225472, bandwidth = 72, latency = 350}
  %dram_port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 4)>, bandwidth = 28}
}
