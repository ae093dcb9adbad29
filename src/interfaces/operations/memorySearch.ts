import { z } from 'zod';
import { fenced } from '../../application/fence.ts';
import type { MemoryAnswer } from '../../application/memory/ask.ts';
import type { Recalled } from '../../application/memory/recall.ts';
import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { Episodes } from '../../projections/memory/episodes.ts';
import type { Found } from '../../projections/memory/index/foundBothWays.ts';
import { type AnyOperation, type Caller, defineOperation, id, written } from '../operation.ts';
import { episodeToWire, episodeView } from './memoryShapes.ts';

const area = 'memory';
const query = lazily(() => z.string().trim().min(1).max(2_000));

interface SearchDependencies {
  /** Throws when there is no memory now. */
  readonly memoryOf: (userId: string) => Promise<Episodes>;
  readonly search: (caller: Caller, query: string, limit: number) => Promise<Found>;
  readonly recall: (caller: Caller, query: string, budget: number | undefined) => Promise<Recalled>;
  readonly countTokens: (text: string, userId: string) => Promise<number>;
  readonly ask: (question: string, caller: Caller) => Promise<MemoryAnswer>;
}

/** Finding again what was said. */
export function memorySearchOperations(memory: SearchDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'memory.search',
      area,
      device: 'trust2',
      summary: 'Searches episodes, best match first',
      description:
        '`match` is the passage that was found, and when it was said; `matchType` says whether by its words or by what it means.',
      rest: { method: 'GET', path: '/api/memory/search' },
      input: () =>
        z.object({ q: query(), limit: written(z.coerce.number().int().min(1).max(50)).default(10) }),
      output: () => z.object({ query: z.string(), results: z.array(episodeView()), count: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { q: 'moving to Oslo' } },
      async run({ q, limit }, caller) {
        const { userId } = caller;
        // Of somebody who was not there, both read the same.
        const [found, { episodes }] = await Promise.all([
          memory.search(caller, q, limit),
          memory.memoryOf(userId),
        ]);
        const results = found.episodes.flatMap(({ episodeId, relevance, matchType, best }) => {
          const episode = entryOf(episodes, episodeId);
          const match = { text: best.excerpt, timestamp: best.at };
          return episode ? [{ ...episodeToWire(episode, relevance), matchType, match }] : [];
        });
        return { query: q, results, count: results.length };
      },
    }),
    defineOperation({
      name: 'memory.context',
      area,
      device: 'trust2',
      summary: 'The memory that a model would be given for this message',
      rest: { method: 'POST', path: '/api/memory/context' },
      input: () => z.object({ query: query(), budget: z.int().min(100).max(100_000).optional() }),
      output: () =>
        z.object({
          context: z.string(),
          tokens: z.int(),
          items: z
            .array(
              z.object({
                kind: z.enum(['profile', 'conclusion', 'relationship', 'episode', 'turn']),
                id: z.string(),
                episodeId: z.string().optional(),
                sources: z
                  .array(z.string())
                  .readonly()
                  .optional()
                  .describe('Episodes on which what is believed rests'),
                speaker: z.string().optional().describe('Whose words the text holds'),
                text: z.string(),
                timestamp: z.number(),
                score: z.number(),
              }),
            )
            .readonly(),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { query: 'Where do I live?', budget: 500 } },
      async run({ query: said, budget }, caller) {
        const { userId } = caller;
        const { sections, items } = await memory.recall(caller, said, budget);
        const context = fenced(sections);
        return { context, tokens: context === '' ? 0 : await memory.countTokens(context, userId), items };
      },
    }),
    defineOperation({
      name: 'memory.ask',
      area,
      device: 'trust2',
      summary: 'Answers a question about the user from what is remembered, with sources',
      description: 'Says that it does not know when the evidence is too weak.',
      rest: { method: 'POST', path: '/api/memory/ask' },
      tool: {
        name: 'memory.ask_about_user',
        description: 'Answers a question about the user from what is remembered of earlier conversations.',
        hints: {
          everyday: true,
          phrases:
            'know about me, know me, remember about, do you remember, did I say, did I tell, I told you, have I mentioned, ' +
            'what is my, where do I, who am I, am I, my name, my favourite, my favorite, how old, we talked, talking about, ' +
            'last conversation, what do I, which do I, plans did I, who is, weißt du über mich, weißt du noch, sais de moi, ' +
            'te souviens, sabes de mí, recuerdas',
        },
        category: 'memory',
        annotations: { title: 'Ask about the user', readOnlyHint: true, openWorldHint: false },
        needsKvstore: 'KVSTORE_UNAVAILABLE',
        wording: { KVSTORE_UNAVAILABLE: 'Memory coordinator not available' },
      },
      input: () => z.object({ question: query(), userId: id().optional() }),
      output: () =>
        z.object({
          answer: z.string(),
          confidence: z.number(),
          sources: z.array(z.string()).readonly(),
        }),
      errors: ['FORBIDDEN', 'KVSTORE_UNAVAILABLE'],
      example: { input: { question: 'Where do I live?' } },
      run({ question, userId }, caller) {
        if (userId !== undefined && userId !== caller.userId)
          throw new HarkError('FORBIDDEN', { message: 'Another user may not be asked about' });
        return memory.ask(question, caller);
      },
    }),
  ];
}
