#!/usr/bin/env python3
"""Computes the weights of the model `skills` from those of all-MiniLM-L6-v2 and the stored difference.

  export.py --base FOLDER --out FOLDER [--delta FILE] [--plain]

FOLDER of `--base` holds the published all-MiniLM-L6-v2 (model.safetensors, config.json, tokenizer.json). `--plain`
leaves the difference out. Needs numpy alone. Every number is computed in float64 by elementwise operations in a fixed
order and rounded once, so the file has the same bytes on every machine; its SHA-256 is checked (MODEL_SHA256).

Format: safetensors, the names sorted. Each `*.weight` of a linear layer and of the word embeddings is `NAME` I8 [rows,
columns] with `NAME.scale` F32 [rows]; a number is `i8 * scale` of its row. All else is F32.
"""
import argparse
import hashlib
import json
import shutil
import struct
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DELTA_SHA256 = "05f05da99426c6e554b6b33d0df801a82ba9f2bb3fa4f55cacd25fa7a1483f1b"
MODEL_SHA256 = "30b9528521cd8019d0440e2d6888a7301a04027733c18c4b9ed5fbf0b0dd4a60"
TYPES = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2"), "I8": np.dtype("i1"), "U8": np.dtype("u1"), "I64": np.dtype("<i8")}
UNUSED = ("pooler.", "embeddings.position_ids")


def read(data):
    """The tensors of a safetensors file by name."""
    length = struct.unpack("<Q", data[:8])[0]
    header, start = json.loads(data[8:8 + length]), 8 + length
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = (start + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def write(tensors):
    """A safetensors file: names sorted, no metadata, the header padded with blanks to 8 bytes."""
    names = {dtype: name for name, dtype in TYPES.items()}
    header, chunks, at = {}, [], 0
    for name in sorted(tensors):
        tensor = np.ascontiguousarray(tensors[name])
        chunk = tensor.tobytes()
        header[name] = {"dtype": names[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + len(chunk)]}
        chunks.append(chunk)
        at += len(chunk)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return struct.pack("<Q", len(head)) + head + b"".join(chunks)


def unpacked(codes):
    """The numbers from -7 to 7 of a matrix in a file of delta.py."""
    numbers = np.empty((codes.shape[0], codes.shape[1] * 2))
    numbers[:, 0::2], numbers[:, 1::2] = codes & 15, codes >> 4
    return numbers - 8


def merged(base, delta):
    """The base's tensors in float64, plus the difference."""
    tensors = {name: tensor.astype(np.float64) for name, tensor in base.items() if not name.startswith(UNUSED)}
    for name in tensors:
        if f"{name}.codes" in delta:
            tensors[name] = tensors[name] + unpacked(delta[f"{name}.codes"]) * delta[f"{name}.step"].astype(np.float64)[:, None]
        if f"{name}.add" in delta:
            tensors[name] = tensors[name] + delta[f"{name}.add"].astype(np.float64)
    return tensors


def is_quantised(name, tensor):
    return tensor.ndim == 2 and "position_embeddings" not in name and "token_type" not in name


def quantised(tensors):
    """Eight bits per weight, with one scale per row."""
    result = {}
    for name, tensor in tensors.items():
        if is_quantised(name, tensor):
            scale = (np.abs(tensor).max(axis=1) / 127.0).astype(np.float32)
            divisor = np.where(scale == 0, 1.0, scale.astype(np.float64))
            result[name] = np.clip(np.rint(tensor / divisor[:, None]), -127, 127).astype(np.int8)
            result[f"{name}.scale"] = scale
        else:
            result[name] = tensor.astype(np.float32)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--delta", type=Path, default=HERE / "skills.delta.safetensors")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--unpinned", action="store_true", help="do not compare the digest of the result")
    given = parser.parse_args()
    base = (given.base / "model.safetensors").read_bytes()
    if hashlib.sha256(base).hexdigest() != BASE_SHA256:
        sys.exit(f"{given.base}/model.safetensors is not the published all-MiniLM-L6-v2")
    delta = {} if given.plain else read(given.delta.read_bytes())
    made = write(quantised(merged(read(base), delta)))
    digest = hashlib.sha256(made).hexdigest()
    if not (given.plain or given.unpinned) and digest != MODEL_SHA256:
        sys.exit(f"the result has SHA-256 {digest}, not {MODEL_SHA256}")
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "skills.safetensors").write_bytes(made)
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(given.base / name, given.out / name)
    print(f"{digest}  skills.safetensors  {len(made)} bytes")


if __name__ == "__main__":
    main()
