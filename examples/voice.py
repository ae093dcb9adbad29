"""Speaks with hark, with nothing but Python.

    python3 voice.py question.wav answer.wav       HARK_URL=http://127.0.0.1:4102, HARK_API_KEY where one is set

The question is 16,000 samples a second, 16 bits, one channel: sox any.wav -r 16000 -c 1 -b 16 question.wav
"""
import base64
import json
import os
import socket
import ssl
import struct
import sys
import wave
from urllib.parse import urlsplit

RATE, MICROPHONE, SPEECH, BEGINS, ENDS = 16_000, 0, 1, 1, 2


class WebSocket:
    """As much of RFC 6455 as this needs."""

    TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

    def __init__(self, url, key):
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        self.socket = socket.create_connection((parts.hostname, parts.port or (443 if secure else 80)), 120)
        if secure:
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=parts.hostname)
        head = [f"GET {parts.path.rstrip('/')}/ws/audio HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket"]
        head += ["Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: hark.v1"]
        head += [f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
        head += [f"Authorization: Bearer {key}"] if key else []
        self.socket.sendall("\r\n".join([*head, "", ""]).encode())
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline().decode().strip()
        while self.stream.readline().strip():
            pass
        if " 101 " not in status:
            sys.exit(f"refused: {status}")

    def send(self, kind, data):
        mask = os.urandom(4)
        size = len(data)
        length = bytes([128 | size]) if size < 126 else bytes([254]) + struct.pack(">H", size)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.socket.sendall(bytes([128 | kind]) + length + mask + masked)

    def receive(self):
        """The next message; its kind is CLOSE when there are no more."""
        whole, first = b"", None
        while True:
            start = self.stream.read(2)
            if len(start) < 2:
                return self.CLOSE, b""
            kind, size = start[0] & 15, start[1] & 127
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if kind == self.PING:
                self.send(self.PONG, data)
            elif kind != self.PONG:
                first, whole = first or kind, whole + data
                if start[0] & 128:
                    return first, whole


def speak(line, question):
    line.send(line.TEXT, json.dumps({
        "type": "session.update",
        "session": {"type": "realtime", "audio": {"input": {"turn_detection": None}}},
    }).encode())
    frames = [question[at:at + RATE // 5] for at in range(0, len(question), RATE // 5)]
    offset = 0
    for number, frame in enumerate(frames):
        flags = (BEGINS if number == 0 else 0) | (ENDS if number == len(frames) - 1 else 0)
        line.send(line.BINARY, struct.pack(">BBHII", 1, MICROPHONE, flags, number, offset) + frame)
        offset += len(frame) // 2


def answer(line):
    speech = b""
    while True:
        kind, data = line.receive()
        if kind == line.CLOSE:
            sys.exit("the connection was lost")
        if kind == line.BINARY:
            speech += data[12:] if data[1] == SPEECH else b""
            continue
        event = json.loads(data)
        if event["type"] == "conversation.item.input_audio_transcription.completed":
            print("you: ", event["transcript"])
            if not event["transcript"]:
                sys.exit("no words were understood")
        if event["type"] == "response.output_audio_transcript.done":
            print("hark:", event["transcript"])
        if event["type"] in ("error", "conversation.item.input_audio_transcription.failed"):
            sys.exit(event["error"]["message"])
        if event["type"] == "response.done":
            return speech


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with wave.open(sys.argv[1]) as file:
        if (file.getframerate(), file.getsampwidth(), file.getnchannels()) != (RATE, 2, 1):
            sys.exit(__doc__)
        sound = file.readframes(file.getnframes())
    connection = WebSocket(os.environ.get("HARK_URL", "http://127.0.0.1:4102"), os.environ.get("HARK_API_KEY"))
    speak(connection, sound)
    spoken = answer(connection)
    connection.send(connection.CLOSE, struct.pack(">H", 1000))
    with wave.open(sys.argv[2], "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", None))
        file.writeframes(spoken)
