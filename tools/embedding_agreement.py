#!/usr/bin/env python3
"""Compares the vectors of `skc` with those of sentence-transformers or torch for the same model.

  embedding_agreement.py FOLDER [--embed PATH] [--texts FILE] [--reference FILE] [--torch FILE] [--least COSINE]

FOLDER is a model that `skc model install` put there, or the files of the published model in any folder that
`skc model status` calls sound. 200 texts are turned into vectors by both: words, sentences, descriptions of
skills, code, Markdown, other scripts, accents, emoji, control characters, blanks, and texts far beyond 256 word
pieces; `--texts` takes others, one JSON string a line. `--embed` is the example `embed` of skillc-embed, else that
of the release build (`cargo build --release -p skillc-embed --example embed`). `--reference` writes the vectors
of the first texts as the tests keep them.

`--torch` compares with torch alone, which computes a BERT of the weights in FILE: F32, or I8 with a scale for each row, so that `skills`
in 8 bits is compared with itself (cosine 0.999) or with the weights that were rounded (`--least 0.995`).

Exit status: 0 when the least cosine is 0.999, or that of `--least`, or more, 1 else. Needs sentence-transformers 6 with torch, with
`--torch` torch, safetensors and tokenizers; it computes on the processor, and nothing is fetched.
"""
import argparse, json, os, subprocess, sys
from pathlib import Path

COSINE_MIN = 0.999
TEXTS = 200
# As many as fit into a file that a reader may still open.
REFERENCE_TEXTS = 14
REFERENCE_DIGITS = 5

ODD = [
    "", " ", "\t\n", "a", "send a message on Discord", "How do I rotate a PDF?",
    "pdf-forms: Fill and flatten PDF forms. Use when a form is to be completed.",
    "Ünïcödé naïve café Ångström ß œ", "你好，世界：帮我发一条消息", "日本語のテキストを要約する", "한국어 문서 번역",
    "مرحبا بالعالم", "hello😀world 👩‍👩‍👧 🇩🇪", "e\u0301 combining \u0301\u0302\u0303 marks",
    "control\u0000\u0001\u001b[2J characters \ufeff \u200b zero\u00adwidth", "x" * 101, "x" * 5000,
    "don't can't I'll you're it's", "snake_case camelCase kebab-case SCREAMING_CASE", "1,234.56 € – 99 % of $100k",
    "https://example.com/a/b?c=d&e=f#g", "fn main() { println!(\"{}\", 1 + 2); }", "SELECT * FROM t WHERE a <> 'b';",
    "# Title\n\n- item **bold** `code`\n- [link](x.md)\n", "[CLS] [SEP] [MASK] [UNK] [PAD]", "##ing ##ed",
    "ﬁnancial ﬂow ① ② Ⅳ ½", "İstanbul ıssız", "ΑΒΓ αβγ ς σ", "Привет, мир", "नमस्ते दुनिया", "\u202eright to left",
    "word " * 253, "word " * 254, "word " * 255, "word " * 4000, "antidisestablishmentarianism " * 60,
]
SUBJECTS = ["PDF forms", "Kubernetes clusters", "release notes", "spreadsheets", "git history", "REST APIs",
            "unit tests", "meeting minutes", "SQL migrations", "Discord messages", "brand guidelines"]
ACTIONS = ["create and edit {}", "review {} for mistakes", "turn {} into a report", "find out why {} are slow",
           "translate {} into German", "automate {} with a script", "explain {} to a beginner"]
FORMS = ["{}", "How can I {}?", "Use this skill when the user wants to {}. It covers set-up, limits and common errors."]


def texts():
    plain = (form.format(action.format(subject)) for form in FORMS for action in ACTIONS for subject in SUBJECTS)
    found = ODD + list(plain)
    # Of different lengths, up to what is cut off.
    for at in range(len(ODD), len(found), 9):
        found[at] = " ".join(found[at:at + 1 + at // 6])
    return found[:TEXTS]


def by_skc(program, folder, asked):
    lines = "".join(json.dumps(text) + "\n" for text in asked)
    done = subprocess.run([program, folder], input=lines, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_reference(folder, asked):
    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    # As modules.json, 1_Pooling/config.json and sentence_bert_config.json of the published model have it.
    words = Transformer(str(folder), max_seq_length=256)
    model = SentenceTransformer(modules=[words, Pooling(384, pooling_mode="mean"), Normalize()], device="cpu")
    return [model.encode(text).tolist() for text in asked]


def weights(file):
    """The tensors of a file as 32-bit floats."""
    import torch
    from safetensors.torch import load_file
    tensors = load_file(str(file))
    rows = lambda name: tensors[f"{name}.scale"][:, None]
    rounded = {name: tensor.float() * rows(name) for name, tensor in tensors.items() if tensor.dtype == torch.int8}
    return {**tensors, **rounded}


def by_torch(folder, file, asked):
    """A BERT with six layers; the mean of its last vectors, normalized."""
    import torch
    from tokenizers import Tokenizer
    from torch.nn.functional import gelu, layer_norm, linear, normalize, scaled_dot_product_attention
    tokenizer, of = Tokenizer.from_file(str(folder / "tokenizer.json")), weights(file)
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    norm = lambda x, name: layer_norm(x, (384,), of[f"{name}.weight"], of[f"{name}.bias"], 1e-12)
    dense = lambda x, name: linear(x, of[f"{name}.weight"], of[f"{name}.bias"])
    vectors = []
    for text in asked:
        ids = tokenizer.encode(text).ids
        x = of["embeddings.word_embeddings.weight"][ids] + of["embeddings.position_embeddings.weight"][:len(ids)]
        x = norm(x + of["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for at in (f"encoder.layer.{number}" for number in range(6)):
            parts = [dense(x, f"{at}.attention.self.{part}").view(-1, 12, 32).transpose(0, 1) for part in ("query", "key", "value")]
            seen = scaled_dot_product_attention(*parts).transpose(0, 1).reshape(-1, 384)
            x = norm(dense(seen, f"{at}.attention.output.dense") + x, f"{at}.attention.output.LayerNorm")
            wide = gelu(dense(x, f"{at}.intermediate.dense"))
            x = norm(dense(wide, f"{at}.output.dense") + x, f"{at}.output.LayerNorm")
        vectors.append(normalize(x.mean(0), dim=0).tolist())
    return vectors


def cosine(a, b):
    length = lambda v: sum(x * x for x in v) ** 0.5
    return sum(x * y for x, y in zip(a, b)) / (length(a) * length(b))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    release = Path(os.environ.get("CARGO_TARGET_DIR", Path(__file__).parent.parent / "target")) / "release"
    parser.add_argument("--embed", type=Path, default=release / "examples/embed")
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--torch", type=Path)
    parser.add_argument("--least", type=float, default=COSINE_MIN)
    given = parser.parse_args()
    asked = [json.loads(line) for line in given.texts.open()] if given.texts else texts()
    ours = by_skc(given.embed, given.folder, asked)
    theirs = by_torch(given.folder, given.torch, asked) if given.torch else by_reference(given.folder, asked)
    if given.reference:
        with given.reference.open("w") as file:
            for text, vector in list(zip(asked, theirs))[4:4 + REFERENCE_TEXTS]:
                numbers = [round(x, REFERENCE_DIGITS) for x in vector]
                file.write(json.dumps({"text": text, "vector": numbers}, separators=(",", ":")) + "\n")
    cosines = sorted((cosine(a, b), text) for a, b, text in zip(ours, theirs, asked))
    print(f"texts {len(asked)}, cosine least {cosines[0][0]:.7f}, mean {sum(c for c, _ in cosines) / len(asked):.7f}")
    for value, text in cosines[:3]:
        print(f"  {value:.7f} {text[:60]!r}")
    sys.exit(cosines[0][0] < given.least)


if __name__ == "__main__":
    main()
