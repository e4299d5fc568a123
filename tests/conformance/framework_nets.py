"""Models of plain torch.nn with random weights, for framework_models.py and framework_kernels.py.

MODELS has functions by name; each gives (module, arguments, options): options of torch.compile, and "train" for training steps.
"""

MODELS = {}


def model(function):
    MODELS[function.__name__] = function
    return function


def parts():
    """Modules that several models use; torch is imported in the process of a run only."""
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Attention(nn.Module):
        """Grouped heads, with rotary positions if asked for."""

        def __init__(self, width, heads, groups, rotary, causal):
            super().__init__()
            self.heads, self.groups, self.rotary, self.causal, self.dim = heads, groups, rotary, causal, width // heads
            self.q, self.kv = nn.Linear(width, width, bias=False), nn.Linear(width, 2 * groups * self.dim, bias=False)
            self.out = nn.Linear(width, width, bias=False)

        def rotate(self, x):
            half = self.dim // 2
            speeds = 10000 ** -(torch.arange(half, device=x.device) / half)
            angles = torch.outer(torch.arange(x.shape[-2], device=x.device), speeds)
            a, b = x[..., :half].float(), x[..., half:].float()
            return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1).to(x.dtype)

        def forward(self, x):
            q = self.q(x).unflatten(-1, (self.heads, self.dim)).transpose(1, 2)
            k, v = (part.unflatten(-1, (self.groups, self.dim)).transpose(1, 2) for part in self.kv(x).chunk(2, -1))
            if self.rotary:
                q, k = self.rotate(q), self.rotate(k)
            k, v = (part.repeat_interleave(self.heads // self.groups, 1) for part in (k, v))
            return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=self.causal).transpose(1, 2).flatten(2))

    class Gated(nn.Module):
        def __init__(self, width, inner):
            super().__init__()
            self.both, self.down = nn.Linear(width, 2 * inner, bias=False), nn.Linear(inner, width, bias=False)

        def forward(self, x):
            gate, up = self.both(x).chunk(2, -1)
            return self.down(F.silu(gate) * up)

    class Experts(nn.Module):
        """Two of eight experts for each token; every expert sees all tokens and is weighted with 0 where it was not chosen."""

        def __init__(self, width, inner, count=8):
            super().__init__()
            self.router = nn.Linear(width, count, bias=False)
            self.both = nn.Parameter(torch.randn(count, width, 2 * inner) * width ** -0.5)
            self.down = nn.Parameter(torch.randn(count, inner, width) * inner ** -0.5)

        def forward(self, x):
            tokens = x.flatten(0, 1)
            top, chosen = self.router(tokens).float().softmax(-1).topk(2, -1)
            weights = torch.zeros(tokens.shape[0], self.both.shape[0], device=x.device)
            weights = weights.scatter(1, chosen, top / top.sum(-1, keepdim=True))
            gate, up = torch.matmul(tokens, self.both).chunk(2, -1)
            made = torch.matmul(F.silu(gate) * up, self.down) * weights.T[..., None].to(x.dtype)
            return made.sum(0).view_as(x)

    class Layer(nn.Module):
        def __init__(self, width, attention, feed):
            super().__init__()
            self.norms, self.attention, self.feed = nn.ModuleList([nn.RMSNorm(width), nn.RMSNorm(width)]), attention, feed

        def forward(self, x):
            x = x + self.attention(self.norms[0](x))
            return x + self.feed(self.norms[1](x))

    class Decoder(nn.Module):
        def __init__(self, width, layers, heads, groups, feed, words=8000):
            super().__init__()
            self.embed, self.norm = nn.Embedding(words, width), nn.RMSNorm(width)
            self.layers = nn.ModuleList([Layer(width, Attention(width, heads, groups, True, True), feed()) for _ in range(layers)])
            self.head = nn.Linear(width, words, bias=False)

        def forward(self, words):
            x = self.embed(words)
            for layer in self.layers:
                x = layer(x)
            return self.head(self.norm(x))

    return torch, nn, F, {"Attention": Attention, "Gated": Gated, "Experts": Experts, "Decoder": Decoder}


@model
def llama():
    torch, _, _, have = parts()
    return have["Decoder"](1024, 4, 16, 4, lambda: have["Gated"](1024, 2816)).bfloat16(), (torch.randint(8000, (2, 512)),), {}


@model
def llama_autotuned():
    """Products by Triton's templates, timed against each other."""
    torch, _, _, have = parts()
    gemm = {"max_autotune": True, "max_autotune_gemm_backends": "TRITON", "autotune_in_subproc": False}
    net = have["Decoder"](512, 1, 8, 8, lambda: have["Gated"](512, 1024), 1000).bfloat16()
    return net, (torch.randint(1000, (2, 256)),), {"options": gemm}


@model
def mixtral():
    torch, _, _, have = parts()
    return have["Decoder"](512, 2, 8, 2, lambda: have["Experts"](512, 1024)).bfloat16(), (torch.randint(8000, (2, 256)),), {}


@model
def bert_training():
    torch, nn, _, _ = parts()

    class Bert(nn.Module):
        def __init__(self, width=512, layers=4, words=8000):
            super().__init__()
            self.words, self.places, self.norm = nn.Embedding(words, width), nn.Embedding(512, width), nn.LayerNorm(width)
            make = lambda: nn.TransformerEncoderLayer(width, 8, 4 * width, 0.0, "gelu", batch_first=True)
            self.layers = nn.ModuleList([make() for _ in range(layers)])
            self.head = nn.Linear(width, words)

        def forward(self, words):
            x = self.norm(self.words(words) + self.places(torch.arange(words.shape[1], device=words.device)))
            for layer in self.layers:
                x = layer(x)
            return self.head(x)

    return Bert(), (torch.randint(8000, (4, 256)),), {"train": True}


@model
def resnet_training():
    torch, nn, F, _ = parts()

    class Block(nn.Module):
        def __init__(self, before, after, stride):
            super().__init__()
            self.convs = nn.ModuleList([nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.Conv2d(after, after, 3, 1, 1, bias=False)])
            self.norms = nn.ModuleList([nn.BatchNorm2d(after), nn.BatchNorm2d(after)])
            self.side = nn.Conv2d(before, after, 1, stride) if stride > 1 or before != after else nn.Identity()

        def forward(self, x):
            y = F.relu(self.norms[0](self.convs[0](x)))
            return F.relu(self.norms[1](self.convs[1](y)) + self.side(x))

    sizes = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
    stem = [nn.Conv2d(3, 64, 7, 2, 3), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    net = nn.Sequential(*stem, *(Block(*size) for size in sizes), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 100))
    return net.to(memory_format=torch.channels_last), (torch.randn(16, 3, 128, 128),), {"train": True}


@model
def diffusion_transformer():
    torch, nn, F, have = parts()

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.shift = nn.Linear(width, 6 * width)
            self.attention, self.norm = have["Attention"](width, 8, 8, False, False), nn.LayerNorm(width, elementwise_affine=False)
            self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

        def forward(self, x, when):
            a, b, c, d, e, f = self.shift(F.silu(when))[:, None].chunk(6, -1)
            x = x + c * self.attention(self.norm(x) * (1 + b) + a)
            return x + f * self.feed(self.norm(x) * (1 + e) + d)

    class Transformer(nn.Module):
        def __init__(self, width=512, layers=3):
            super().__init__()
            self.width, self.patches, self.when = width, nn.Conv2d(4, width, 2, 2), nn.Linear(width, width)
            self.blocks, self.out = nn.ModuleList([Block(width) for _ in range(layers)]), nn.Linear(width, 16)

        def forward(self, image, time):
            speeds = torch.exp(-9.2 * torch.arange(self.width // 2, device=image.device) / (self.width // 2))
            angles = time[:, None] * speeds
            when = self.when(torch.cat([angles.cos(), angles.sin()], -1).to(image.dtype))
            x = self.patches(image).flatten(2).transpose(1, 2)
            for block in self.blocks:
                x = block(x, when)
            return F.pixel_shuffle(self.out(x).transpose(1, 2).unflatten(2, (16, 16)), 2)

    return Transformer().half(), (torch.randn(4, 4, 32, 32).half(), torch.rand(4)), {}


@model
def unet():
    torch, nn, F, _ = parts()

    class Block(nn.Module):
        def __init__(self, before, after):
            super().__init__()
            self.norms = nn.ModuleList([nn.GroupNorm(8, before), nn.GroupNorm(8, after)])
            self.convs = nn.ModuleList([nn.Conv2d(before, after, 3, padding=1), nn.Conv2d(after, after, 3, padding=1)])
            self.side = nn.Conv2d(before, after, 1)

        def forward(self, x):
            y = self.convs[0](F.silu(self.norms[0](x)))
            return self.side(x) + self.convs[1](F.silu(self.norms[1](y)))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Conv2d(3, 32, 3, padding=1), nn.Conv2d(32, 3, 3, padding=1)
            self.down, self.middle = nn.ModuleList([Block(32, 64), Block(64, 128)]), Block(128, 128)
            self.up = nn.ModuleList([Block(256, 64), Block(128, 32)])

        def forward(self, x):
            x, kept = self.first(x), []
            for block in self.down:
                kept.append(block(x))
                x = F.avg_pool2d(kept[-1], 2)
            x = self.middle(x)
            for block in self.up:
                x = block(torch.cat([F.interpolate(x, scale_factor=2.0, mode="nearest"), kept.pop()], 1))
            return self.last(x)

    return Net(), (torch.randn(4, 3, 64, 64),), {}


@model
def mamba():
    """Selective state spaces, in chunks: products within a chunk, a scan over chunks."""
    torch, nn, F, _ = parts()

    class Mixer(nn.Module):
        def __init__(self, width, heads=8, state=32, chunk=32):
            super().__init__()
            self.heads, self.state, self.chunk, self.inner = heads, state, chunk, 2 * width
            self.into = nn.Linear(width, 2 * self.inner + 2 * state + heads, bias=False)
            self.conv = nn.Conv1d(self.inner + 2 * state, self.inner + 2 * state, 4, groups=self.inner + 2 * state, padding=3)
            self.rates, self.skip = nn.Parameter(torch.linspace(0, 2, heads)), nn.Parameter(torch.ones(heads))
            self.norm, self.out = nn.RMSNorm(self.inner), nn.Linear(self.inner, width, bias=False)

        def scan(self, x, step, b, c):
            split = lambda t: t.unflatten(1, (-1, self.chunk))
            decay = split(-step * self.rates.exp())  # batch, chunk, place, head
            x, b, c = split(x * step[..., None]), split(b), split(c)
            total = decay.cumsum(2)
            gap = total[:, :, :, None] - total[:, :, None]
            mask = torch.ones(self.chunk, self.chunk, device=x.device, dtype=torch.bool).tril()[None, None, :, :, None]
            inside = torch.where(mask, gap, float("-inf")).exp() * (c @ b.transpose(-1, -2))[..., None]
            y = torch.einsum("bkijh,bkjhd->bkihd", inside, x)
            ends = torch.einsum("bkjs,bkjh,bkjhd->bkhsd", b, (total[:, :, -1:] - total).exp(), x)
            state, states = torch.zeros_like(ends[:, 0]), []
            for k in range(ends.shape[1]):
                states.append(state)
                state = state * total[:, k, -1].exp()[..., None, None] + ends[:, k]
            return (y + torch.einsum("bkis,bkih,bkhsd->bkihd", c, total.exp(), torch.stack(states, 1))).flatten(1, 2)

        def forward(self, u):
            gate, mixed, step = self.into(u).split([self.inner, self.inner + 2 * self.state, self.heads], -1)
            mixed = F.silu(self.conv(mixed.transpose(1, 2))[..., : u.shape[1]].transpose(1, 2))
            x, b, c = mixed.split([self.inner, self.state, self.state], -1)
            x = x.unflatten(-1, (self.heads, -1))
            y = self.scan(x, F.softplus(step), b, c) + x * self.skip[:, None]
            return self.out(self.norm(y.flatten(2) * F.silu(gate)))

    class Net(nn.Module):
        def __init__(self, width=256, layers=2):
            super().__init__()
            self.embed, self.norms = nn.Embedding(1000, width), nn.ModuleList([nn.RMSNorm(width) for _ in range(layers)])
            self.layers, self.head = nn.ModuleList([Mixer(width) for _ in range(layers)]), nn.Linear(width, 1000)

        def forward(self, words):
            x = self.embed(words)
            for norm, layer in zip(self.norms, self.layers):
                x = x + layer(norm(x))
            return self.head(x)

    return Net(), (torch.randint(1000, (2, 256)),), {}


@model
def flex_training():
    """FlexAttention as PyTorch's compiler prints it: masks, scores that are changed, heads of 64 and 128 columns."""
    torch, nn, _, _ = parts()
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    length = 4096
    causal = create_block_mask(lambda batch, head, i, j: i >= j, None, None, length, length, device="cuda")
    window = create_block_mask(lambda batch, head, i, j: (i >= j) & (i - j < 1024), None, None, length, length, device="cuda")
    biased = lambda score, batch, head, i, j: score + (j - i) * 0.01

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            made = lambda columns: nn.Parameter(torch.randn(3, 2, 16, length, columns).half())
            self.narrow, self.wide = made(64), made(128)

        def forward(self):
            narrow = [flex_attention(*self.narrow), flex_attention(*self.narrow, block_mask=causal)]
            wide = [flex_attention(*self.wide), flex_attention(*self.wide, block_mask=causal),
                    flex_attention(*self.wide, block_mask=window), flex_attention(*self.wide, score_mod=biased)]
            return torch.cat([*narrow, *wide], -1)

    return Net(), (), {"train": True}


@model
def gpt_training():
    """A causal decoder with dropout, its head the transposed embedding."""
    torch, nn, F, _ = parts()

    class Block(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads, self.norms = heads, nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
            self.qkv, self.out, self.drop = nn.Linear(width, 3 * width), nn.Linear(width, width), nn.Dropout(0.1)
            self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

        def forward(self, x):
            q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(self.norms[0](x)).chunk(3, -1))
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
            x = x + self.drop(self.out(mixed))
            return x + self.feed(self.norms[1](x))

    class Net(nn.Module):
        def __init__(self, width=768, layers=3, words=16000, length=512):
            super().__init__()
            self.words, self.places, self.norm = nn.Embedding(words, width), nn.Embedding(length, width), nn.LayerNorm(width)
            self.blocks, self.drop = nn.ModuleList([Block(width, 12) for _ in range(layers)]), nn.Dropout(0.1)

        def forward(self, words):
            x = self.drop(self.words(words) + self.places(torch.arange(words.shape[1], device=words.device)))
            for block in self.blocks:
                x = block(x)
            return F.linear(self.norm(x), self.words.weight)

    return Net().bfloat16(), (torch.randint(16000, (4, 512)),), {"train": True}


@model
def convnext():
    torch, nn, F, _ = parts()

    class Norm(nn.LayerNorm):
        def forward(self, x):  # over channels
            return super().forward(x.movedim(1, -1)).movedim(-1, 1)

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.apart, self.norm = nn.Conv2d(width, width, 7, padding=3, groups=width), nn.LayerNorm(width)
            self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            self.scale = nn.Parameter(torch.full((width,), 0.1))

        def forward(self, x):
            return x + (self.feed(self.norm(self.apart(x).movedim(1, -1))) * self.scale).movedim(-1, 1)

    sizes = (96, 192, 384)
    stages = [nn.Conv2d(3, sizes[0], 4, 4), Norm(sizes[0]), Block(sizes[0]), Block(sizes[0])]
    for before, after in zip(sizes, sizes[1:]):
        stages += [Norm(before), nn.Conv2d(before, after, 2, 2), Block(after), Block(after)]
    net = nn.Sequential(*stages, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LayerNorm(sizes[-1]), nn.Linear(sizes[-1], 100))
    return net.half().to(memory_format=torch.channels_last), (torch.randn(16, 3, 128, 128).half(),), {}


@model
def flex_serving():
    """FlexAttention without gradients: heads in groups, capped and biased scores, documents, prefixes, few queries beside many keys."""
    torch, nn, _, _ = parts()
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    length = 4096
    documents = torch.arange(length, device="cuda") // 640
    masks = {"documents": lambda batch, head, i, j: (documents[i] == documents[j]) & (i >= j), "prefix": lambda batch, head, i, j: (i >= j) | (j < 768)}
    masks = {name: create_block_mask(mask, None, None, length, length, device="cuda") for name, mask in masks.items()}
    capped = lambda score, batch, head, i, j: 30.0 * torch.tanh(score / 30.0)
    sloped = lambda score, batch, head, i, j: score + torch.exp2(-(head + 1) * 0.25) * (j - i)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            made = lambda heads, rows, columns: nn.Parameter(torch.randn(2, heads, rows, columns).bfloat16())
            self.narrow = nn.ParameterList([made(32, length, 64), made(8, length, 64), made(8, length, 64)])
            self.wide = nn.ParameterList([made(16, length, 128), made(4, length, 128), made(4, length, 128)])
            self.deep = nn.ParameterList([made(8, length, 256), made(8, length, 256), made(8, length, 256)])
            self.few = nn.ParameterList([made(32, 1, 128), made(8, 2 * length, 128), made(8, 2 * length, 128)])

        def forward(self):
            made = [flex_attention(*self.narrow, block_mask=masks["documents"], enable_gqa=True), flex_attention(*self.narrow, score_mod=sloped, enable_gqa=True),
                    flex_attention(*self.wide, score_mod=capped, enable_gqa=True), flex_attention(*self.wide, block_mask=masks["prefix"], enable_gqa=True),
                    flex_attention(*self.deep, block_mask=masks["documents"]), flex_attention(*self.few, enable_gqa=True),
                    flex_attention(*self.few, score_mod=capped, enable_gqa=True)]
            return torch.cat([each.flatten() for each in made])

    return Net(), (), {}


@model
def recommender_training():
    """Tables of categories, products of every pair of features, perceptrons before and after."""
    torch, nn, F, _ = parts()

    class Net(nn.Module):
        def __init__(self, width=64, tables=26, rows=20000):
            super().__init__()
            self.tables = nn.ModuleList([nn.EmbeddingBag(rows, width, mode="sum") for _ in range(tables)])
            perceptron = lambda *sizes: nn.Sequential(*[part for a, b in zip(sizes, sizes[1:]) for part in (nn.Linear(a, b), nn.ReLU())][:-1])
            self.dense, self.pairs = perceptron(13, 512, 256, width), torch.tril_indices(tables + 1, tables + 1, -1, device="cuda")
            self.top = perceptron(width + self.pairs.shape[1], 512, 256, 2)

        def forward(self, numbers, categories):
            dense = self.dense(torch.log1p(numbers))
            features = torch.stack([dense, *[table(categories[:, i]) for i, table in enumerate(self.tables)]], 1)
            products = torch.bmm(features, features.transpose(1, 2))[:, self.pairs[0], self.pairs[1]]
            return self.top(torch.cat([F.relu(dense), products], 1))

    return Net(), (torch.rand(2048, 13), torch.randint(20000, (2048, 26, 4))), {"train": True}


@model
def speech():
    """Convolutions over time, an encoder, a decoder that attends to it."""
    torch, nn, F, _ = parts()

    class Attention(nn.Module):
        def __init__(self, width, heads, causal):
            super().__init__()
            self.heads, self.causal = heads, causal
            self.q, self.k, self.v, self.out = nn.Linear(width, width), nn.Linear(width, width, bias=False), nn.Linear(width, width), nn.Linear(width, width)

        def forward(self, x, beside):
            q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.q(x), self.k(beside), self.v(beside)))
            return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=self.causal).transpose(1, 2).flatten(2))

    class Block(nn.Module):
        def __init__(self, width, heads, decodes):
            super().__init__()
            self.own, self.cross = Attention(width, heads, decodes), Attention(width, heads, False) if decodes else None
            self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(3)])
            self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

        def forward(self, x, heard=None):
            normed = self.norms[0](x)
            x = x + self.own(normed, normed)
            x = x + self.cross(self.norms[2](x), heard) if self.cross else x
            return x + self.feed(self.norms[1](x))

    class Net(nn.Module):
        def __init__(self, width=512, heads=8, layers=3, words=8000):
            super().__init__()
            self.stem = nn.Sequential(nn.Conv1d(80, width, 3, padding=1), nn.GELU(), nn.Conv1d(width, width, 3, 2, 1), nn.GELU())
            self.encoder, self.decoder = (nn.ModuleList([Block(width, heads, decodes) for _ in range(layers)]) for decodes in (False, True))
            self.words, self.places, self.norm = nn.Embedding(words, width), nn.Parameter(torch.randn(1500, width)), nn.LayerNorm(width)

        def forward(self, sound, words):
            heard = self.stem(sound).transpose(1, 2) + self.places
            for block in self.encoder:
                heard = block(heard)
            x = self.words(words) + self.places[:words.shape[1]]
            for block in self.decoder:
                x = block(x, heard)
            return F.linear(self.norm(x), self.words.weight)

    return Net().half(), (torch.randn(4, 80, 3000).half(), torch.randint(8000, (4, 224))), {}


@model
def graph_training():
    """Attention along the edges of a graph: scores are normalized for each node by sums over its edges."""
    torch, nn, F, _ = parts()
    nodes, edges = 20000, 160000

    class Layer(nn.Module):
        def __init__(self, before, width, heads):
            super().__init__()
            self.map, self.heads = nn.Linear(before, heads * width, bias=False), heads
            self.scores = nn.ParameterList([nn.Parameter(torch.randn(heads, width) * 0.1) for _ in range(2)])

        def forward(self, x, source, target):
            x = self.map(x).unflatten(-1, (self.heads, -1))
            a, b = ((x * score).sum(-1) for score in self.scores)
            weights = F.leaky_relu(a[source] + b[target], 0.2).exp()
            sums = torch.zeros_like(a).index_add(0, target, weights)
            made = torch.zeros_like(x).index_add(0, target, x[source] * weights[..., None])
            return F.elu((made / (sums[..., None] + 1e-6)).flatten(1))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second, self.out = Layer(128, 32, 8), Layer(256, 32, 4), nn.Linear(128, 40)
            self.norm, self.drop = nn.BatchNorm1d(256), nn.Dropout(0.2)

        def forward(self, x, source, target):
            return self.out(self.second(self.drop(self.norm(self.first(x, source, target))), source, target))

    return Net(), (torch.randn(nodes, 128), torch.randint(nodes, (edges,)), torch.randint(nodes, (edges,))), {"train": True}


# ---- steps ----------------------------------------------------------------------------------------------------------------


def training_step(torch, net):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)

    def step(*inputs):
        optimizer.zero_grad()
        made = net(*inputs).float()
        loss = torch.nn.functional.cross_entropy(made.flatten(0, -2), torch.arange(made[..., 0].numel(), device="cuda") % made.shape[-1])
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def step_of(torch, net, is_training):
    """What one step is, for a net that may be compiled."""
    return training_step(torch, net) if is_training else torch.no_grad()(net)


def on_the_gpu(torch, name):
    """(net, arguments, options, is it trained), the same in every process."""
    torch.manual_seed(1)
    net, arguments, options = MODELS[name]()
    is_training = options.pop("train", False)
    return net.cuda(), [each.cuda() for each in arguments], options, is_training
