"""The network of all-MiniLM-L6-v2 in torch. Its six layers can be trained; the embeddings are frozen."""
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12


def buckets(order, texts, tokens):
    """Groups of texts of similar length that have at most this many word pieces when padded."""
    begin = 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and (end + 1 - begin) * len(texts[order[end]]) <= tokens:
            end += 1
        yield order[begin:end]
        begin = end


class Encoder(torch.nn.Module):
    """Turns texts into unit vectors. Matrix products use `dtype`, sums use float32."""

    def __init__(self, folder, dtype=torch.float32, weights=None, trainable=False, dropout=0.0):
        super().__init__()
        folder = Path(folder)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.base = {name: tensor for name, tensor in (weights or load_file(folder / "model.safetensors")).items()
                     if tensor.is_floating_point() and not name.startswith("pooler.")}
        self.dtype, self.dropout, self.tensors = dtype, dropout, torch.nn.ParameterDict()
        if trainable:
            for name, tensor in self.base.items():
                if name.startswith("encoder."):
                    self.tensors[name.replace(".", "|")] = torch.nn.Parameter(tensor.clone())
        self.cast()

    def cast(self):
        """Converts the weights to the `dtype` that `forward` uses. Call it after each change of the parameters."""
        self.fast = {}
        for name, tensor in self.base.items():
            tensor = self.current(name)
            is_matrix = tensor.ndim == 2 and name.startswith("encoder.") or name.endswith(".bias") and "LayerNorm" not in name
            self.fast[name] = tensor.to(self.dtype) if is_matrix else tensor

    def current(self, name):
        key = name.replace(".", "|")
        return self.tensors[key] if key in self.tensors else self.base[name]

    def weights(self):
        """All current tensors in float32."""
        return {name: self.current(name).detach().clone().contiguous() for name in self.base}

    def load(self, weights):
        with torch.no_grad():
            for key, tensor in self.tensors.items():
                tensor.copy_(weights[key.replace("|", ".")])
        self.cast()

    def pieces(self, texts, most):
        """The word pieces of texts, as skc tokenizes them."""
        result = []
        for encoding in self.tokenizer.encode_batch([text or " " for text in texts], add_special_tokens=False):
            result.append([101, *encoding.ids[:most - 2], 102])
        return result

    def _linear(self, x, name):
        return F.linear(x, self.fast[f"{name}.weight"], self.fast[f"{name}.bias"])

    def _norm(self, x, name):
        return F.layer_norm(x.float(), (WIDTH,), self.fast[f"{name}.weight"], self.fast[f"{name}.bias"], EPSILON)

    def _dropped(self, x):
        return F.dropout(x, self.dropout, self.training)

    def _attention(self, x, hidden, name):
        """Plain matrix products. For short texts they are several times as fast as torch's own, mainly in the backward pass."""
        rows, length, _ = x.shape
        q, k, v = (self._linear(x, f"{name}.{part}").view(rows, length, HEADS, -1).transpose(1, 2).reshape(rows * HEADS, length, -1)
                   for part in ("query", "key", "value"))
        scores = torch.baddbmm(hidden, q, k.transpose(1, 2), alpha=q.shape[-1] ** -0.5)
        return torch.bmm(scores.softmax(-1), v).view(rows, HEADS, length, -1).transpose(1, 2).reshape(rows, length, WIDTH)

    def _layer(self, x, hidden, name):
        low = x.to(self.dtype)
        y = self._linear(self._attention(low, hidden, f"{name}.attention.self"), f"{name}.attention.output.dense")
        x = self._norm(x + self._dropped(y), f"{name}.attention.output.LayerNorm")
        y = F.gelu(self._linear(x.to(self.dtype), f"{name}.intermediate.dense"))
        return self._norm(x + self._dropped(self._linear(y, f"{name}.output.dense")), f"{name}.output.LayerNorm")

    def forward(self, pieces):
        """The unit vectors of lists of word pieces."""
        length = max(map(len, pieces))
        ids = torch.zeros(len(pieces), length, dtype=torch.long)
        mask = torch.zeros(len(pieces), length, dtype=torch.bool)
        for row, numbers in enumerate(pieces):
            ids[row, :len(numbers)] = torch.tensor(numbers)
            mask[row, :len(numbers)] = True
        hidden = torch.zeros(len(pieces), 1, length, dtype=self.dtype).masked_fill(~mask[:, None, :], -1e4)
        hidden = hidden.repeat_interleave(HEADS, 0)
        x = self.base["embeddings.word_embeddings.weight"][ids] + self.base["embeddings.position_embeddings.weight"][:length]
        x = self._norm(x + self.base["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            x = self._layer(x, hidden, f"encoder.layer.{layer}")
        weight = mask[:, :, None].float()
        return F.normalize((x * weight).sum(1) / weight.sum(1), dim=1)

    def in_buckets(self, texts, tokens=2048):
        """The vectors of many texts. Texts of similar length are computed together, so that there is little padding."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        vectors = torch.cat([self([texts[at] for at in rows]) for rows in buckets(order, texts, tokens)])
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return vectors[back]

    @torch.no_grad()
    def embed(self, texts, most=256):
        return self.in_buckets(self.pieces(texts, most))
