import workletUrl from './worklet.ts?worker&url';

export const RATE = 16_000;

export interface Heard {
  /** 16 bits, 20 ms. */
  readonly heard: ArrayBuffer;
  /** 0 to 1. */
  readonly level: number;
  /** Samples of the reply that were played so far. */
  readonly played: number;
}

/** The microphone and the loudspeaker of this page, while somebody talks. */
export class Sound {
  readonly #context: AudioContext;
  readonly #stream: MediaStream;
  readonly #node: AudioWorkletNode;

  private constructor(context: AudioContext, stream: MediaStream, node: AudioWorkletNode) {
    this.#context = context;
    this.#stream = stream;
    this.#node = node;
  }

  /** Throws a `DOMException` where there is no microphone, or it may not be used. */
  static async open(onHeard: (heard: Heard) => void): Promise<Sound> {
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    // Where the sound card cannot be asked for another rate, the worklet sees to it.
    const context = await connected(stream, { sampleRate: RATE }).catch(() => connected(stream, {}));
    const node = new AudioWorkletNode(context.audio, 'hark');
    context.source.connect(node).connect(context.audio.destination);
    node.port.onmessage = ({ data }: MessageEvent<Heard>) => onHeard(data);
    return new Sound(context.audio, stream, node);
  }

  play(samples: Int16Array): void {
    const played = Float32Array.from(samples, (sample) => sample / 32_768);
    if (played.length > 0) this.#node.port.postMessage(played, [played.buffer]);
  }

  /** What is played from now on is another reply. */
  begin(): void {
    this.#node.port.postMessage('begin');
  }

  /** What was not played yet is not played any more. */
  cut(): void {
    this.#node.port.postMessage('cut');
  }

  close(): void {
    for (const track of this.#stream.getTracks()) track.stop();
    void this.#context.close();
  }
}

async function connected(stream: MediaStream, options: AudioContextOptions) {
  const audio = new AudioContext(options);
  try {
    const source = audio.createMediaStreamSource(stream);
    await audio.audioWorklet.addModule(workletUrl);
    return { audio, source };
  } catch (error) {
    void audio.close();
    throw error;
  }
}
