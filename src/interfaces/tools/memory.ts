import { z } from 'zod';
import type { Forgetting, Forgotten } from '../../application/memory/forgettingByWord.ts';
import { askedOf, type Recalled } from '../../application/memory/recall.ts';
import { toolNames } from '../../application/memory/toolNames.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { onFirstUse } from '../../onFirstUse.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import type { Kvstore } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type Caller, defineTool, id, type ToolOperation } from '../operation.ts';

interface MemoryTools {
  readonly kvstore: Kvstore;
  readonly clock: () => number;
  readonly recall: (caller: Caller, query: string) => Promise<Recalled>;
}

const remembering = onFirstUse(() => import('../../application/memory/rememberingByWord.ts'));
const forgetting = onFirstUse(() => import('../../application/memory/forgettingByWord.ts'));
const changes = onFirstUse(() => import('../../commands/memory/userChanges.ts'));

const text = lazily(() => z.string().trim().min(1).max(2_000));
const named = lazily(() => z.object({ conclusionId: z.string(), text: z.string() }));
const category = 'memory';
const needsKvstore = 'KVSTORE_UNAVAILABLE';

/** Memory that one can talk to: each caller's own. */
export function memoryTools({ kvstore, clock, recall }: MemoryTools): readonly ToolOperation[] {
  const parts = { context: () => kvstore.connected(), clock };
  return [
    defineTool({
      device: 'inChat',
      tool: {
        name: 'memory.remember',
        description:
          'Remembers a fact about the user for good, when the user asks for it. One sentence, in the words and the ' +
          'language of the user.',
        category,
        annotations: { title: 'Remember', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
        hints: {
          everyday: true,
          phrases:
            'remember that, remember my, keep in mind, do not forget, note that, memorize, make a note, save this, ' +
            "for future reference, for the future, please note, write down, don't forget, " +
            'Merk dir, vergiss nicht, souviens-toi, retiens, recuerda que, no olvides',
        },
        needsKvstore,
      },
      input: () => z.object({ text: text().describe('What to remember, in the words of the user') }),
      output: () =>
        z.object({
          remembered: z.array(named()).readonly(),
          known: z.boolean().describe('It was remembered already'),
        }),
      async run({ text: told }, caller) {
        await allowed(kvstore, caller, told);
        const { rememberByWord } = await remembering();
        const remembered = await rememberByWord(parts, told, askerOf(caller));
        return { remembered, known: remembered.length === 0 };
      },
    }),
    defineTool({
      device: 'inChat',
      tool: {
        name: 'memory.correct',
        description:
          'Puts right what is believed about the user, when the user says that it is wrong. memory.search gives the ' +
          '`id` of a conclusion.',
        category,
        annotations: { title: 'Correct', readOnlyHint: false, destructiveHint: true, openWorldHint: false },
        hints: {
          everyday: true,
          phrases:
            "that is wrong, that's wrong, wrong, that is not true, not right, incorrect, you are wrong, " +
            'mistaken, correct that, actually I, ' +
            'das stimmt nicht, das ist falsch, c’est faux, no es cierto',
        },
        needsKvstore,
      },
      input: () =>
        z.object({ conclusionId: id(), text: text().describe('What is right, in the words of the user') }),
      output: () =>
        z.object({
          corrected: named(),
          replaced: z.string().describe('Id of what is no longer believed'),
        }),
      async run({ conclusionId: supersedes, text: told }, caller) {
        await allowed(kvstore, caller, told);
        const conclusionId = newIdFor(caller);
        const { stateConclusion } = await changes();
        const turnId = caller.tool?.turn?.turnId;
        const input = { conclusionId, text: told, type: 'corrected', supersedes, turnId } as const;
        await kvstore.connected().runner.run(stateConclusion, input, caller);
        return { corrected: { conclusionId, text: told }, replaced: supersedes };
      },
    }),
    defineTool({
      device: 'never',
      tool: {
        name: toolNames.forget,
        description:
          'Forgets what is believed about the user, when the user asks for it. The first call, with a `conclusionId` or ' +
          'words to look for as `query`, says what would be forgotten. The second, with what `next` says, forgets it ' +
          'for good.',
        category,
        annotations: { title: 'Forget', readOnlyHint: false, destructiveHint: true, openWorldHint: false },
        hints: {
          everyday: true,
          phrases:
            'forget that, forget about, delete everything, forget my, forget what, stop remembering, delete what you know, erase, ' +
            'from your memory, vergiss, lösche, oublie, efface, olvida, borra',
        },
        needsKvstore,
      },
      input: () =>
        z
          .object({
            conclusionId: id().optional(),
            query: text().optional().describe('Words of what is to be forgotten'),
            confirm: z.string().max(64).optional().describe('As `next` of the first call says'),
          })
          .refine(({ conclusionId, query }) => (conclusionId === undefined) !== (query === undefined), {
            message: 'Give either conclusionId or query, in the second call too',
          }),
      output: () =>
        z.object({
          forgotten: z.array(named()).readonly(),
          wouldForget: z.array(named()).readonly(),
          more: z.int().describe('How many more there are'),
          next: z
            .object({
              conclusionId: z.string().optional(),
              query: z.string().optional(),
              confirm: z.string().optional(),
            })
            .nullable(),
          note: z.string(),
        }),
      async run(asked: Forgetting, caller): Promise<Forgotten> {
        if (caller.tool?.origin === 'workflow') throw new HarkError('FORBIDDEN', { message: ONLY_THE_USER });
        const { forgetByWord } = await forgetting();
        return forgetByWord(parts, asked, askerOf(caller));
      },
    }),
    defineTool({
      device: 'trust2',
      tool: {
        name: toolNames.search,
        description:
          'Finds what is remembered of the user: conclusions, with the ids by which they are corrected and forgotten, ' +
          'people, and passages of earlier conversations.',
        category,
        annotations: { title: 'Search memory', readOnlyHint: true, openWorldHint: false },
        hints: {
          everyday: true,
          phrases:
            'what do you know, what do you remember, search memory, look up, find what I said, when did I say, ' +
            'was weißt du, que sais-tu, qué sabes',
        },
        needsKvstore,
      },
      input: () => z.object({ query: text(), limit: z.int().min(1).max(50).default(10) }),
      output: () =>
        z.object({
          results: z
            .array(
              z.object({
                kind: z.enum(['profile', 'conclusion', 'relationship', 'episode', 'turn']),
                id: z.string(),
                text: z.string(),
                timestamp: z.number(),
              }),
            )
            .readonly(),
        }),
      async run({ query, limit }, caller) {
        const { items } = await recall(caller, query);
        const results = askedOf(items, query)
          .slice(0, limit)
          .map(({ kind, id: of, text: told, timestamp }) => {
            return { kind, id: of, text: told, timestamp };
          });
        return { results };
      },
    }),
  ];
}

const ONLY_THE_USER = 'Only what the user says themselves is remembered, in their own words';

/** A model may write down nothing about the user that they did not say. */
async function allowed(kvstore: Kvstore, caller: Caller, told: string): Promise<void> {
  const { effective } = await kvstore.connected().views.of(preferences, caller.userId);
  if (!effective.persistMemory) throw new HarkError('MEMORY_OFF');
  const { origin, turn } = caller.tool ?? {};
  const isSaid = async () => !turn || (await remembering()).isSaidByUser(told, turn);
  if (origin === 'workflow' || !(await isSaid()))
    throw new HarkError('FORBIDDEN', { message: ONLY_THE_USER });
}

function askerOf({ userId, correlationId, commandId, tool }: Caller) {
  const repeated = commandId === undefined ? {} : { commandId };
  return { userId, correlationId, ...repeated, sessionId: tool?.sessionId ?? null, turn: tool?.turn };
}
