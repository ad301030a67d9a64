"""Seconds of training an epoch, elmx against PyTorch: the same network, batch, number of samples and threads, single precision,
alternating in one run, medians.

fnn:  MNIST, 784-512-10, batch 128, all 60000 samples: Adam and RLS of both (RLS in PyTorch as the paper writes it, P D directly).
cnn:  CIFAR-10 images, mini-VGG of the paper (64, 64, pool, 128, 128, pool, 256, pool, 1024, 10), batch 128, 1280 samples: Adam of both, RLS of elmx.
lstm: IMDB reviews, embedding 100 (fixed), two LSTM layers of 512, 200 steps, batch 128, 512 samples: Adam of both, RLS of elmx. PyTorch gets
      random tokens: its time does not depend on which they are."""

import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import ratios
import torch
from torch import nn

BATCH = 128
DATA = pathlib.Path(os.environ.get("ELMX_DATA") or "data")
CONV = {"kind": "convolution", "kernel": [3, 3], "padding": 1}
POOL = {"kind": "max_pool"}
NETS = {
    "fnn": {
        "data": {"set": "mnist"}, "split": {"kind": "fixed"}, "preprocess": {"inputs": "byte"},
        "model": {"layers": [{"kind": "dense", "nodes": 512}]},
    },
    "cnn": {
        "data": {"set": "cifar-10-jpeg"}, "split": {"kind": "fixed", "train_samples": 1280, "test_samples": 128},
        "preprocess": {"inputs": "byte"},
        "model": {"input": {"channels": 3, "rows": 32, "cols": 32},
                  "layers": [CONV | {"nodes": 64}, CONV | {"nodes": 64}, POOL, CONV | {"nodes": 128}, CONV | {"nodes": 128}, POOL,
                             CONV | {"nodes": 256}, POOL, {"kind": "dense", "nodes": 1024}]},
    },
    "lstm": {
        "data": {"set": "imdb", "length": 200}, "split": {"kind": "fixed", "train_samples": 512, "test_samples": 128},
        "preprocess": {"inputs": "none"},
        "model": {"input": {"steps": 200}, "clip": {"norm": 1},
                  "layers": [{"kind": "embedding", "nodes": 100}, {"kind": "lstm", "nodes": 512}, {"kind": "lstm", "nodes": 512}]},
    },
}


def elmx(net, epochs):
    """Seconds an epoch and test accuracy of adam and rls."""
    config = {"name": "bench", **NETS[net]}
    config["model"] = {"family": "rls", "algorithms": ["adam", "rls"], "epochs": epochs, "batch": BATCH, **config["model"]}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config.json"
        path.write_text(json.dumps(config))
        subprocess.run(["build/elmx", "run", str(path), "-o", f"{folder}/out"], check=True, capture_output=True)
        results = {}
        for line in pathlib.Path(folder, "out", "records.jsonl").read_text().splitlines():
            record = json.loads(line)
            assert record["status"] == "ok"
            results[record["algorithm"]] = record["timing"]["steps"][0]["step_mean"], record["steps"][0]["metrics"]["test_acc"]
        return results


def mnist(name):
    images = np.frombuffer(gzip.open(DATA / "mnist" / f"{name}-images-idx3-ubyte.gz").read(), np.uint8, offset=16)
    labels = np.frombuffer(gzip.open(DATA / "mnist" / f"{name}-labels-idx1-ubyte.gz").read(), np.uint8, offset=8)
    return torch.from_numpy(images.reshape(-1, 784).astype(np.float32) / 255), torch.from_numpy(labels.astype(np.int64))


def fnn_data():
    X, y = mnist("train")
    test, test_y = mnist("t10k")
    return X, y, 10, lambda net: (net(test).argmax(1) == test_y).float().mean().item()


def cnn_data():
    raw = gzip.open(DATA / "cifar-10-jpeg" / "data_batch_1.first1200.bin.gz").read() + gzip.open(
        DATA / "cifar-10-jpeg" / "data_batch_2.first1200.bin.gz").read()
    records = np.frombuffer(raw, np.uint8).reshape(-1, 3073)[:1280]
    X = torch.from_numpy(records[:, 1:].astype(np.float32).reshape(-1, 3, 32, 32) / 255)
    return X, torch.from_numpy(records[:, 0].astype(np.int64)), 10, None


def lstm_data():
    generator = torch.Generator().manual_seed(1)
    return torch.randint(0, 10000, (512, 200), generator=generator), torch.randint(0, 2, (512,), generator=generator), 2, None


class Reviews(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(10000, 100)
        self.words.weight.requires_grad_(False)
        self.lstm = nn.LSTM(100, 512, num_layers=2, batch_first=True)
        self.out = nn.Linear(512, 2)

    def forward(self, tokens):
        return self.out(self.lstm(self.words(tokens))[0][:, -1])


def conv(a, b):
    return [nn.Conv2d(a, b, 3, padding=1), nn.ReLU()]


def network(net):
    if net == "fnn":
        return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))
    if net == "lstm":
        return Reviews()
    return nn.Sequential(*conv(3, 64), *conv(64, 64), nn.MaxPool2d(2), *conv(64, 128), *conv(128, 128), nn.MaxPool2d(2), *conv(128, 256),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(4096, 1024), nn.ReLU(), nn.Linear(1024, 10))


class DenseRls:
    """RLS of the linear layers of a network, as the paper writes it: inputs are kept by hooks, P D is a product of P and D."""

    def __init__(self, net, k=0.1):
        self.layers = [layer for layer in net if isinstance(layer, nn.Linear)]
        self.P = [torch.eye(layer.in_features + 1) for layer in self.layers]
        self.k, self.inputs = k, {}
        for layer in self.layers:
            layer.register_forward_hook(lambda layer, inputs, _: self.inputs.__setitem__(layer, inputs[0].detach()))

    @torch.no_grad()
    def step(self):
        for i, layer in enumerate(self.layers):
            x = torch.cat([self.inputs[layer].mean(0), torch.ones(1)])
            D = torch.cat([layer.weight.grad.T, layer.bias.grad[None]])
            u = self.P[i] @ x
            h = 1 + self.k * (x @ u)
            step = self.P[i] @ D / h
            layer.weight -= step[:-1].T
            layer.bias -= step[-1]
            self.P[i] -= torch.outer(u, u) * (self.k / h)


def torch_runs(net, algorithm, epochs):
    torch.manual_seed(1)
    X, y, classes, accuracy = {"fnn": fnn_data, "cnn": cnn_data, "lstm": lstm_data}[net]()
    targets = nn.functional.one_hot(y, classes).float()
    model = network(net)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.Adam(parameters) if algorithm == "adam" else DenseRls(model)
    seconds = []
    for _ in range(epochs):
        begin = time.perf_counter()
        order = torch.randperm(len(X))
        for first in range(0, len(X), BATCH):
            batch = order[first:first + BATCH]
            loss = ((model(X[batch]) - targets[batch]) ** 2).sum() / (2 * len(batch))
            for p in parameters:
                p.grad = None
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 1 if net == "lstm" else 5)
            optimiser.step()
        seconds.append(time.perf_counter() - begin)
    with torch.no_grad():
        return statistics.mean(seconds), accuracy(model) if accuracy else float("nan")


def main():
    repeats = int(sys.argv[1])
    nets = sys.argv[2:] or list(NETS)
    torch.set_num_threads(os.cpu_count())
    for net in nets:
        times, scores = {}, {}
        for _ in range(repeats):
            for algorithm, (seconds, score) in elmx(net, 2).items():
                times.setdefault(f"elmx {algorithm}", []).append(seconds)
                scores[f"elmx {algorithm}"] = score
            for algorithm in ["adam", "rls"] if net == "fnn" else ["adam"]:
                seconds, score = torch_runs(net, algorithm, 2 if net == "fnn" else 1)
                times.setdefault(f"PyTorch {algorithm}", []).append(seconds)
                scores[f"PyTorch {algorithm}"] = score
        medians = {name: statistics.median(values) for name, values in times.items()}
        print(f"\n{net}: seconds an epoch, median of {repeats}")
        for name, seconds in medians.items():
            print(f"  {name:14} {seconds:8.3f}   test accuracy {scores[name]:.4f}")
        for algorithm in ["adam", "rls"] if net == "fnn" else ["adam"]:
            ratio = medians["PyTorch " + algorithm] / medians["elmx " + algorithm]
            print(f"  PyTorch / elmx, {algorithm}: {ratio:.2f}")
            ratios.note("rls", f"{net}, {algorithm} over PyTorch", ratio)
        print(f"  RLS / Adam of elmx: {medians['elmx rls'] / medians['elmx adam']:.2f}", flush=True)


if __name__ == "__main__":
    main()
