#!/usr/bin/env python3
"""Trains the encoder `skills`: the six layers of all-MiniLM-L6-v2.

  train.py --corpus FILE --base FOLDER --out FOLDER [--steps N]

A step takes skills with some of their requests, in groups of neighbors, so that skills which are easily mistaken for one
another compete. A request must find its skill among all skills, by the vectors of a snapshot that is made again every
`--refresh` steps, and among those of the step; a skill must find its requests among those of the step. The first 192
dimensions alone must do the same. Twins and near twins never compete. After each snapshot the requests of the repositories
for stopping are ranked by the average of the recent weights, whole and mixed with the base, and the best is written to OUT. Repositories for
stopping and for the test, and twins of their skills, take no part. One seed decides everything that is drawn; threads may
still change the last bits.
"""
import argparse
import json
import math
import random
import re
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

import corpus
from encoder import Encoder

TWIN, KIN = 0.95, 0.88
REQUEST_PIECES, SKILL_PIECES, SHORT = 40, 72, 192
# Requests in scripts of which the base knows single characters cost most and teach least; connectors to products are all alike.
FOREIGN, FOREIGN_SHARE = {"l:ja", "l:zh", "l:ko", "l:ru"}, 0.25
ALIKE, ALIKE_SHARE = "composio-skills/", 0.15
WHOLE_SHARE = 0.6
STOP_REQUESTS = 320
WARM_STEPS = 40
# Parts of the way from the base to the average that are tried: less than all of it does better on what was never seen.
SHARES = (0.65, 1.0)


class Data:
    """The training data: skills, their requests, and which skills never compete."""

    def __init__(self, given, encoder):
        real = corpus.skills(given.corpus)
        invented, their_requests = corpus.invented() if given.invented else ([], [])
        self.skills = real + invented
        self.base = cached(given.out / f"base{len(self.skills)}.pt", lambda: encoder.embed([skill.meaning for skill in self.skills], SKILL_PIECES))
        names = {}
        for at, skill in enumerate(self.skills):
            names.setdefault(skill.name.lower(), []).append(at)
        near = self.base @ self.base.T
        self.kin = near > KIN
        self.twins = [set(names[skill.name.lower()]) | set(torch.nonzero(near[at] > TWIN).flatten().tolist())
                      for at, skill in enumerate(self.skills)]
        for at, twins in enumerate(self.twins):
            self.kin[at, sorted(twins)] = True
        test, stop = corpus.split(real)
        left_out = {at for at, skill in enumerate(self.skills) if skill.repository in test | stop}
        related = set().union(*(self.twins[at] for at in left_out))
        self.of = {at: [] for at in range(len(self.skills)) if at not in left_out | related}
        index = {skill.id: at for at, skill in enumerate(self.skills)}
        self.stop = []
        for request in corpus.requests(real) + their_requests:
            at = index[request.skill]
            if at in self.of:
                self.of[at].append(request)
            elif self.skills[at].repository in stop:
                self.stop.append(request)
        self.stop = random.Random(corpus.SEED).sample(self.stop, min(STOP_REQUESTS, len(self.stop)))
        self.index = index
        self.of = {at: requests for at, requests in self.of.items() if requests}
        self.outside = torch.ones(len(self.skills), dtype=torch.bool)
        self.outside[list(self.of)] = False
        self.encoder = encoder
        self.skill_pieces = encoder.pieces([skill.meaning for skill in self.skills], SKILL_PIECES)
        asked = [request for requests in self.of.values() for request in requests] + self.stop
        self.request_pieces = dict(zip(asked, encoder.pieces([request.text for request in asked], REQUEST_PIECES)))

    def epoch(self, rng, bank, size, group):
        """Batches of skills, in groups of neighbors by the snapshot."""
        chosen = [at for at in self.of if not self.skills[at].path.startswith(ALIKE) or rng.random() < ALIKE_SHARE]
        left, order = set(chosen), []
        for at in rng.sample(chosen, len(chosen)):
            if at in left:
                near = [other for other in (bank @ bank[at]).topk(40).indices.tolist() if other in left and not self.kin[at, other]]
                found = [at, *near[:group - 1]]
                left.difference_update(found)
                order.append(found)
        rng.shuffle(order)
        flat = [at for found in order for at in found]
        return [flat[begin:begin + size] for begin in range(0, len(flat) - size // 2, size)]

    def part(self, rng, at):
        """The word pieces of a skill's text, sometimes without its name or some sentences, so that no single word decides."""
        if rng.random() < WHOLE_SHARE:
            return self.skill_pieces[at]
        sentences = re.split(r"(?<=[.;!?])\s+", self.skills[at].description)
        some = [sentence for sentence in sentences if rng.random() < 0.7] or sentences
        head = f"{self.skills[at].meaning.partition(':')[0]}: " if rng.random() < 0.6 else ""
        return self.encoder.pieces([head + " ".join(some)], SKILL_PIECES)[0]

    def drawn(self, rng, at, most):
        """Some requests of a skill."""
        fit = [request for request in self.of[at] if request.kind not in FOREIGN or rng.random() < FOREIGN_SHARE]
        return rng.sample(fit, min(most, len(fit)))


def cached(path, make):
    if not path.exists():
        torch.save(make(), path)
    return torch.load(path)


@torch.no_grad()
def snapshot(data, encoder):
    """The vectors of all skills from the encoder's current state."""
    return encoder.in_buckets(data.skill_pieces, 4096)


@torch.no_grad()
def ranks(data, encoder, bank):
    """nDCG@10 of the early-stopping requests, by vectors alone, among all real skills. The best right skill counts."""
    scores = encoder.in_buckets([data.request_pieces[request] for request in data.stop]) @ bank.T
    scores[:, [at for at, skill in enumerate(data.skills) if not skill.repository]] = -2
    gains = {}
    for row, request in zip(scores, data.stop):
        twins = sorted(data.twins[data.index[request.skill]])
        best = row[twins].max()
        row[twins] = -2
        rank = int((row > best).sum())
        gains.setdefault(request.group, []).append(1 / math.log2(rank + 2) if rank < 10 else 0.0)
    means = {group: round(sum(values) / len(values), 4) for group, values in sorted(gains.items())}
    return means | {"all": round(sum(map(sum, gains.values())) / len(data.stop), 4)}


def contrast(q, d, bank, sets, temperature):
    """The loss of requests `q` and skills `d`: see the head of this file.

    A request is compared with the snapshot's own vector of the right skill. The fresh one would win over the snapshot's others
    by drifting away from all that is old, and nothing would be learned.
    """
    owner, own, hidden, mine, kin = sets
    forward = F.cross_entropy((q @ bank.T / temperature).masked_fill(hidden, -1e4), own[owner])
    scores = (q @ d.T / temperature).masked_fill(kin & ~mine, -1e4)
    within = F.cross_entropy(scores, owner)
    rest = torch.logsumexp(scores.masked_fill(mine, -1e4), dim=0)
    backward = (torch.logaddexp(scores, rest[None, :]) - scores)[mine].mean()
    return forward + within + 0.5 * backward, forward.item()


def step_loss(data, encoder, bank, rng, batch, given):
    texts = [(row, request) for row, at in enumerate(batch) for request in data.drawn(rng, at, given.requests)]
    q = encoder.in_buckets([data.request_pieces[request] for _, request in texts])
    d = encoder.in_buckets([data.part(rng, at) for at in batch])
    owner, own = torch.tensor([row for row, _ in texts]), torch.tensor(batch)
    hidden = (data.kin[own] | data.outside)[owner]
    hidden[torch.arange(len(texts)), own[owner]] = False
    mine = owner[:, None] == torch.arange(len(batch))[None, :]
    sets = (owner, own, hidden, mine, data.kin[own][:, own][owner])
    whole, forward = contrast(q, d, bank, sets, given.temperature)
    short, _ = contrast(*(F.normalize(vectors[:, :SHORT], dim=1) for vectors in (q, d, bank)), sets, given.temperature)
    away = 1 - (d * data.base[own]).sum(1).mean()
    return whole + given.short * short + given.anchor * away, forward


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--corpus", "--base", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--no-invented", dest="invented", action="store_false", help="leave the invented skills out")
    for name, value in (("steps", 450), ("refresh", 90), ("batch", 64), ("group", 4), ("requests", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    for name, value in (("rate", 1e-4), ("temperature", 0.04), ("anchor", 0.1), ("short", 0.3), ("average", 0.98), ("dropout", 0.1)):
        parser.add_argument(f"--{name}", type=float, default=value)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(2)
    torch.manual_seed(corpus.SEED)
    run(given, Encoder(given.base, torch.bfloat16, trainable=True, dropout=given.dropout))


def run(given, encoder):
    log = (given.out / "log.jsonl").open("a")

    def say(**what):
        print(json.dumps(what), flush=True)
        print(json.dumps(what), file=log, flush=True)

    rng = random.Random(corpus.SEED)
    data, begun = Data(given, Encoder(given.base, torch.bfloat16)), time.time()
    encoder.eval()
    bank = cached(given.out / f"bank{len(data.skills)}.pt", lambda: snapshot(data, encoder))
    best = ranks(data, encoder, bank)
    say(skills=len(data.of), requests=sum(map(len, data.of.values())), stop=len(data.stop), before=best,
        given={key: str(value) for key, value in vars(given).items()})
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=given.rate, weight_decay=0.01, betas=(0.9, 0.98))
    average, batches, losses = encoder.weights(), [], []
    for step in range(1, given.steps + 1):
        batches = batches or data.epoch(rng, bank, given.batch, given.group)
        for group in optimizer.param_groups:
            group["lr"] = given.rate * min(1, step / WARM_STEPS, (given.steps - step + 1) / (given.steps * 0.7))
        encoder.train()
        encoder.cast()
        loss, forward = step_loss(data, encoder, bank, rng, batches.pop(), given)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        losses.append(forward)
        share = min(given.average, step / (step + 10))
        for name, tensor in encoder.weights().items():
            average[name].lerp_(tensor, 1 - share)
        if step % 10 == 0:
            print(f"{step}/{given.steps} {time.time() - begun:.0f}s {sum(losses[-10:]) / 10:.3f}", flush=True)
        if step % given.refresh == 0 or step == given.steps:
            trained, encoder = encoder.weights(), encoder.eval()
            for share in SHARES:
                mixed = {name: torch.lerp(encoder.base[name], tensor, share) for name, tensor in average.items()}
                encoder.load(mixed)
                bank = snapshot(data, encoder)
                now = ranks(data, encoder, bank)
                say(step=step, share=share, seconds=round(time.time() - begun), loss=round(sum(losses) / len(losses), 4), stop=now)
                if now["all"] > best["all"]:
                    best = now
                    save_file(mixed, given.out / "best.safetensors")
            save_file(average, given.out / f"average{step}.safetensors")
            encoder.load(trained)
            losses = []


if __name__ == "__main__":
    main()
