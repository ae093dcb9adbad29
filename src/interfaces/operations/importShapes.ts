import { z } from 'zod';
import type { ImportItem } from '../../application/memory/importing.ts';
import type { MemoryRecord } from '../../application/memory/records.ts';
import { USER } from '../../folds/entities/whole.ts';
import { lazily } from '../../lazily.ts';
import { conclusionTypes, entityTypes, episodeTypes } from '../../vocabulary.ts';
import { id } from '../operation.ts';
import { conclusionView, contradictionEvidence, profileView } from './memoryShapes.ts';
import { choices } from './preferences.ts';

const UNZONED = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;

/** The end of the year 9999: what comes later has no date that everybody can read. */
const LATEST = 253_402_300_799_999;

/** Unix milliseconds, or ISO 8601; a time that names no zone is taken for UTC. */
const moment = lazily(() =>
  z.union([
    z.number().int().min(0).max(LATEST),
    z
      .string()
      .transform((text) => {
        const given = text.trim();
        if (!UNZONED.test(given)) return /^\d{4}-\d\d-\d\d[T ]/.test(given) ? Date.parse(given) : Number.NaN;
        return Date.parse(given.length === 10 ? given : `${given.replace(' ', 'T')}Z`);
      })
      .pipe(z.number().min(0).max(LATEST)),
  ]),
);

const message = lazily(() =>
  z.object({
    role: z.enum(['user', 'assistant', 'system', 'tool']),
    name: z.string().max(200).nullish(),
    content: z.string().max(1_000_000),
    timestamp: moment().nullish(),
  }),
);

const session = lazily(() =>
  z.object({
    id: z.union([z.string().min(1).max(128), z.number().int().transform(String)]),
    startedAt: moment().nullish(),
    messages: z.array(z.unknown()).max(10_000),
  }),
);

/** Where a message says no time, they are taken to follow each other closely, as far as that has been by now. */
const BETWEEN_MESSAGES_MS = 1_000;

/** A session from elsewhere, with what of it could not be read. What tools and systems said is no talk. */
export function* itemsOfSession(given: unknown, number: number, now: number): Generator<ImportItem> {
  const label = `session ${number}`;
  const parsed = session().safeParse(given);
  if (!parsed.success) return void (yield unusable(label, parsed.error));
  const { id, startedAt, messages } = parsed.data;
  const odd: ImportItem[] = [];
  let at = startedAt ?? undefined;
  const turns = messages.flatMap((one, index) => {
    const read = message().safeParse(one);
    const text = read.success ? clean(read.data.content) : '';
    const isTalk = read.success && (read.data.role === 'user' || read.data.role === 'assistant');
    at =
      (read.data?.timestamp ??
        (at === undefined ? now : Math.max(at, Math.min(now, at + BETWEEN_MESSAGES_MS)))) ||
      0;
    if (read.success && isTalk && text !== '') {
      const { role, name } = read.data;
      return role === 'user' || role === 'assistant' ? [{ role, name: name ?? null, text, at }] : [];
    }
    const where = `${label}, message ${index + 1}`;
    if (!read.success) odd.push(unusable(where, read.error));
    else if (isTalk) odd.push({ kind: 'unusable', item: where, reason: 'It has no text' });
    return [];
  });
  if (turns.length === 0) return void (yield { kind: 'unusable', item: label, reason: 'It has no messages' });
  yield* odd;
  yield { kind: 'conversation', sessionId: id, turns };
}

function clean(text: string): string {
  return loggable(text).trim();
}

/** Without what may stand in a string of JSON, but not in a log. */
function loggable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Where it is wrong and how, without what it says. */
function unusable(item: string, { issues: [issue] }: z.ZodError): ImportItem {
  const where = issue?.path.join('.') ?? '';
  const problem = issue?.code === 'invalid_union' ? 'Invalid input' : (issue?.message ?? 'Invalid input');
  return { kind: 'unusable', item, reason: where === '' ? problem : `${where}: ${problem}` };
}

/** The first line of an export. */
export const exportHead = lazily(() =>
  z.object({
    kind: z.literal('memory'),
    format: z.literal(1),
    exportedAt: z.number(),
  }),
);

const key = lazily(() => z.string().min(1).max(128));
/** Found again by its path; `__proto__` is a name that no object can hold as its own. */
const name = lazily(() => id().refine((given) => given !== '__proto__', 'Invalid name'));
const time = lazily(() => z.number().min(0).max(8.64e15));
const text = lazily(() => z.string().max(1_000_000).transform(loggable));
const texts = lazily(() => z.array(text()).max(1_000).readonly());
const ids = lazily(() => z.array(key()).max(10_000).readonly());

const turn = lazily(() =>
  z.object({
    role: z.enum(['user', 'assistant', 'prompt']),
    name: z.string().max(1_000).transform(loggable).nullable(),
    text: text(),
    at: time(),
  }),
);

const slice = lazily(() =>
  z
    .object({ number: z.int().min(0), of: z.int().min(2).max(1_000), from: z.int().min(0) })
    .refine(({ number, of }) => number < of, 'There are fewer'),
);

/** Inside, importance runs to ten; outside, to one. Rounded, so that it comes back as it went. */
const importance = lazily(() =>
  z
    .number()
    .min(0)
    .max(1)
    .transform((share) => Math.round(share * 1e7) / 1e6),
);

const evidence = lazily(() => z.object({ sources: ids(), turnIds: ids(), lastEvidenceAt: time() }));
const tended = lazily(() =>
  z.object({
    restorableUntil: time().exactOptional(),
    restoredAt: time().exactOptional(),
    own: evidence().exactOptional(),
    isAbsorbed: z.literal(true).exactOptional(),
  }),
);

/** Looked up by it, and so no word that every object has: neither `__proto__` nor `constructor`. */
const bearer = lazily(() => id().refine((given) => !(given in {}), 'Invalid name'));
/** `user` stands for the one whose memory this is. */
const entity = lazily(() => bearer().refine((given) => given !== USER, 'Invalid name'));
const called = lazily(() => text().pipe(z.string().min(1).max(1_000)));
const witness = lazily(() => ({
  episodeId: key(),
  conversationId: key().nullable(),
  isExpired: z.boolean(),
}));
const mention = lazily(() =>
  z.object({
    ...witness(),
    type: z.enum(entityTypes),
    name: called(),
    aliases: z.array(called()).max(1_000).readonly(),
    mentions: z.int().min(0),
    turnIds: ids(),
    seenAt: time(),
    by: z.enum(['model', 'offline']),
  }),
);
const wishes = lazily(() =>
  z.object({
    storeTranscripts: choices().shape.storeTranscripts.exactOptional(),
    storeAudio: choices().shape.storeAudio.exactOptional(),
    persistMemory: choices().shape.persistMemory.exactOptional(),
    language: choices().shape.language.exactOptional(),
    voice: choices().shape.voice.exactOptional(),
    timezone: choices().shape.timezone.exactOptional(),
    locale: choices().shape.locale.exactOptional(),
  }),
);

const record = lazily(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('profile'), profile: profileView() }),
    z.object({
      kind: z.literal('episode'),
      id: name(),
      type: z.enum(episodeTypes),
      sessionId: key().nullable(),
      conversationId: key().nullable().default(null),
      source: text().exactOptional(),
      turnId: key().nullable(),
      summary: text(),
      topic: text(),
      keywords: texts(),
      importance: importance(),
      reasons: texts(),
      happenedAt: time(),
      createdAt: time(),
      expiresAt: time(),
      flagged: z.boolean(),
      by: z.enum(['model', 'offline']),
      turns: z.array(turn()).max(20_000).readonly(),
      isRead: z.boolean().default(false),
      slice: slice().exactOptional(),
    }),
    z.object({
      ...conclusionView().shape,
      kind: z.literal('conclusion'),
      id: name(),
      text: text().pipe(z.string().min(1)),
      type: z.enum(conclusionTypes),
      confidence: z.number().min(0).max(1),
      sources: ids(),
      turnIds: ids(),
      about: text().nullable(),
      by: z.enum(['user', 'model', 'offline', 'import']),
      supersededBy: key().nullable(),
      contradicts: ids(),
      value: text().exactOptional(),
      negated: z.boolean().exactOptional(),
      tended: tended().exactOptional(),
    }),
    z.object({
      kind: z.literal('contradiction'),
      conclusionId: name(),
      contradicts: name(),
      at: time(),
      evidence: contradictionEvidence().nullable(),
      settled: z
        .object({
          as: z.enum(['kept', 'in-their-time', 'no-contradiction']),
          conclusionId: name(),
          at: time(),
        })
        .nullable(),
    }),
    z.object({
      kind: z.literal('entity'),
      id: entity(),
      given: z.object({
        type: z.enum(entityTypes).nullable(),
        name: called().nullable(),
        aliases: z.array(called()).max(1_000).readonly().nullable(),
      }),
      mergedInto: entity().nullable(),
      mentions: z.array(mention()).min(1).max(1_000).readonly(),
    }),
    z.object({
      kind: z.literal('relationship'),
      id: bearer(),
      from: bearer(),
      to: bearer(),
      evidence: z
        .array(z.object({ ...witness(), type: called(), confidence: z.number().min(0).max(1) }))
        .min(1)
        .max(1_000)
        .readonly(),
    }),
    z.object({ kind: z.literal('preferences'), preferences: wishes() }),
  ]),
);

/** A line of an export. Empty ones say nothing, and its head only what it is. */
export function* itemsOfLine(line: string, number: number): Generator<ImportItem> {
  const item = `line ${number}`;
  if (line.trim() === '') return;
  let given: unknown;
  try {
    given = JSON.parse(line.startsWith('\ufeff') ? line.slice(1) : line);
  } catch {
    return void (yield { kind: 'unusable', item, reason: 'Not a line of valid JSON, or cut off' });
  }
  if (exportHead().safeParse(given).success) return;
  const parsed = record().safeParse(given);
  if (parsed.success) yield { kind: 'record', record: parsed.data };
  else yield unusable(item, parsed.error);
}

export function lineOf(given: MemoryRecord): string {
  const shown = given.kind === 'episode' ? { ...given, importance: given.importance / 10 } : given;
  return `${JSON.stringify(shown)}\n`;
}
