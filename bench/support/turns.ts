import { Agent, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import { NOBODY } from './nobody.ts';

export type Provided = Readonly<Record<string, string>>;

/**
 * The provider of the chat alone: with one that embeds, memory would ask it about every message, a second call
 * that the bare SDK does not make; Mastra's recall by vectors is off likewise.
 */
export function chatOnly({ ANTHROPIC_API_KEY = '', ANTHROPIC_BASE_URL = '' }: Provided): Provided {
  return { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OLLAMA_HOST: NOBODY };
}

/** What the scripted models answer to, by a word in the message. */
export const said = {
  /** After a delay, which the reply names. */
  later: 'Tell me how late it is, please.',
  /** The same, and something to be remembered at once; each turn says another number. */
  remembering: 'Remember that my locker number is #. Tell me how late it is, please.',
  atOnce: 'Greet me now, please.',
  /** `CHUNKS` chunks as fast as they are taken. */
  atLength: 'Speak at length, please.',
  /** A chunk every `PACE_MS`. */
  slowly: 'Speak slowly, please.',
  /** `FAST_CHUNKS` chunks, 200 a second. */
  fast: 'Speak fast, please.',
} as const;

export const LEAST_DELAY_MS = 200;
export const MOST_DELAY_MS = 300;
export const MEAN_DELAY_MS = (LEAST_DELAY_MS + MOST_DELAY_MS) / 2;

export const CHUNKS = 500;
export const PACED_CHUNKS = 100;
export const PACE_MS = 20;
export const FAST_CHUNKS = 800;
export const FAST_PACE_MS = 5;
/** Once in each chunk of the model, and nowhere else: so they are counted however they travel. */
export const MARK = '~';
export const CHUNK = `the quick brown fox${MARK} `;

const TURNS_OF_A_SESSION = 10;

/** A session goes on for some turns, as conversations do; then its caller begins another. */
export function sessionOf(caller: number, turn: number): string {
  return `${caller}-${Math.floor(turn / TURNS_OF_A_SESSION)}`;
}

/** Asks over sockets that stay, and resolves with the JSON that is answered. */
export class RestClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const json = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
    return new Promise((resolve, reject) => {
      const asking = ask(this.#url + path, { method: 'POST', agent: this.#agent, headers }, (answer) => {
        text(answer).then((whole) => {
          if (answer.statusCode === 200) resolve(JSON.parse(whole));
          else reject(new Error(`${answer.statusCode}: ${whole}`));
        }, reject);
      });
      asking.once('error', reject);
      asking.end(json);
    });
  }
}
