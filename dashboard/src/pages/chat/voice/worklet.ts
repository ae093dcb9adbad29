/*
 * In the thread of the audio: hands on what the microphone hears, 20 ms at a time, and plays what it is given. The sound
 * card may have a rate of its own; both go at 16,000 samples a second outside of here.
 */
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

const RATE = 16_000;
const CHUNK = 320;
const STEP = sampleRate / RATE;

registerProcessor(
  'hark',
  class extends AudioWorkletProcessor {
    readonly #queue: Float32Array[] = [];
    /** Between two samples of what is played first. */
    #at = 0;
    #played = 0;
    #chunk = new Int16Array(CHUNK);
    #filled = 0;
    #sum = 0;
    #count = 0;
    #phase = 0;
    #loudness = 0;

    constructor() {
      super();
      this.port.onmessage = ({ data }: MessageEvent<Float32Array | 'cut' | 'begin'>) => {
        if (data === 'cut') {
          this.#queue.length = 0;
          this.#at = 0;
        } else if (data === 'begin') this.#played = 0;
        else this.#queue.push(data);
      };
    }

    process([input]: readonly Float32Array[][], [output]: readonly Float32Array[][]): true {
      const heard = input?.[0];
      if (heard) for (const sample of heard) this.#hear(sample);
      for (const channel of output ?? []) this.#play(channel);
      return true;
    }

    /** The mean of what falls into one sample takes the highest tones away. */
    #hear(sample: number): void {
      this.#sum += sample;
      this.#count++;
      if (++this.#phase < STEP) return;
      this.#phase -= STEP;
      const mean = this.#sum / this.#count;
      this.#sum = 0;
      this.#count = 0;
      this.#loudness += mean * mean;
      this.#chunk[this.#filled++] = Math.max(-1, Math.min(1, mean)) * 32_767;
      if (this.#filled < CHUNK) return;
      const level = Math.sqrt(this.#loudness / CHUNK);
      const { buffer } = this.#chunk;
      this.port.postMessage({ heard: buffer, level, played: this.#played }, [buffer]);
      this.#chunk = new Int16Array(CHUNK);
      this.#filled = 0;
      this.#loudness = 0;
    }

    #play(channel: Float32Array): void {
      for (let index = 0; index < channel.length; index++) {
        const first = this.#queue[0];
        if (!first) return;
        const place = Math.floor(this.#at);
        const before = first[place] ?? 0;
        const after = first[place + 1] ?? this.#queue[1]?.[0] ?? before;
        channel[index] = before + (after - before) * (this.#at - place);
        this.#at += 1 / STEP;
        this.#played += 1 / STEP;
        if (this.#at < first.length) continue;
        this.#at -= first.length;
        this.#queue.shift();
      }
    }
  },
);

export {};
