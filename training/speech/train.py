"""Trains the small recogniser on what synthesise.py spoke, and writes it as a streaming CTC model that sherpa-onnx loads.

python3 train.py FOLDER OUT [--steps N]: reads FOLDER/{words,sentences,heldOut}.npz, writes OUT/{model.onnx,tokens.txt}, and says the
word error rate on voices that were never trained with.
"""

import argparse
import math
import multiprocessing
import pathlib
import time

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from scipy.signal import fftconvolve, resample_poly

from synthesise import FLITE, RATE, words_of

BANDS = 80
SHIFT, FRAME, PADDED = 160, 400, 512
CELLS = 256
LAYERS = 2
# Frames of 10 ms that one step takes, and by how many it moves on: four answers, 40 ms apart.
WINDOW, STEP = 25, 16


def pieces_of():
    pieces = ["<blk>"]
    for word in words_of().values():
        for n, piece in enumerate(word):
            named = piece if n else "\u2581" + piece
            if named not in pieces:
                pieces.append(named)
    return pieces


def mel_bands():
    def mel(hertz):
        return 1127 * math.log(1 + hertz / 700)

    low, high = mel(20), mel(RATE / 2 - 400)
    width = (high - low) / (BANDS + 1)
    bands = np.zeros((PADDED // 2 + 1, BANDS), np.float32)
    for bin in range(PADDED // 2):
        at = mel(bin * RATE / PADDED)
        for band in range(BANDS):
            left, centre, right = (low + (band + n) * width for n in range(3))
            if left < at < right:
                bands[bin, band] = (at - left) / (centre - left) if at <= centre else (right - at) / (right - centre)
    return torch.from_numpy(bands)


MEL = mel_bands()
POVEY = torch.from_numpy((0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / (FRAME - 1))) ** 0.85).float()


def features(samples):
    """Kaldi's filter banks, as sherpa-onnx makes them of samples from -1 to 1: frames of 25 ms each 10 ms, edges mirrored."""
    count = (samples.shape[-1] + SHIFT // 2) // SHIFT
    before = FRAME // 2 - SHIFT // 2
    after = max(0, (count - 1) * SHIFT + FRAME - before - samples.shape[-1])
    whole = torch.cat([samples[:, :before].flip(1), samples, samples[:, samples.shape[1] - after :].flip(1)], 1)
    frames = whole.unfold(1, FRAME, SHIFT)[:, :count]
    frames = frames - frames.mean(2, keepdim=True)
    frames = frames - 0.97 * torch.cat([frames[:, :, :1], frames[:, :, :-1]], 2)
    power = torch.fft.rfft(frames * POVEY, PADDED).abs().square()
    return (power @ MEL).clamp_min(1.1920929e-07).log()


class Recogniser(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.near = torch.nn.Conv1d(BANDS, 128, 5, 2)
        self.far = torch.nn.Conv1d(128, 192, 5, 2)
        self.even = torch.nn.LayerNorm(192)
        self.recurrent = torch.nn.GRU(192, CELLS, LAYERS, batch_first=True, dropout=0.15)
        self.drop = torch.nn.Dropout(0.15)
        self.out = torch.nn.Linear(CELLS, size)

    def forward(self, frames, state=None):
        x = ((frames + 8) / 4).transpose(1, 2)
        x = torch.relu(self.far(torch.relu(self.near(x)))).transpose(1, 2)
        x = self.even(x)
        x, state = self.recurrent(self.drop(x), state)
        return torch.log_softmax(self.out(self.drop(x)), 2), state


class Spoken:
    """Utterances of some files, and what rooms, microphones and lines make of them."""

    def __init__(self, *paths):
        held = [np.load(path) for path in paths]
        self.voices, self.texts = (np.concatenate([part[name] for part in held]) for name in ("voices", "texts"))
        self.samples = [x for part in held for x in np.split(part["samples"], np.cumsum(part["lengths"])[:-1])]
        known, pieces = words_of(), pieces_of()
        self.targets = []
        for text in self.texts:
            named = [piece if n else "\u2581" + piece for word in text.split() for n, piece in enumerate(known[word])]
            self.targets.append([pieces.index(piece) for piece in named])

    def heard(self, n, draw):
        x = self.samples[n].astype(np.float32) / 32768
        faster = draw.uniform(0.92, 1.1)
        x = np.interp(np.arange(0, len(x) - 1, faster), np.arange(len(x)), x).astype(np.float32)
        if draw.random() < 0.1:
            x = resample_poly(resample_poly(x, 1, 2), 2, 1).astype(np.float32)
        if draw.random() < 0.15:
            length = int(draw.uniform(0.05, 0.3) * RATE)
            room = draw.standard_normal(length).astype(np.float32) * np.exp(-6 * np.arange(length) / length)
            room[0] = draw.uniform(4, 12)
            x = fftconvolve(x, room)[: len(x) + length // 2].astype(np.float32)
        before, said = int(draw.uniform(0.05, 0.6) * RATE), len(x)
        x = np.concatenate([np.zeros(before), x, np.zeros(int(draw.uniform(0.4, 0.8) * RATE))]).astype(np.float32)
        x *= 10 ** draw.uniform(-1.5, -0.05) / max(np.abs(x).max(), 1e-3)
        if draw.random() < 0.6:
            x += self.noise(len(x), draw) * np.sqrt(np.mean(x**2)) * 10 ** (-draw.uniform(12, 45) / 20)
        return np.round(x.clip(-1, 1) * 32767) / 32768, before, said

    def noise(self, length, draw):
        kind = draw.random()
        white = draw.standard_normal(length)
        if kind < 0.35:
            made = white
        elif kind < 0.75:
            bins = np.fft.rfft(white)
            made = np.fft.irfft(bins / np.maximum(np.arange(len(bins)), 1) ** draw.uniform(0.3, 0.9), length)
        else:
            made = np.zeros(length)
            for _ in range(5):
                other = self.samples[draw.integers(len(self.samples))].astype(np.float64)
                made += np.resize(np.roll(other[::-1], draw.integers(len(other))), length)
        return (made / max(np.sqrt(np.mean(made**2)), 1e-6)).astype(np.float32)


def batches(words, sentences, warm_up, most, out):
    """Words by themselves first, `warm_up` times, and then everything."""
    torch.set_num_threads(1)
    draw = np.random.default_rng(1)
    alone = Spoken(words)
    for _ in range(warm_up):
        out.put(batch(alone, draw.choice(len(alone.samples), most, False), draw))
    spoken = Spoken(words, sentences)
    lengths = np.array([len(x) for x in spoken.samples])
    # Tests are spoken by flite.
    often = np.concatenate([np.arange(len(lengths)), np.flatnonzero(np.isin(spoken.voices, FLITE))])
    while True:
        # Of about one length, so that little is filled up.
        pool = draw.permutation(often)[: most * 24]
        groups = pool[np.argsort(lengths[pool])].reshape(24, most)
        for group in draw.permutation(groups):
            out.put(batch(spoken, group, draw))


def batch(spoken, group, draw):
    heard, befores, saids = zip(*[spoken.heard(n, draw) for n in group])
    waves = torch.zeros(len(heard), max(len(x) for x in heard))
    for row, x in enumerate(heard):
        waves[row, : len(x)] = torch.from_numpy(x)
    frames = features(waves)
    for row in frames:
        for _ in range(1):
            at, wide = draw.integers(BANDS), draw.integers(8)
            row[:, at : at + wide] = row.mean()
        at, wide = draw.integers(len(row)), draw.integers(8)
        row[at : at + wide] = row.mean()
    return frames, [len(x) for x in heard], [spoken.targets[n] for n in group], list(zip(befores, saids))


def where_said(size, spans, targets):
    """For words by themselves: each piece at about its end, and nothing elsewhere."""
    best = torch.zeros(len(spans), size, dtype=torch.int64)
    for row, ((before, said), pieces) in enumerate(zip(spans, targets)):
        for n, piece in enumerate(pieces):
            at = before + said * (n + 1) / len(pieces) - 0.06 * RATE
            frame = min(size - 2, max(0, round((at / SHIFT - 8) / 4)))
            best[row, frame : frame + 2] = piece
    return best


def answers(samples):
    return ((samples + SHIFT // 2) // SHIFT - WINDOW) // 4 + 4


def read(probabilities, pieces):
    best = probabilities.argmax(1).tolist()
    return "".join(pieces[b] for b, before in zip(best, [0] + best) if b and b != before).replace("\u2581", " ").strip()


def errors(said, understood):
    a, b = said.split(), understood.split()
    row = list(range(len(b) + 1))
    for i, word in enumerate(a):
        before, row = row, [i + 1]
        for j, other in enumerate(b):
            row.append(min(before[j] + (word != other), before[j + 1] + 1, row[j] + 1))
    return row[-1], len(a)


def error_rate(model, spoken, draw=None):
    """Word errors in all, and of sentences of known words alone, voice by voice. With noise where `draw` is given."""
    pieces = pieces_of()
    wrong, total = {}, {}
    model.eval()
    with torch.no_grad():
        for n, (text, voice) in enumerate(zip(spoken.texts, spoken.voices)):
            x = spoken.heard(n, draw)[0] if draw else np.pad(spoken.samples[n] / 32768, (3200, 9600))
            understood = read(model(features(torch.from_numpy(x).float()[None]))[0][0], pieces)
            bad, count = errors(text, understood)
            wrong[voice] = wrong.get(voice, 0) + bad
            total[voice] = total.get(voice, 0) + count
    model.train()
    by_voice = ", ".join(f"{voice} {wrong[voice] / total[voice]:.1%}" for voice in sorted(total))
    return f"{sum(wrong.values()) / sum(total.values()):.1%} ({by_voice})"


class Streaming(torch.nn.Module):
    """
    The same with the inputs and outputs of a streaming zipformer of one encoder with one layer. What that calls the keys of
    its attention is the state of our cells; the other states are handed through.
    """

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, cells, *others):
        y, cells = self.model(x, cells)
        return (y, cells, *[other.clone() for other in others])


STATES = [(2, 1, CELLS), (1, 1, LAYERS, 3), (2, 1, 1), (2, 1, 1), (1, 4, 1), (1, 4, 1), (1, 128, 3, 19)]
BATCHED_BY = [1, 1, 1, 1, 0, 0, 0, 0]
METADATA = {
    "model_type": "zipformer2",
    "version": 1,
    "model_author": "hark",
    "comment": "streaming ctc of a few words, for tests",
    "decode_chunk_len": STEP,
    "T": WINDOW,
    "encoder_dims": 4,
    "num_encoder_layers": 1,
    "query_head_dims": CELLS,
    "num_heads": 1,
    "value_head_dims": 1,
    "cnn_module_kernels": 3,
    "left_context_len": LAYERS,
}


def export(model, out):
    out.mkdir(parents=True, exist_ok=True)
    path = out / "model.onnx"
    states = [torch.zeros(shape) for shape in STATES] + [torch.zeros(1, dtype=torch.int64)]
    names = [f"state{n}" for n in range(len(states))]
    inputs, outputs = ["x", *names], ["log_probs", *[f"new_{name}" for name in names]]
    axes = {"x": {0: "N"}, "log_probs": {0: "N"}}
    for name, axis in zip(names, BATCHED_BY):
        axes[name] = axes[f"new_{name}"] = {axis: "N"}
    torch.onnx.export(
        Streaming(model).eval(), (torch.zeros(1, WINDOW, BANDS), *states), str(path),
        input_names=inputs, output_names=outputs, dynamic_axes=axes, opset_version=13,
    )
    written = onnx.load(str(path))
    halve(written.graph)
    for key, value in METADATA.items():
        written.metadata_props.append(onnx.StringStringEntryProto(key=key, value=str(value)))
    onnx.checker.check_model(written)
    onnx.save(written, str(path))
    (out / "tokens.txt").write_text("".join(f"{piece} {n}\n" for n, piece in enumerate(pieces_of())))
    print(f"{path.stat().st_size} bytes")


def halve(graph):
    """Weights in 16 bits: they are cast once, when the model is loaded."""
    casts = []
    for kept in graph.initializer:
        weights = numpy_helper.to_array(kept)
        if weights.dtype != np.float32 or weights.size < 1000:
            continue
        name = kept.name
        kept.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), f"{name}.16"))
        casts.append(helper.make_node("Cast", [f"{name}.16"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def train(folder, steps, warm_up, most, known, fastest):
    """
    CTC alone finds no beginning here: it knows not where in an utterance its words are, and learns to answer nothing. So the
    first steps tell where the pieces of words by themselves are.
    """
    torch.set_num_threads(1)
    torch.manual_seed(1)
    pieces = pieces_of()
    model = Recogniser(len(pieces))
    if known:
        learned = {name: weights for name, weights in torch.load(known).items() if weights.shape == model.state_dict()[name].shape}
        model.load_state_dict(learned, strict=False)
    made = multiprocessing.Queue(8)
    asked = (folder / "words.npz", folder / "sentences.npz", warm_up, most, made)
    multiprocessing.Process(target=batches, args=asked, daemon=True).start()
    held_out = Spoken(folder / "heldOut.npz")
    optimiser = torch.optim.AdamW(model.parameters(), weight_decay=0.01)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, fastest, steps, pct_start=0.06)
    ctc = torch.nn.CTCLoss(zero_infinity=True)
    weights = torch.ones(len(pieces))
    weights[0] = 0.1
    pointed = torch.nn.NLLLoss(weights)
    began, mean = time.time(), None
    for step in range(1, steps + 1):
        frames, lengths, targets, spans = made.get()
        y, _ = model(frames)
        if step <= warm_up:
            loss = pointed(y.flatten(0, 1), where_said(y.shape[1], spans, targets).flatten())
        else:
            ends = torch.tensor([min(answers(length), y.shape[1]) for length in lengths])
            flat = torch.tensor([piece for target in targets for piece in target], dtype=torch.int64)
            loss = ctc(y.transpose(0, 1), flat, ends, torch.tensor([len(target) for target in targets]))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2)
        optimiser.step()
        rate.step()
        mean = loss.item() if mean is None or step == warm_up + 1 else 0.97 * mean + 0.03 * loss.item()
        if step % 50 == 0:
            print(f"step {step}, loss {mean:.3f}, {time.time() - began:.0f} s", flush=True)
        if step % 1000 == 0 or step == steps:
            print("word errors, held out:", error_rate(model, held_out), flush=True)
            torch.save(model.state_dict(), folder / "model.pt")
    print("with noise:", error_rate(model, held_out, np.random.default_rng(3)))
    return model


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("out", type=pathlib.Path)
    options.add_argument("--steps", type=int, default=4000)
    options.add_argument("--words", type=int, default=600, help="of the steps, with words by themselves")
    options.add_argument("--batch", type=int, default=32)
    options.add_argument("--rate", type=float, default=2e-3)
    options.add_argument("--known", type=pathlib.Path, help="goes on with what was learned before")
    given = options.parse_args()
    export(train(given.folder, given.steps, given.words, given.batch, given.known, given.rate).eval(), given.out)
