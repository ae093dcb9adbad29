import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { spoken } from '../../test/support/voice/speech.ts';
import { offerTestModels } from '../../test/support/voice/testModels.ts';
import { askHelper, startHelper } from './helper.ts';
import { chatOnly, type Provided } from './turns.ts';
import type { Talk, TalkTimes } from './voiceTalker.ts';
import { Watched } from './watched.ts';

export const VOICE_TOOLS = [
  { command: 'flite', debian: 'flite' },
  { command: 'taskset', debian: 'util-linux' },
] as const;
export const SILENCE_MS = 500;

const TALKER = new URL('./voiceTalker.ts', import.meta.url);
const MODELS = new URL('./voiceModels.ts', import.meta.url);
const stats = z.looseObject({
  latency: z.record(z.string(), z.looseObject({ p50: z.number(), p95: z.number(), count: z.number() })),
});

/** A service that hears with a small recogniser (see training/speech) and speaks with flite; its model answers at once. */
export class VoiceService {
  readonly #folder: string;
  readonly #server: Watched;
  readonly #stop: () => Promise<void>;

  private constructor(folder: string, server: Watched, stop: () => Promise<void>) {
    this.#folder = folder;
    this.#server = server;
    this.#stop = stop;
  }

  static async start(folder: string): Promise<VoiceService> {
    const { answer: models, stop } = await startHelper<Provided>(MODELS);
    const offered = await offerTestModels(folder, ['yes']);
    const server = await Watched.hark({
      ...chatOnly(models),
      API_RATE_LIMIT: '1000000000',
      CHAT_RATE_LIMIT: '1000000000',
      SERVICE_DATA_DIR: join(folder, 'data'),
      SERVICE_MODELS_MANIFEST: offered.manifest,
    });
    const service = new VoiceService(folder, server, async () => {
      await server.stop();
      await offered.host.stop();
      await stop();
    });
    await service.#install('words');
    return service;
  }

  /** A file with what flite makes of it. */
  async utterance(text: string): Promise<string> {
    const samples = await spoken(text);
    const file = join(this.#folder, `${text.replaceAll(' ', '-')}.pcm`);
    await writeFile(file, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    return file;
  }

  /** Everything is loaded by the first turns, which do not count. */
  async talk(asked: Omit<Talk, 'port' | 'turnDetection'>, detection: object = {}): Promise<TalkTimes> {
    const turnDetection = { type: 'server_vad', silence_duration_ms: SILENCE_MS, ...detection };
    const talk: Talk = { port: this.#server.port, turnDetection, ...asked };
    return askHelper<TalkTimes>(TALKER, talk);
  }

  /** Of the newest turns, by stage. */
  async stages(): Promise<z.output<typeof stats>['latency']> {
    const answer = await fetch(`${this.#server.url}/api/voice/stats`);
    return stats.parse(await answer.json()).latency;
  }

  async stop(): Promise<void> {
    await this.#stop();
  }

  async #install(modelId: string): Promise<void> {
    const answer = await fetch(`${this.#server.url}/api/models/download`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ modelId, confirm: true }),
    });
    const told = await answer.text();
    if (!told.includes('"complete"')) throw new Error(told);
  }
}
