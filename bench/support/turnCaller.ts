import { setTimeout as wait } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { callAtOnce, percentile } from './measure.ts';
import { MEAN_DELAY_MS, RestClient, said, sessionOf } from './turns.ts';

/*
 * A process of its own: takes turns, some at once, and says how long they took beyond the delay that the model
 * says it answered after. The callers begin one after the other, in the time that one answer takes: who begins in
 * step waits for the others, which is not what a turn costs. The first turns of each are warm-up.
 */

export interface TurnCalls {
  readonly how: 'sdk' | 'rest';
  readonly url: string;
  readonly what: string;
  readonly atOnce: number;
  readonly count: number;
}

export interface TurnTimes {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const WARM_UP_TURNS = 5;

type Take = (text: string, turn: number, caller: number) => Promise<string>;

const { how, url, what, atOnce, count }: TurnCalls = JSON.parse(process.argv[2] ?? '');

const take = how === 'sdk' ? overSdk() : overRest();
const isDelayed = what !== said.atOnce;
if (!isDelayed) await callAtOnce(atOnce, atOnce, (turn, caller) => take(what, turn - atOnce, caller));
const added: number[] = [];
const { perSecond } = await callAtOnce(atOnce, count, async (turn, caller) => {
  if (isDelayed && turn < atOnce) await wait(caller * (MEAN_DELAY_MS / atOnce));
  const started = performance.now();
  const reply = await take(what, turn, caller);
  if (!isDelayed || turn >= WARM_UP_TURNS * atOnce)
    added.push(performance.now() - started - (isDelayed ? Number(reply) : 0));
});
const times: TurnTimes = { perSecond, p50: percentile(added, 50), p99: percentile(added, 99) };
console.log(JSON.stringify(times));
process.exit();

/** The limit: the official client, and nothing else. */
function overSdk(): Take {
  const client = new Anthropic({ apiKey: 'sk-benchmark', baseURL: url, maxRetries: 0 });
  return async (content) => {
    const messages = [{ role: 'user' as const, content }];
    const message = await client.messages.create({ model: 'any', max_tokens: 8_192, messages });
    const [block] = message.content;
    return block?.type === 'text' ? block.text : '';
  };
}

function overRest(): Take {
  const client = new RestClient(url);
  const run = `${process.pid}-${Date.now()}`;
  return async (text, turn, caller) => {
    const sessionId = `${run}-${sessionOf(caller, turn / atOnce)}`;
    const said = text.replace('#', String(turn));
    const { text: reply } = await client.post('/api/chat', { text: said, sessionId });
    return String(reply);
  };
}
