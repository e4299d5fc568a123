"""PyTorch programs whose kernels compare_inductor.py looks at: what models and training loops are made of.

Each is a function that takes `run`, calls torch.compile'd code through it, and returns nothing: run(function, *arguments,
**options) compiles `function` (options go to torch.compile), calls it, and, where `backward=True`, its gradient too.
"""

import torch
import torch.nn.functional as F

PROGRAMS = {}
H, B16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def rand(*shape, dtype=F32, grad=False):
    made = torch.randn(shape, device="cuda", dtype=F32).to(dtype)
    return made.requires_grad_() if grad else made


def ints(high, *shape, dtype=torch.int64):
    return torch.randint(0, high, shape, device="cuda", dtype=dtype)


@program
def elementwise(run):
    for dtype in (F32, H, B16, F64):
        x, y = rand(37, 129, dtype=dtype), rand(37, 129, dtype=dtype)
        run(lambda a, b: torch.relu(a * b + 1) - b / (a.abs() + 1), x, y)
        run(lambda a, b: F.gelu(a) * torch.sigmoid(b) + F.silu(a) - F.gelu(b, approximate="tanh"), x, y)
        run(lambda a, b: torch.where(a > b, a.exp(), b.clamp(-1, 1)), x, y)


@program
def elementwise_functions(run):
    x = rand(1000).abs() * 0.4 + 0.1
    for name in ("sin cos tan asin acos atan sinh cosh tanh asinh atanh exp exp2 expm1 log log2 log10 log1p sqrt rsqrt erf erfc "
                 "erfinv lgamma digamma i0 i0e i1 i1e sigmoid logit ceil floor round trunc frac sign reciprocal square sinc").split():
        run(getattr(torch, name, None) or getattr(torch.special, name), x)
    for name in "bessel_j0 bessel_j1 modified_bessel_i0 ndtr ndtri log_ndtr erfcx entr xlog1py zeta".split():
        function = getattr(torch.special, name)
        run(function, x, x + 1.5) if name in ("xlog1py", "zeta") else run(function, x)
    for name in "pow atan2 fmod remainder hypot nextafter copysign maximum minimum fmax fmin logaddexp floor_divide".split():
        run(getattr(torch, name), x, x.flip(0) + 0.3)


@program
def elementwise_integers(run):
    for dtype in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64):
        a, b = ints(100, 513, dtype=dtype), ints(7, 513, dtype=dtype) + 1
        run(lambda a, b: (a + b, a * b, a // b, a % b, a & b, a | b, a ^ b, ~a, a << 1, a >> 1), a, b)
        run(lambda a, b: (a / b, a.float() * 2, a == b, a < b, torch.bitwise_left_shift(a, b % 4)), a, b)
    run(lambda a: (a.logical_not(), a & ~a, a.sum()), ints(2, 300).bool())


@program
def conversions(run):
    x = rand(4, 260) * 10
    for dtype in (H, B16, F64, torch.int8, torch.int32, torch.int64, torch.uint8, torch.bool, torch.float8_e4m3fn, torch.float8_e5m2):
        run(lambda a, dtype=dtype: a.to(dtype), x)
        run(lambda a, dtype=dtype: a.to(dtype).to(F32) + 1, x)


@program
def broadcasts(run):
    a, b, c = rand(8, 1, 33, 17), rand(5, 1, 17), rand(33, 1)
    run(lambda a, b, c: a * b + c, a, b, c)
    run(lambda a, b: a.transpose(0, 2) + b.permute(2, 1, 0)[:, :, :1] * 2, a[:, 0], b)
    run(lambda a: a.transpose(-1, -2).contiguous() + 1, a)
    run(lambda a: a.permute(3, 1, 0, 2).contiguous(), a)


@program
def reductions(run):
    for shape in ((64, 100), (3, 5000), (1, 200000), (2048, 17)):
        x = rand(*shape)
        for dim in (0, 1, (0, 1)):
            run(lambda a, dim=dim: (a.sum(dim), a.mean(dim), a.amax(dim), a.amin(dim)), x)
            run(lambda a, dim=dim: (a.var(dim), a.std(dim)), x)
            run(lambda a, dim=dim: (torch.linalg.vector_norm(a, dim=dim), (a > 0).sum(dim)), x)
        run(lambda a: (a.argmax(1), a.argmin(0), a.max(1), a.min(0)), x)
        run(lambda a: ((a > 3).any(1), (a > -9).all(0), a.prod(1)), x)


@program
def reductions_narrow(run):
    for dtype in (H, B16, F64, torch.int32, torch.int64):
        x = rand(40, 1000).mul(3).to(dtype)
        run(lambda a: (a.sum(0), a.sum(1), a.amax(1), a.argmax(1)), x)
        run(lambda a: (a.sum(), a.max()), x)


@program
def reductions_mixed_order(run):
    x = rand(512, 768, grad=True)
    w, b = rand(768, grad=True), rand(768, grad=True)
    run(lambda a, w, b: F.layer_norm(a, (768,), w, b), x, w, b, backward=True)
    run(lambda a, w: a * torch.rsqrt(a.pow(2).mean(-1, keepdim=True) + 1e-6) * w, x, w, backward=True)


@program
def reductions_cooperative(run):
    run(lambda a: (a.sum(), a.std(1)), rand(4, 1 << 19), options={"triton.cooperative_reductions": True})
    run(lambda a: a.softmax(-1), rand(2, 1 << 17), options={"triton.cooperative_reductions": True})


@program
def scans(run):
    x = rand(16, 300) * 0.1 + 1
    for name in ("cumsum", "cumprod", "logcumsumexp"):
        run(lambda a, name=name: getattr(torch, name)(a, 1), x)
        run(lambda a, name=name: getattr(torch, name)(a, 0), x)
    run(lambda a: (torch.cummax(a, 1), torch.cummin(a, 0)), x)
    run(lambda a: torch.cumsum(a, 0), rand(100000))
    run(lambda a: torch.cumsum(a, 0), ints(9, 70000))
    run(lambda a: (a > 0).cumsum(1), x - 1)


@program
def sorts(run):
    run(lambda a: a.sort(1), rand(50, 60))
    run(lambda a: a.sort(dim=1, descending=True, stable=True), rand(9, 500))
    run(lambda a: a.argsort(0), ints(40, 128, 6))
    run(lambda a: torch.median(a, 1), rand(12, 99))


@program
def softmaxes(run):
    for dtype in (F32, H, B16):
        for columns in (64, 1000, 50257):
            x = rand(20, columns, dtype=dtype, grad=True)
            run(lambda a: a.softmax(-1), x, backward=True)
            run(lambda a: F.log_softmax(a.float(), -1), x, backward=True)


@program
def losses(run):
    x, t = rand(128, 1000, grad=True), ints(1000, 128)
    run(F.cross_entropy, x, t, backward=True)
    run(lambda a, t: F.cross_entropy(a, t, label_smoothing=0.1, ignore_index=3), x, t, backward=True)
    y = rand(128, 1000)
    for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss):
        run(loss, x, y, backward=True)
    run(F.binary_cross_entropy_with_logits, x, y.sigmoid(), backward=True)
    run(lambda a, b: F.kl_div(a.log_softmax(1), b.softmax(1), reduction="batchmean"), x, y, backward=True)
    run(lambda a, b: F.cosine_similarity(a, b).mean(), x, y, backward=True)
    run(lambda a, b: torch.cdist(a[:, :30], b[:40, :30]), x, y)


@program
def normalizations(run):
    image = rand(4, 32, 20, 20, grad=True)
    for module in (torch.nn.BatchNorm2d(32), torch.nn.GroupNorm(8, 32), torch.nn.InstanceNorm2d(32, affine=True)):
        run(module.cuda(), image, backward=True)
    for dtype in (H, B16):
        tokens = rand(77, 4096, dtype=dtype, grad=True)
        run(torch.nn.LayerNorm(4096, device="cuda", dtype=dtype), tokens, backward=True)
        run(torch.nn.RMSNorm(4096, device="cuda", dtype=dtype), tokens, backward=True)
        run(lambda a, r: F.layer_norm(a + r, (4096,)), tokens, rand(77, 4096, dtype=dtype), backward=True)
    run(lambda a: F.normalize(a, dim=1), image, backward=True)


@program
def embeddings(run):
    table = rand(1000, 96, grad=True)
    run(F.embedding, ints(1000, 7, 50), table, backward=True)
    run(lambda i, t: F.embedding(i, t, padding_idx=0) * 3 + 1, ints(1000, 7, 50), table, backward=True)
    run(lambda i, t: F.embedding_bag(i, t), ints(1000, 7, 50), table)


@program
def gathers(run):
    x, index = rand(60, 70), ints(60, 30, 70)
    run(lambda a, i: torch.gather(a, 0, i), x, index)
    run(lambda a, i: a[i], x, ints(60, 200))
    run(lambda a, i, j: a[i, j] + 1, x, ints(60, 99), ints(70, 99))
    run(lambda a, i: torch.take_along_dim(a, i, 1), x, ints(70, 60, 5))
    run(lambda a, i: a.index_select(1, i), x, ints(70, 11))
    run(lambda a: a[a.shape[0] // 2:, ::2].flip(1).roll(3, 0), x)
    run(lambda a, i: torch.searchsorted(a, i), torch.linspace(-3, 3, 100, device="cuda"), rand(500))
    run(lambda a, i: torch.bucketize(i, a, right=True), torch.linspace(-3, 3, 65, device="cuda"), rand(8, 55))


@program
def scatters(run):
    x = rand(60, 70)
    run(lambda a, i, s: a.scatter(0, i, s), x, ints(60, 1, 70), rand(1, 70))
    run(lambda a, i, s: a.scatter_add(0, i, s), x, ints(60, 99, 70), rand(99, 70))
    run(lambda a, i, s: a.scatter_reduce(0, i, s, "amax"), x, ints(60, 99, 70), rand(99, 70))
    run(lambda a, i, s: a.index_put((i,), s, accumulate=True), x, ints(60, 300), rand(300, 70))
    run(lambda a, i, s: a.index_add(1, i, s), x, ints(70, 20), rand(60, 20))
    run(lambda a, m: a.masked_fill(m, -1.0).tril(2) + a.triu(-1), x, x > 1)
    run(lambda a: F.one_hot(a, 50).float(), ints(50, 33))
    run(lambda a: torch.diag_embed(a) + torch.eye(70, device="cuda"), x)


@program
def shapes(run):
    a, b = rand(5, 6, 7), rand(5, 9, 7)
    run(lambda a, b: torch.cat([a, b * 2], 1), a, b)
    run(lambda a: torch.stack([a, a.sin(), a.cos()], -1), a)
    run(lambda a: F.pad(a, (1, 2, 3, 4), value=0.5), a)
    run(lambda a: F.pad(a, (2, 3), mode="reflect"), a)
    run(lambda a: F.pad(a[None], (1, 1, 2, 2), mode="replicate"), a)
    run(lambda a: a.repeat(2, 3, 1).repeat_interleave(2, 0), a)
    run(lambda a: a.unfold(2, 3, 2).contiguous(), a)
    run(lambda a: (a.reshape(7, 30).T @ a.reshape(30, 7).T.contiguous().T.reshape(7, 30)).relu(), a)
    run(lambda a: torch.split(a * 2, 2, dim=1), a)
    run(lambda a: F.pixel_shuffle(a, 3), rand(2, 18, 4, 5))
    run(lambda a: torch.meshgrid(a, a * 2, indexing="ij"), rand(31))


@program
def pools(run):
    x = rand(2, 8, 25, 27, grad=True)
    run(lambda a: F.max_pool2d(a, 3, 2, 1), x, backward=True)
    run(lambda a: F.avg_pool2d(a, 3, 2, 1), x, backward=True)
    run(lambda a: F.adaptive_avg_pool2d(a, (7, 5)), x, backward=True)
    run(lambda a: F.adaptive_max_pool2d(a, 4), x)
    run(lambda a: F.max_pool1d(a.flatten(2), 4), x)
    run(lambda a: F.lp_pool2d(a.abs(), 2, 3), x)


@program
def resamplings(run):
    x = rand(2, 3, 20, 22, grad=True)
    for mode in ("nearest", "bilinear", "bicubic"):
        run(lambda a, mode=mode: F.interpolate(a, scale_factor=1.7, mode=mode), x, backward=mode != "bicubic")
    run(lambda a, g: F.grid_sample(a, g, align_corners=False), x, rand(2, 9, 11, 2).tanh())


@program
def randomness(run):
    run(lambda a: F.dropout(a, 0.3) * 2, rand(1000, 33))
    run(lambda a: torch.rand_like(a) + torch.randn_like(a), rand(500))
    run(lambda a: torch.randint_like(a, 3, 50), ints(9, 400))
    run(lambda a: torch.bernoulli(a.sigmoid()), rand(300))


@program
def optimizers(run):
    for make in (torch.optim.AdamW, torch.optim.Adam, torch.optim.SGD, torch.optim.RMSprop, torch.optim.Adagrad, torch.optim.Adamax,
                 torch.optim.NAdam, torch.optim.RAdam):
        parameters = [rand(100, 40, grad=True), rand(40, grad=True), rand(7, 33, 5, grad=True)]
        options = {"momentum": 0.9, "nesterov": True} if make is torch.optim.SGD else {}
        optimizer = make(parameters, lr=1e-3, weight_decay=0.01, **options)
        for parameter in parameters:
            parameter.grad = torch.randn_like(parameter)
        run(lambda optimizer=optimizer: optimizer.step())
    run(lambda gs: torch.nn.utils.clip_grad_norm_(gs, 1.0), parameters)


def matmuls_of(run, dtype, **options):
    for m, n, k in ((256, 512, 128), (33, 65, 70), (1, 4096, 1024), (1000, 24, 512), (128, 128, 2000)):
        a, b = rand(m, k, dtype=dtype), rand(k, n, dtype=dtype)
        run(lambda a, b: a @ b, a, b, **options)
        run(lambda a, b: F.gelu(a @ b.T + 1), a, rand(n, k, dtype=dtype), **options)
    run(lambda a, b, c: torch.addmm(c, a, b).relu(), rand(200, 96, dtype=dtype), rand(96, 136, dtype=dtype), rand(136, dtype=dtype), **options)
    run(torch.bmm, rand(6, 100, 64, dtype=dtype), rand(6, 64, 72, dtype=dtype), **options)
    run(lambda a, b, c: torch.baddbmm(c, a, b), rand(6, 100, 64, dtype=dtype), rand(6, 64, 72, dtype=dtype), rand(6, 100, 72, dtype=dtype), **options)
    run(lambda a, b: (a.relu() * 2) @ b.sin(), rand(200, 96, dtype=dtype), rand(96, 136, dtype=dtype), **options)


GEMM = {"max_autotune": True, "max_autotune_gemm_backends": "TRITON", "autotune_in_subproc": False}


@program
def matmuls_f16(run):
    matmuls_of(run, H, options=GEMM)


@program
def matmuls_bf16(run):
    matmuls_of(run, B16, options=GEMM)


@program
def matmuls_f32(run):
    matmuls_of(run, F32, options=GEMM)


@program
def matmuls_tf32(run):
    torch.set_float32_matmul_precision("high")
    matmuls_of(run, F32, options=GEMM)


@program
def matmuls_tma(run):
    matmuls_of(run, B16, options=GEMM | {"triton.enable_persistent_tma_matmul": True})


@program
def matmuls_split_k(run):
    a, b = rand(64, 8192, dtype=H), rand(8192, 64, dtype=H)
    run(lambda a, b: a @ b, a, b, options=GEMM | {"triton.num_decompose_k_splits": 4})


@program
def matmuls_scaled(run):
    one = torch.ones((), device="cuda")
    a, b = rand(128, 256).to(torch.float8_e4m3fn), rand(192, 256).to(torch.float8_e4m3fn).T
    run(lambda a, b: torch._scaled_mm(a, b, one, one * 2, out_dtype=B16), a, b, options=GEMM)
    run(lambda a, b, x, y: torch._scaled_mm(a, b, x, y, out_dtype=B16), a, b, rand(128, 1).abs(), rand(1, 192).abs(), options=GEMM)


@program
def matmuls_int8(run):
    a, b = ints(100, 64, 128).to(torch.int8), ints(100, 128, 96).to(torch.int8)
    run(torch._int_mm, a, b, options=GEMM)
    run(lambda a, b, s: torch._int_mm(a, b) * s, a, b, rand(96), options=GEMM)
    run(lambda a, w, s: a @ w.to(H) * s, rand(32, 128, dtype=H), b, rand(96, dtype=H), options=GEMM)


@program
def matmuls_grouped(run):
    a, b = rand(512, 64, dtype=B16), rand(4, 96, 64, dtype=B16).transpose(1, 2)
    offsets = torch.tensor([100, 200, 400, 512], device="cuda", dtype=torch.int32)
    run(lambda a, b, o: torch._grouped_mm(a, b, o), a, b, offsets, options=GEMM)


@program
def convolutions(run):
    x, w = rand(2, 32, 20, 20, dtype=H), rand(64, 32, 3, 3, dtype=H)
    run(lambda a, w: F.conv2d(a, w, padding=1).relu(), x, w, options=GEMM | {"max_autotune_conv_backends": "TRITON"})
    run(lambda a, w: F.conv2d(a, w), x, rand(64, 32, 1, 1, dtype=H), options=GEMM | {"max_autotune_conv_backends": "TRITON"})
    run(lambda a, w: F.conv2d(a, w, stride=2, groups=32), x, rand(32, 1, 3, 3, dtype=H), options=GEMM | {"max_autotune_conv_backends": "TRITON"})
    run(lambda a, w: F.conv3d(a, w), rand(1, 16, 8, 9, 10, dtype=H), rand(16, 16, 3, 3, 3, dtype=H), options=GEMM | {"max_autotune_conv_backends": "TRITON"})


def qkv(batch, heads, queries, keys, dim, dtype=H, kv_heads=None, grad=True):
    return (rand(batch, heads, queries, dim, dtype=dtype, grad=grad), rand(batch, kv_heads or heads, keys, dim, dtype=dtype, grad=grad),
            rand(batch, kv_heads or heads, keys, dim, dtype=dtype, grad=grad))


@program
def flex_attention(run):
    from torch.nn.attention.flex_attention import flex_attention as flex
    run(flex, *qkv(2, 4, 256, 256, 64), backward=True)
    run(lambda q, k, v: flex(q, k, v, score_mod=lambda s, b, h, i, j: s + (i - j) * 0.1), *qkv(1, 2, 200, 333, 64), backward=True)
    run(lambda q, k, v: flex(q, k, v, score_mod=lambda s, b, h, i, j: 20 * torch.tanh(s / 20)), *qkv(1, 2, 256, 256, 128, B16), backward=True)


@program
def flex_attention_masks(run):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention as flex
    causal = create_block_mask(lambda b, h, i, j: i >= j, None, None, 512, 512, device="cuda")
    window = create_block_mask(lambda b, h, i, j: (i >= j) & (i - j < 100), None, None, 512, 512, device="cuda")
    run(lambda q, k, v: flex(q, k, v, block_mask=causal), *qkv(1, 2, 512, 512, 64), backward=True)
    run(lambda q, k, v: flex(q, k, v, block_mask=window), *qkv(1, 2, 512, 512, 128, B16), backward=True)
    run(lambda q, k, v: flex(q, k, v, block_mask=causal, enable_gqa=True), *qkv(1, 8, 512, 512, 64, H, 2), backward=True)


@program
def flex_decoding(run):
    from torch.nn.attention.flex_attention import flex_attention as flex
    run(lambda q, k, v: flex(q, k, v), *qkv(2, 4, 1, 1024, 64, grad=False))
    run(lambda q, k, v: flex(q, k, v, enable_gqa=True), *qkv(2, 8, 3, 500, 128, B16, 2, grad=False))


@program
def attention_by_hand(run):
    def attend(q, k, v):
        scores = (q @ k.transpose(-1, -2)).float() * q.shape[-1] ** -0.5
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device="cuda").tril()
        return F.dropout(scores.masked_fill(~mask, float("-inf")).softmax(-1), 0.1).to(v.dtype) @ v

    run(attend, *qkv(2, 3, 130, 130, 64), backward=True)
    run(F.scaled_dot_product_attention, *qkv(2, 3, 130, 130, 64), backward=True)


class Block(torch.nn.Module):
    """One layer of a decoder with rotary embedding and a gated feed-forward part."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.norms = heads, torch.nn.ModuleList([torch.nn.RMSNorm(width) for _ in range(2)])
        self.qkv, self.out = torch.nn.Linear(width, 3 * width, bias=False), torch.nn.Linear(width, width, bias=False)
        self.gate_up, self.down = torch.nn.Linear(width, 6 * width), torch.nn.Linear(3 * width, width)

    def rotate(self, x):
        half = x.shape[-1] // 2
        angles = torch.outer(torch.arange(x.shape[-2], device=x.device), 10000 ** -(torch.arange(half, device=x.device) / half))
        a, b = x[..., :half].float(), x[..., half:].float()
        return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1).to(x.dtype)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(self.norms[0](x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(self.rotate(q), self.rotate(k), v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        gate, up = self.gate_up(self.norms[1](x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


@program
def decoder(run):
    for dtype in (B16, F32):
        run(Block(256, 4).cuda().to(dtype), rand(2, 70, 256, dtype=dtype, grad=True), backward=True)
    run(Block(256, 4).cuda().to(H), rand(2, 64, 256, dtype=H), options=GEMM)


@program
def decoder_dynamic(run):
    block = Block(256, 4).cuda().to(B16)
    for tokens in (33, 70, 129):
        run(block, rand(2, tokens, 256, dtype=B16, grad=True), backward=True, dynamic=True)


@program
def encoder(run):
    layer = torch.nn.TransformerEncoderLayer(128, 4, 256, batch_first=True).cuda()
    run(layer, rand(3, 50, 128, grad=True), backward=True)


@program
def residual_network(run):
    def block(x, w1, w2, s1, b1, s2, b2):
        y = F.relu(F.batch_norm(F.conv2d(x, w1, padding=1), None, None, s1, b1, training=True))
        y = F.batch_norm(F.conv2d(y, w2, padding=1), None, None, s2, b2, training=True)
        return F.relu(x + y)

    for dtype in (F32, H):
        weights = [rand(16, 16, 3, 3, dtype=dtype, grad=True) for _ in range(2)] + [rand(16, dtype=dtype, grad=True) for _ in range(4)]
        run(block, rand(4, 16, 28, 28, dtype=dtype, grad=True), *weights, backward=True)
    run(lambda x: F.relu(x).to(memory_format=torch.channels_last) * 2, rand(4, 16, 28, 28))


@program
def recurrences(run):
    def cell(x, h, c, w, u):
        for t in range(4):
            i, f, g, o = (x[:, t] @ w + h @ u).chunk(4, -1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
        return h

    run(cell, rand(5, 4, 40, grad=True), rand(5, 32), rand(5, 32), rand(40, 128, grad=True), rand(32, 128, grad=True), backward=True)


@program
def state_space(run):
    def scan(x, dt, a, b):
        decay = (dt[..., None] * -a.exp()).cumsum(1)
        return ((x * dt)[..., None] * b[:, :, None] * (decay[:, -1:] - decay).exp()).sum(1)

    run(scan, rand(2, 60, 24, grad=True), rand(2, 60, 24).sigmoid(), rand(24, 8), rand(2, 60, 8), backward=True)


@program
def quantization(run):
    def rows(x):
        scale = x.abs().amax(-1, keepdim=True).clamp(min=1e-6) / 127
        return (x / scale).round().clamp(-128, 127).to(torch.int8), scale

    def blocks(x):
        y = x.view(-1, 128)
        scale = y.abs().amax(-1, keepdim=True).float() / 448
        return (y / scale).to(torch.float8_e4m3fn), scale

    def unpack(q, s):
        return torch.stack([(q & 15) - 8, (q >> 4) - 8], -1).flatten(-2).to(H) * s

    run(rows, rand(50, 777))
    run(blocks, rand(64, 512, dtype=B16))
    run(unpack, ints(255, 64, 128, dtype=torch.uint8), rand(64, 1, dtype=H))


@program
def routing(run):
    def route(x, w):
        p = (x @ w).softmax(-1)
        top, index = p.topk(2, -1)
        counts = F.one_hot(index.flatten(), 16).sum(0)
        return top / top.sum(-1, keepdim=True), index, counts.cumsum(0)

    run(route, rand(200, 64, grad=True), rand(64, 16))


@program
def sampling(run):
    def sample(x, t):
        p = (x / t).softmax(-1)
        values, index = p.sort(-1, descending=True)
        kept = values.cumsum(-1) - values < 0.9
        values = values * kept
        return index.gather(-1, (values / values.sum(-1, keepdim=True)).cumsum(-1).gt(0.5).int().argmax(-1, keepdim=True))

    run(sample, rand(6, 400), 0.7)


@program
def diffusion(run):
    def block(x, t, w, g, b):
        y = F.silu(F.group_norm(x, 8, g, b)) + t[:, :, None, None]
        y = F.conv2d(y, w, padding=1)
        return F.interpolate(x + y, scale_factor=2.0, mode="nearest")

    run(block, rand(2, 32, 16, 16, grad=True), rand(2, 32), rand(32, 32, 3, 3, grad=True), rand(32), rand(32), backward=True)


@program
def large_indices(run):
    # More than 2^31 elements: 64-bit addresses.
    run(lambda a: a[::65536].sum(1) + 1, torch.zeros(70000, 32768, device="cuda", dtype=torch.int8))


@program
def combined(run):
    run(lambda a, b, c: (a.sin(), b.sum(1), c * 2), rand(30, 40), rand(50, 60), rand(7), options={"combo_kernels": True})


@program
def multi_kernels(run):
    run(lambda a: a.softmax(-1) + a.mean(-1, keepdim=True), rand(40, 3000), options={"triton.multi_kernel": 1})


@program
def block_pointers(run):
    options = {"triton.use_block_ptr": True}
    run(lambda a, b: a.T * 2 + b, rand(100, 130), rand(130, 100), options=options | {"triton.prefer_nd_tiling": True})
    run(lambda a: a.sum(1), rand(50, 3000), options=options)


@program
def tensor_descriptors(run):
    options = {"triton.use_tensor_descriptor": True, "assume_aligned_inputs": True}
    run(lambda a, b: a.T * 2 + b, rand(128, 256), rand(256, 128), options=options | {"triton.prefer_nd_tiling": True})
    run(lambda a: a.sum(1), rand(64, 4096), options=options)


@program
def tiled_reductions(run):
    options = {"triton.prefer_nd_tiling": True, "triton.tile_reductions": True}
    run(lambda a: a[:, :100].sum((0, 1)), rand(200, 128), options=options)
    run(lambda a, b: (a.transpose(0, 1) + b).amax(0), rand(60, 80), rand(80, 60), options=options)
