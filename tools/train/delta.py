#!/usr/bin/env python3
"""Writes the difference between trained weights and the base model, with four bits per weight.

  delta.py --base FOLDER --weights FILE --out FILE

A matrix is `NAME.codes` U8 [rows, columns / 2], two numbers from -7 to 7 a byte, the first in the lower half and 8 added to
each, and `NAME.step` F32 [rows], by which they are multiplied. A vector is `NAME.add` F16.
"""
import argparse
from pathlib import Path

import numpy as np

import export


def packed(change):
    """The codes and the steps of a matrix."""
    step = (np.abs(change).max(axis=1) / 7.0).astype(np.float32)
    divisor = np.where(step == 0, 1.0, step.astype(np.float64))
    codes = (np.clip(np.rint(change / divisor[:, None]), -7, 7) + 8).astype(np.uint8)
    return codes[:, 0::2] | (codes[:, 1::2] << 4), step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--base", "--weights", "--out"):
        parser.add_argument(name, type=Path, required=True)
    given = parser.parse_args()
    base, delta = export.read((given.base / "model.safetensors").read_bytes()), {}
    for name, tensor in export.read(given.weights.read_bytes()).items():
        change = tensor.astype(np.float64) - base[name].astype(np.float64)
        if not change.any():
            continue
        if change.ndim == 2:
            delta[f"{name}.codes"], delta[f"{name}.step"] = packed(change)
        else:
            delta[f"{name}.add"] = change.astype(np.float16)
    given.out.write_bytes(export.write(delta))
    print(f"{len(delta)} tensors, {given.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
