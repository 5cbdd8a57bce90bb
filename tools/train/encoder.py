"""The network of all-MiniLM-L6-v2 in torch, with low-rank differences that can be trained."""
import re
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12
# The lower layers stay as they are, so that their output for each text is computed once.
FROZEN = 3
LINEAR = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
          "intermediate.dense", "output.dense")


def buckets(order, texts, tokens):
    """Runs of texts, ordered by length, that have at most so many pieces when padded."""
    begin = 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and (end + 1 - begin) * len(texts[order[end]]) <= tokens:
            end += 1
        yield order[begin:end]
        begin = end


class Encoder(torch.nn.Module):
    """Texts to unit vectors. With `rank` 0 it is the plain model."""

    def __init__(self, folder, rank=0, dropout=0.0, dtype=torch.float32, weights=None):
        super().__init__()
        folder = Path(folder)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.base = weights or load_file(folder / "model.safetensors")
        self.fast = {name: tensor.to(dtype) for name, tensor in self.base.items() if tensor.is_floating_point()}
        self.dtype, self.dropout = dtype, dropout
        self.up, self.down, self.add = (torch.nn.ParameterDict() for _ in range(3))
        if rank:
            self._make_trainable(rank)

    def _make_trainable(self, rank):
        for name, tensor in sorted(self.base.items()):
            key = name.replace(".", "|")
            layer = re.match(r"encoder\.layer\.(\d+)\.", name)
            if not layer or int(layer[1]) < FROZEN:
                continue
            if tensor.ndim == 2:
                self.down[key] = torch.nn.Parameter(torch.randn(rank, tensor.shape[1]) / tensor.shape[1] ** 0.5)
                self.up[key] = torch.nn.Parameter(torch.zeros(tensor.shape[0], rank))
            else:
                self.add[key] = torch.nn.Parameter(torch.zeros_like(tensor))

    def delta(self):
        """The trained difference, as export.py reads it."""
        parts = (("up", self.up), ("down", self.down), ("add", self.add))
        return {f"{key.replace('|', '.')}.{kind}": value.detach().half().contiguous()
                for kind, values in parts for key, value in values.items()}

    def load_delta(self, tensors):
        with torch.no_grad():
            for kind, values in (("up", self.up), ("down", self.down), ("add", self.add)):
                for key, value in values.items():
                    value.copy_(tensors[f"{key.replace('|', '.')}.{kind}"].float())

    def pieces(self, texts, most):
        """The word pieces of texts, cut as skc cuts them."""
        result = []
        for encoding in self.tokenizer.encode_batch([text or " " for text in texts], add_special_tokens=False):
            result.append([101, *encoding.ids[:most - 2], 102])
        return result

    def _vector(self, name):
        key = name.replace(".", "|")
        return self.base[name] + self.add[key] if key in self.add else self.base[name]

    def _linear(self, x, name):
        x = x.to(self.dtype)
        bias = self._vector(f"{name}.bias").to(self.dtype)
        y = F.linear(x, self.fast[f"{name}.weight"], bias)
        key = f"{name}.weight".replace(".", "|")
        if key in self.up:
            low = F.linear(F.dropout(x, self.dropout, self.training), self.down[key].to(self.dtype))
            y = y + F.linear(low, self.up[key].to(self.dtype))
        return y

    def _norm(self, x, name):
        return F.layer_norm(x.float(), (WIDTH,), self._vector(f"{name}.weight"), self._vector(f"{name}.bias"), EPSILON)

    def lower(self, pieces):
        """What the frozen layers make of lists of word pieces, and which places are filled."""
        length = max(map(len, pieces))
        ids = torch.zeros(len(pieces), length, dtype=torch.long)
        mask = torch.zeros(len(pieces), length, dtype=torch.bool)
        for row, numbers in enumerate(pieces):
            ids[row, :len(numbers)] = torch.tensor(numbers)
            mask[row, :len(numbers)] = True
        x = self.base["embeddings.word_embeddings.weight"][ids] + self.base["embeddings.position_embeddings.weight"][:length]
        x = self._norm(x + self.base["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(FROZEN):
            x = self._layer(x, mask, f"encoder.layer.{layer}")
        return x, mask

    def upper(self, x, mask):
        """Unit vectors of what the frozen layers made."""
        for layer in range(FROZEN, LAYERS):
            x = self._layer(x, mask, f"encoder.layer.{layer}")
        weight = mask[:, :, None].float()
        return F.normalize((x * weight).sum(1) / weight.sum(1), dim=1)

    def forward(self, texts):
        """Unit vectors of texts, all given as word pieces or all as output of the frozen layers."""
        if not torch.is_tensor(texts[0]):
            return self.upper(*self.lower(texts))
        length = max(map(len, texts))
        x = torch.zeros(len(texts), length, WIDTH)
        mask = torch.zeros(len(texts), length, dtype=torch.bool)
        for row, states in enumerate(texts):
            x[row, :len(states)] = states.float()
            mask[row, :len(states)] = True
        return self.upper(x, mask)

    @torch.no_grad()
    def states(self, texts, most):
        """The output of the frozen layers for each text, to be given to `forward`."""
        pieces = self.pieces(texts, most)
        result = [None] * len(pieces)
        order = sorted(range(len(pieces)), key=lambda at: len(pieces[at]))
        for rows in buckets(order, pieces, 2048):
            x, _ = self.lower([pieces[at] for at in rows])
            for at, states in zip(rows, x):
                result[at] = states[:len(pieces[at])].to(torch.bfloat16).clone()
        return result

    def _layer(self, x, mask, name):
        rows, length, _ = x.shape
        q, k, v = (self._linear(x, f"{name}.attention.self.{part}").view(rows, length, HEADS, -1).transpose(1, 2)
                   for part in ("query", "key", "value"))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        y = y.transpose(1, 2).reshape(rows, length, WIDTH)
        x = self._norm(x + self._linear(y, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        y = F.gelu(self._linear(x, f"{name}.intermediate.dense"))
        return self._norm(x + self._linear(y, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def in_buckets(self, texts, tokens=2048):
        """Vectors of many texts: those of like length together, so that little is padded."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        vectors = torch.cat([self([texts[at] for at in rows]) for rows in buckets(order, texts, tokens)])
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return vectors[back]

    @torch.no_grad()
    def embed(self, texts, most=256):
        was = self.training
        self.eval()
        vectors = self.in_buckets(self.pieces(texts, most))
        self.train(was)
        return vectors
