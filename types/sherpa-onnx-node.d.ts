/* The parts of sherpa-onnx-node that hark uses: it comes without declarations. */

declare module 'sherpa-onnx-node' {
  interface Waveform {
    readonly samples: Float32Array;
    readonly sampleRate: number;
  }
  interface Result {
    readonly text: string;
    readonly tokens?: readonly string[];
    readonly timestamps?: readonly number[];
    readonly ys_probs?: readonly number[];
  }
  interface Stream {
    acceptWaveform(waveform: Waveform): void;
  }
  export interface OnlineStream extends Stream {
    inputFinished(): void;
    setOption(key: string, value: string): void;
  }
  class OnlineRecognizer {
    constructor(config: object);
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    decodeStreams(streams: readonly OnlineStream[]): void;
    getResult(stream: OnlineStream): Result;
  }
  class KeywordSpotter {
    constructor(config: object);
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    reset(stream: OnlineStream): void;
    getResult(stream: OnlineStream): { readonly keyword: string };
  }
  class OfflineRecognizer {
    static createAsync(config: object): Promise<OfflineRecognizer>;
    createStream(): Stream;
    setConfig(config: object): void;
    decodeAsync(stream: Stream): Promise<Result>;
  }
  class OfflineTts {
    static createAsync(config: object): Promise<OfflineTts>;
    readonly numSpeakers: number;
    readonly sampleRate: number;
    generateAsync(request: {
      readonly text: string;
      readonly sid: number;
      readonly speed: number;
      readonly enableExternalBuffer: boolean;
      readonly onProgress: () => boolean;
    }): Promise<Waveform>;
  }
  const sherpa: {
    readonly KeywordSpotter: typeof KeywordSpotter;
    readonly OnlineRecognizer: typeof OnlineRecognizer;
    readonly OfflineRecognizer: typeof OfflineRecognizer;
    readonly OfflineTts: typeof OfflineTts;
  };
  export default sherpa;
  export type { KeywordSpotter, OfflineRecognizer, OfflineTts, OnlineRecognizer, Result };
}
