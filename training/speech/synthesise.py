"""Speaks the sentences of the small recogniser with flite and espeak-ng, in several voices, speeds and pitches.

python3 synthesise.py FOLDER [--sentences N]: writes FOLDER/{words,sentences,heldOut}.npz, with 16-bit samples at 16 kHz and the words that
each utterance holds. The same seed gives the same speech.
"""

import argparse
import concurrent.futures
import pathlib
import random
import re
import subprocess
import tempfile
import wave

import numpy as np
from scipy.signal import resample_poly

HERE = pathlib.Path(__file__).parent
RATE = 16000

FLITE = ["kal16", "slt", "awb"]
ESPEAK = [
    "en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-029", "en-us-nyc", "en-us+f2", "en-us+f3", "en-us+m1", "en-us+m2",
    "en-us+m3", "en-gb+f4", "en-gb+m5", "en-gb-x-gbclan+f1", "en-us+Andrea", "en-us+Annie", "en-gb+belinda", "en-us+david",
    "en-us+edward", "en-us+Alicia", "en-gb+john", "en-us+linda", "en-us+max", "en-gb+michael",
]
# Never trained with: what is said of errors is said of these.
HELD_OUT_FLITE = ["rms"]
HELD_OUT_ESPEAK = ["en-gb-x-gbcwmd+m7", "en-us+f5", "en-us+steph"]

SLOTS = {
    "day": "monday tuesday wednesday thursday friday saturday sunday today tomorrow".split(),
    "room": "kitchen|bedroom|bathroom|living room|hall|garden|house".split("|"),
    "thing": "light lights lamp music door window".split(),
    "colour": "red green blue yellow white black".split(),
    "person": "mother father brother sister doctor".split(),
    "name": ["alex", "anna"],
    "city": "paris berlin london".split(),
    "food": "milk bread tea coffee water".split(),
    "digit": "zero oh one two three four five six seven eight nine".split(),
    "hour": "one two three four five six seven eight nine ten eleven twelve".split(),
    "card": "two three four five six seven eight nine ten jack queen king".split(),
    "suit": "clubs spades hearts diamonds".split(),
    "number": (
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
        "nineteen twenty|thirty|forty|fifty|twenty one|twenty five|thirty two|forty two|forty five|fifty eight|one hundred"
    ).replace(" twenty|", "|twenty|").split("|"),
}
SLOTS["number"] = SLOTS["number"][0].split() + SLOTS["number"][1:]

# They sound as others do, and only their neighbours tell which it is.
LIKE_OTHERS = {"to", "too", "for", "know", "right", "by", "or", "we", "oh", "i", "i'm", "a", "an", "her", "his", "he"}


def words_of(path=HERE / "words.txt"):
    """Each word with the pieces that it is written in."""
    entries = path.read_text().split()
    return {entry.replace("-", ""): entry.split("-") for entry in entries}


def sentences_of(count, seed):
    """Sentences as people say them, words in any order, and sentences of other words."""
    draw = random.Random(seed)
    known = words_of()
    templates = (HERE / "sentences.txt").read_text().splitlines()
    others = [
        re.sub(r"[^a-z' ]", "", line.lower()).strip()
        for path in sorted((HERE / "../intents").glob("*.txt"))
        for line in path.read_text().splitlines()
    ]
    others = [line for line in others if 2 <= len(line.split()) <= 9]
    loose = sorted(set(known) - LIKE_OTHERS)
    for _ in range(count):
        kind = draw.random()
        if kind < 0.62:
            yield re.sub(r"\{(\w+)\}", lambda slot: draw.choice(SLOTS[slot[1]]), draw.choice(templates))
        elif kind < 0.88:
            yield " ".join(draw.choice(loose) for _ in range(draw.randint(1, 6)))
        else:
            yield draw.choice(others)


def speak(sentence, draw, is_held_out):
    flite, espeak = (HELD_OUT_FLITE, HELD_OUT_ESPEAK) if is_held_out else (FLITE, ESPEAK)
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        if draw.random() < 0.5:
            voice = draw.choice(flite)
            stretch = draw.uniform(0.82, 1.25)
            shift = draw.uniform(0.8, 1.25)
            pitch = {"kal16": 105, "awb": 130, "rms": 105, "slt": 170}[voice] * shift
            command = ["flite", "-voice", voice, "--setf", f"duration_stretch={stretch:.2f}"]
            if draw.random() < 0.6:
                command += ["--setf", f"int_f0_target_mean={pitch:.0f}"]
            command += ["-t", sentence, "-o", file.name]
        else:
            voice = draw.choice(espeak)
            command = ["espeak-ng", "-v", voice, "-s", str(draw.randint(125, 200)), "-p", str(draw.randint(25, 75))]
            command += ["-w", file.name, sentence]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with wave.open(file.name) as heard:
            rate = heard.getframerate()
            samples = np.frombuffer(heard.readframes(heard.getnframes()), np.int16)
    if rate != RATE:
        samples = resample_poly(samples.astype(np.float32), RATE, rate).clip(-32768, 32767).astype(np.int16)
    loud = np.flatnonzero(np.abs(samples) > 150)
    if len(loud) == 0:
        return None
    return voice, samples[max(0, loud[0] - 800) : loud[-1] + 800]


def speech(sentences, seed, is_held_out):
    """Utterances: the voice, the words that are known, in their order, and the samples."""
    known = words_of()
    jobs = [(sentence, random.Random(f"{seed}/{n}")) for n, sentence in enumerate(sentences)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (sentence, _), spoken in zip(jobs, pool.map(lambda job: speak(*job, is_held_out), jobs)):
            # Over ten seconds is nothing that a sentence of ours takes.
            if spoken is None or len(spoken[1]) > 10 * RATE:
                continue
            yield spoken[0], " ".join(word for word in sentence.split() if word in known), spoken[1]


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--sentences", type=int, default=14000)
    options.add_argument("--alone", type=int, default=12, help="how often each word is said by itself")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    sets = {
        "words": (list(words_of()) * given.alone, 5, False),
        "sentences": (sentences_of(given.sentences, 1), 1, False),
        "heldOut": (sentences_of(1000, 2), 2, True),
    }
    for name, asked in sets.items():
        voices, texts, samples = zip(*speech(*asked))
        lengths = np.array([len(part) for part in samples])
        np.savez(given.folder / f"{name}.npz", voices=voices, texts=texts, lengths=lengths, samples=np.concatenate(samples))
        print(name, len(texts), "utterances,", round(lengths.sum() / RATE / 3600, 2), "hours")
