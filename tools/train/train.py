#!/usr/bin/env python3
"""Trains the encoder `skills`: a low-rank difference to all-MiniLM-L6-v2.

  train.py --corpus FILE --base FOLDER --out FOLDER [--epochs N] [--minutes N]

A step takes skills with their requests, in groups of neighbors, so that skills which are easily mistaken for one another
compete. A request must find its skill among all skills of the training split, by the vectors of a snapshot that is made
anew after each epoch, and among those of the step; and a skill its requests among those of the step. Twins and near twins
never compete. After each epoch the requests of the repositories for stopping are ranked, and the difference of the best
epoch is written to OUT. Repositories for stopping and for the test, and twins of their skills, take no part. One seed
decides everything that is drawn; threads may still change the last bits.
"""
import argparse
import json
import math
import random
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

import corpus
from encoder import Encoder

TWIN, KIN = 0.95, 0.90
REQUEST_PIECES, SKILL_PIECES = 40, 80
# How often a request takes part in an epoch: those in scripts of which the base knows single characters cost most and teach least.
FOREIGN, FOREIGN_SHARE = {"l:ja", "l:zh", "l:ko", "l:ru"}, 0.25
STOP_REQUESTS = 320


class Data:
    """What takes part: skills, their requests, and which skills never compete."""

    def __init__(self, given, encoder):
        self.skills = corpus.skills(given.corpus)
        cache = given.out / "base.safetensors"
        if not cache.exists():
            save_file({"base": encoder.embed([skill.meaning for skill in self.skills])}, cache)
        self.base = load_file(cache)["base"]
        names = {}
        for at, skill in enumerate(self.skills):
            names.setdefault(skill.name.lower(), []).append(at)
        self.near = self.base @ self.base.T
        self.twins = [set(names[skill.name.lower()]) | set(torch.nonzero(self.near[at] > TWIN).flatten().tolist())
                      for at, skill in enumerate(self.skills)]
        test, stop = corpus.split(self.skills)
        self.left_out = {at for at, skill in enumerate(self.skills) if skill.repository in test | stop}
        kin = set().union(*(self.twins[at] for at in self.left_out))
        self.train = [at for at in range(len(self.skills)) if at not in self.left_out | kin]
        self.requests = corpus.requests(self.skills)
        self.stop = [request for request in self.requests if self.skills[request.skill].repository in stop]
        self.stop = random.Random(corpus.SEED).sample(self.stop, min(STOP_REQUESTS, len(self.stop)))
        inside = set(self.train)
        self.of = {at: [] for at in self.train}
        for request in self.requests:
            if request.skill in inside:
                self.of[request.skill].append(request)
        used = sorted({request.skill for request in self.stop} | {at for at in self.train if self.of[at]} | self.left_out)
        asked = [request for at in self.train for request in self.of[at]] + self.stop
        cache = given.out / "states.pt"
        if not cache.exists():
            skills = encoder.states([self.skills[at].meaning for at in used], SKILL_PIECES)
            torch.save((skills, encoder.states([request.text for request in asked], REQUEST_PIECES)), cache)
        skills, requests = torch.load(cache)
        self.skill_states, self.request_states = dict(zip(used, skills)), dict(zip(asked, requests))

    def batches(self, rng, size, group):
        """Skills in an order in which neighbours stand together."""
        left, order = {at for at in self.train if self.of[at]}, []
        for at in rng.sample(self.train, len(self.train)):
            if at in left:
                near = [other for other in self.near[at].topk(24).indices.tolist() if other in left and other != at
                        and other not in self.twins[at]]
                chosen = [at, *near[:group - 1]]
                left.difference_update(chosen)
                order.append(chosen)
        rng.shuffle(order)
        flat = [at for chosen in order for at in chosen]
        return [flat[begin:begin + size] for begin in range(0, len(flat), size)]


def snapshot(data, encoder):
    """The vectors of all skills that have a part, as the encoder makes them now."""
    encoder.eval()
    bank, used = torch.zeros_like(data.base), list(data.skill_states)
    with torch.no_grad():
        bank[used] = encoder.in_buckets([data.skill_states[at] for at in used], 4096)
    return bank


def ranks(data, encoder, bank):
    """nDCG@10 of the requests for stopping, by vectors alone, among all skills; the best of the right ones counts."""
    encoder.eval()
    with torch.no_grad():
        vectors = encoder.in_buckets([data.request_states[request] for request in data.stop])
    scores = vectors @ bank.T
    gains = {}
    for row, request in zip(scores, data.stop):
        twins = sorted(data.twins[request.skill])
        best = row[twins].max()
        row = row.clone()
        row[twins] = -2
        rank = int((row > best).sum())
        gains.setdefault(request.group, []).append(1 / math.log2(rank + 2) if rank < 10 else 0.0)
    means = {group: round(sum(values) / len(values), 4) for group, values in sorted(gains.items())}
    return means | {"all": round(sum(map(sum, gains.values())) / len(data.stop), 4)}


def step_loss(data, encoder, bank, rng, batch, given):
    """Requests against all skills of the snapshot, and requests and skills of the step against one another.

    The snapshot's own vector of the right skill is compared with its others. The fresh one would win by drifting away from all
    that is old, and nothing would be learned.
    """
    texts = [(at, request) for at in batch for request in data.of[at]
             if request.kind not in FOREIGN or rng.random() < FOREIGN_SHARE]
    q = encoder.in_buckets([data.request_states[request] for _, request in texts])
    d = encoder.in_buckets([data.skill_states[at] for at in batch])
    owner, own = torch.tensor([batch.index(at) for at, _ in texts]), torch.tensor(batch)
    kin = data.near[batch] > KIN
    for row, at in enumerate(batch):
        kin[row, sorted(data.twins[at])] = True
    outside = torch.ones(len(data.skills), dtype=torch.bool)
    outside[data.train] = False
    hidden = (kin | outside)[owner]
    hidden[torch.arange(len(texts)), own[owner]] = False
    cross_entropy = torch.nn.functional.cross_entropy
    forward = cross_entropy((q @ bank.T / given.temperature).masked_fill(hidden, -1e4), own[owner])
    scores = q @ d.T / given.temperature
    mine = owner[:, None] == torch.arange(len(batch))[None, :]
    scores = scores.masked_fill(kin[:, own][owner] & ~mine, -1e4)
    within = cross_entropy(scores, owner)
    rest = torch.logsumexp(scores.masked_fill(mine, -1e4), dim=0)
    backward = (torch.logaddexp(scores, rest[None, :]) - scores)[mine].mean()
    away = 1 - (d * data.base[own]).sum(1).mean()
    return forward + within + 0.5 * backward + given.anchor * away, forward.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--anchor", type=float, default=0.2)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--group", type=int, default=4)
    parser.add_argument("--start", type=Path, help="a difference to go on from")
    parser.add_argument("--steps", type=int, default=70, help="steps of an epoch")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    log = (given.out / "log.jsonl").open("a")

    def say(**what):
        print(json.dumps(what), flush=True)
        print(json.dumps(what), file=log, flush=True)

    torch.set_num_threads(2)
    torch.manual_seed(corpus.SEED)
    rng = random.Random(corpus.SEED)
    encoder = Encoder(given.base, given.rank, given.dropout, torch.bfloat16)
    data = Data(given, encoder)
    print(f"prepared; {sum(map(len, data.request_states.values()))} + {sum(map(len, data.skill_states.values()))} pieces", flush=True)
    if given.start:
        encoder.load_delta(load_file(given.start))
    begun, bank, step = time.time(), snapshot(data, encoder) if given.start else data.base.clone(), 0
    best = ranks(data, encoder, bank)
    say(skills=len(data.train), requests=sum(map(len, data.of.values())), stop=len(data.stop), before=best,
        given={key: str(value) for key, value in vars(given).items()})
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=given.rate, weight_decay=0.01)
    steps = given.epochs * min(given.steps, len(data.batches(random.Random(0), given.batch, given.group)))
    for epoch in range(given.epochs):
        losses = []
        for batch in data.batches(rng, given.batch, given.group)[:given.steps]:
            rate = given.rate * min(1, (step + 1) / 10) * (0.02 + 0.98 * (1 + math.cos(math.pi * step / steps)) / 2)
            for group in optimizer.param_groups:
                group["lr"] = rate
            encoder.train()
            loss, forward = step_loss(data, encoder, bank, rng, batch, given)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimizer.step()
            losses.append(forward)
            step += 1
            if step % 25 == 0:
                save_file(encoder.delta(), given.out / f"step{step}.safetensors")
            if (time.time() - begun) / 60 >= given.minutes:
                break
            if step % 5 == 0:
                print(f"{step}/{steps} {time.time() - begun:.0f}s {sum(losses[-10:]) / len(losses[-10:]):.3f}", flush=True)
        bank = snapshot(data, encoder)
        now = ranks(data, encoder, bank)
        say(epoch=epoch + 1, seconds=round(time.time() - begun), loss=round(sum(losses) / len(losses), 4), stop=now)
        save_file(encoder.delta(), given.out / f"epoch{epoch + 1}.safetensors")
        if now["all"] > best["all"]:
            best = now
            save_file(encoder.delta(), given.out / "delta.safetensors")
        if (time.time() - begun) / 60 >= given.minutes:
            break


if __name__ == "__main__":
    main()
