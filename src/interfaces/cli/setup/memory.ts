import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { print, printable, showTime, toned } from '../output.ts';
import { ask, confirm } from '../prompt.ts';
import type { RestClient } from '../restClient.ts';

/** A model may be asked what the sentence says. */
const TIMEOUT_MS = 60_000;

const anything = z.looseObject({});
const episodes = z.looseObject({
  episodes: z.array(z.looseObject({ id: z.string(), summary: z.string(), sessionId: z.string().nullable() })),
});
const conclusions = z.looseObject({
  conclusions: z.array(
    z.looseObject({
      id: z.string(),
      text: z.string(),
      confidence: z.number(),
      type: z.string(),
      sources: z.array(z.string()),
    }),
  ),
});
const chain = z.looseObject({
  chain: z.array(z.looseObject({ at: z.number(), type: z.string(), summary: z.string() })),
});

/** One sentence of the user, what becomes of it, and how it is gone again. */
export async function tellSomething(client: RestClient): Promise<'done' | 'skipped'> {
  for (;;) {
    const sentence = await ask('   One thing about yourself, in a sentence (Enter skips): ');
    if (sentence === '') return 'skipped';
    const episode = await remember(client, sentence);
    if (!episode) {
      print('   Nothing was kept of that. Try: I live in Lisbon');
      continue;
    }
    print(`   ${toned('bold', 'Episode')}     ${printable(episode.summary)}`);
    const beliefs = await beliefsFrom(client, episode.id);
    for (const belief of beliefs) await show(client, belief);
    if (beliefs.length === 0)
      print('   It says nothing lasting about you, so hark believes nothing from it.');
    if (!(await confirm('Erase it again?', beliefs.length === 0)))
      return beliefs.length > 0 ? 'done' : 'skipped';
    await client.ask(`api/memory/episodes/${episode.id}`, anything, { method: 'DELETE' });
    const left = await beliefsFrom(client, episode.id);
    print(left.length === 0 ? '   Erased: nobody can read it any more.' : '   The episode is erased.');
  }
}

/** As a conversation of one message, which needs no model. */
async function remember(client: RestClient, sentence: string) {
  const id = `setup-${randomUUID()}`;
  const session = { id, startedAt: Date.now(), messages: [{ role: 'user', content: sentence }] };
  const body = { source: 'conversation', content: { sessions: [session] } };
  await client.ask('api/memory/import', anything, { method: 'POST', body, timeoutMs: TIMEOUT_MS });
  const { episodes: all } = await client.get('api/memory/episodes', episodes, { limit: 100 });
  return all.find(({ sessionId }) => sessionId === id);
}

async function beliefsFrom(client: RestClient, episodeId: string) {
  const { conclusions: all } = await client.get('api/memory/conclusions', conclusions);
  return all.filter(({ sources }) => sources.includes(episodeId));
}

async function show(
  client: RestClient,
  { id, text, type, confidence }: Awaited<ReturnType<typeof beliefsFrom>>[number],
): Promise<void> {
  print(`   ${toned('bold', 'Conclusion')}  ${printable(text)}  (${type}, ${confidence.toFixed(2)})`);
  const why = await client.get(`api/memory/conclusions/${id}/why`, chain);
  for (const { at, type: event, summary } of why.chain)
    print(toned('dim', `   Why         ${showTime(at)}  ${event}  ${printable(summary)}`));
}
