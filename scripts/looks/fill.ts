import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventCatalog } from '../../src/events/catalog.ts';
import { chatStream } from '../../src/events/chat.ts';
import { type EntityEvent, entitiesStream } from '../../src/events/entities.ts';
import { type MemoryEvent, memoryStream } from '../../src/events/memory.ts';
import { notificationsStream } from '../../src/events/notifications.ts';
import { taskStream } from '../../src/events/scheduler.ts';
import { nothingDone } from '../../src/events/turnEndings.ts';
import { executionStream } from '../../src/events/workflows.ts';
import { Log } from '../../src/store/log.ts';
import { openAdapter } from '../../src/store/open.ts';

/** Everything, so often: as a service would leave it that was used for years, and written to by anybody. */
const MANY = 10_000;
const AT_ONCE = 500;
const USER = 'default';
const HOUR_MS = 3_600_000;

const first = ['Mirjam', 'Bob', 'Anneliese', 'José', 'Ngọc', 'Øyvind', 'Владимир', '小林', 'Ἀλέξανδρος', 'Q'];
const last = ['Bakker', 'van der Merwe-Oosthuizen', 'Li', 'García Márquez', 'O’Neill', 'Saint-Exupéry', 'Å'];
const things = ['tea without milk', 'the sea in winter', 'long walks', 'a dog called Rex', 'chess by post'];
const pick = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
};
const nameOf = (index: number) =>
  `${pick(first, index)} ${pick(last, index * 7)}${index < 70 ? '' : ` ${index}`}`;
/** Some are short, some are three lines, and one in a hundred is markup. */
const sentenceOf = (index: number): string => {
  if (index % 100 === 99)
    return `<b>${nameOf(index)}</b> \u202ewrote this\u200b ${'withoutaspace'.repeat(30)}`;
  const more =
    index % 7 === 0 ? ', and has done so ever since they moved to the coast some years ago, they said' : '';
  return `${nameOf(index)} likes ${pick(things, index)}${more}.`;
};

export async function fill(folder: string): Promise<void> {
  mkdirSync(join(folder, 'workflows'), { recursive: true });
  writeFileSync(join(folder, 'workflows/digest.yaml'), DIGEST, { mode: 0o600 });
  const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
  const now = Date.now();
  const write = (stream: string, events: Parameters<typeof store.append>[0]['events'], ago = 0) =>
    store.append({
      ...{ stream, events, expected: 'any', at: now - ago * HOUR_MS },
      ...{ userId: USER, correlationId: 'fill', causationId: null },
    });
  for (let from = 0; from < MANY; from += AT_ONCE) {
    const part = Array.from({ length: AT_ONCE }, (_, index) => from + index);
    const ago = MANY - from;
    await write(
      memoryStream(USER),
      part.flatMap((index) => [...memoryOf(index, now)]),
      ago,
    );
    await write(
      entitiesStream(USER),
      part.flatMap((index) => [...entityOf(index, now)]),
      ago,
    );
    await write(
      notificationsStream(USER),
      part.map((index) => ({
        type: 'notification.created',
        data: {
          notificationId: `n${index}`,
          title: sentenceOf(index).slice(0, 40),
          text: sentenceOf(index),
          by: 'user',
          channels: [],
        },
      })),
      ago,
    );
    await Promise.all(part.map((index) => write(...taskOf(index, now), ago)));
    await Promise.all(part.map((index) => write(...turnOf(index), ago)));
    await Promise.all(part.map((index) => write(...executionOf(index), ago)));
    await Promise.all(part.map((index) => write(...deviceOf(index), ago)));
  }
  await store.close();
}

function* memoryOf(index: number, now: number): Generator<MemoryEvent> {
  const at = now - (MANY - index) * HOUR_MS;
  yield {
    type: 'memory.episode.created',
    data: {
      ...{
        episodeId: `e${index}`,
        type: 'conversation',
        sessionId: `s${index}`,
        conversationId: null,
        turnId: null,
      },
      ...{
        summary: sentenceOf(index),
        topic: pick(things, index),
        keywords: [],
        importance: index % 10,
        reasons: [],
      },
      ...{ happenedAt: at, expiresAt: Number.MAX_SAFE_INTEGER, by: 'offline' },
    },
  };
  const standing = {
    ...{
      createdAt: at,
      updatedAt: at,
      lastEvidenceAt: at,
      stale: index % 9 === 0,
      supersededBy: null,
    },
    status: 'active',
    contradicts: index % 50 === 1 ? [`c${index - 1}`] : [],
  } as const;
  yield {
    type: 'memory.conclusion.drawn',
    data: {
      ...{
        conclusionId: `c${index}`,
        text: sentenceOf(index),
        type: index % 3 ? 'inferred' : 'explicit',
        confidence: (1 + (index % 100)) / 101,
      },
      ...{ sources: [`e${index}`], turnIds: [], about: null, by: 'offline', standing },
    },
  };
}

function* entityOf(index: number, now: number): Generator<EntityEvent> {
  const witness = { episodeId: `e${index}`, conversationId: null };
  yield {
    type: 'entities.entity.mentioned',
    data: {
      ...{
        ...witness,
        entityId: `x${index}`,
        type: pick(['person', 'place', 'organization'] as const, index),
      },
      ...{
        name: nameOf(index),
        aliases: [],
        mentions: 1 + (index % 40),
        turnIds: [],
        seenAt: now,
        by: 'offline',
      },
    },
  };
  for (const to of [Math.floor(index / 3), Math.floor(index / 7) + 1])
    if (to !== index)
      yield {
        type: 'entities.relationship.stated',
        data: {
          ...{ ...witness, relationshipId: `r${index}-${to}`, from: `x${index}`, to: `x${to}` },
          ...{ type: pick(['knows', 'works at', 'lives in', 'sister of'], index), confidence: 0.8 },
        },
      };
}

function taskOf(index: number, now: number) {
  const taskId = `t${index}`;
  const schedule =
    index % 2
      ? { type: 'cron', expression: '30 7 * * 1-5' }
      : { type: 'once', atTimestamp: now + index * HOUR_MS };
  return [
    taskStream(taskId),
    [
      {
        type: 'schedule.task.created',
        data: {
          taskId,
          schedule,
          topic: 'reminder.due',
          nextRunAt: now + (1 + index) * HOUR_MS,
          generation: 0,
          madeBy: 'user',
        },
      },
      {
        type: 'schedule.task.described',
        data: { taskId, name: sentenceOf(index).slice(0, 200), payload: { text: sentenceOf(index) } },
      },
    ],
  ] as const;
}

function turnOf(index: number) {
  // One of the conversations is long.
  const sessionId = index % 20 === 0 ? 'long' : `s${index}`;
  const turn = { turnId: `turn${index}`, sessionId, conversationId: `v${sessionId}` };
  const usage = { inputTokens: 1_200 + index, outputTokens: 300 };
  const [provider, model] =
    index % 2 ? (['cloud-a', 'claude-haiku-4-5'] as const) : (['cloud-b', 'gpt-4o-mini'] as const);
  const metadata = {
    ...nothingDone,
    stepCount: 1,
    durationMs: 900,
    provider,
    model,
    usage,
    recalled: [`c${index}`],
  };
  return [
    chatStream(USER, turn),
    [
      {
        type: 'chat.message.received',
        data: {
          ...turn,
          platform: 'rest',
          origin: 'user',
          text: sentenceOf(index),
          images: [],
          instanceId: 'fill',
        },
      },
      {
        type: 'chat.reply.sent',
        data: {
          ...{ ...turn, step: 0, provider, model, usage, metadata },
          ...{
            parts: [{ type: 'content', text: `I know. ${sentenceOf(index + 1)}` }],
            reasoning: { provider, text: '', blocks: [] },
          },
        },
      },
    ],
  ] as const;
}

function executionOf(index: number) {
  const executionId = `run${index}`;
  const run = { executionId, workflowId: 'digest' };
  return [
    executionStream(USER, { executionId }),
    [
      {
        type: 'workflow.execution.started',
        data: {
          ...run,
          definition: { name: 'Digest', steps: [{ id: 'say', type: 'EVENT', topic: 'digest.ready' }] },
          input: {},
          generation: 0,
          instanceId: 'fill',
        },
      },
      index % 5
        ? { type: 'workflow.execution.completed', data: { ...run, output: {} } }
        : {
            type: 'workflow.execution.failed',
            data: { ...run, stepId: 'say', code: 'STEP_FAILED', error: sentenceOf(index) },
          },
    ],
  ] as const;
}

function deviceOf(index: number) {
  const deviceId = `d${index}`;
  const capabilities = {
    audio: index % 2 === 0,
    microphone: true,
    speaker: false,
    display: true,
    buttons: false,
    sensors: true,
  };
  return [
    `device-${deviceId}`,
    [
      {
        type: 'device.registered',
        data: {
          deviceId,
          type: 'esp32',
          name: `Lamp of ${nameOf(index)}`,
          capabilities,
          secret: '0'.repeat(64),
          publicKey: null,
          sas: null,
          isVouched: true,
          expiresAt: null,
        },
      },
      { type: 'device.linked', data: { deviceId, linkedTo: USER } },
      { type: 'device.status.changed', data: { deviceId, status: index % 4 ? 'active' : 'suspended' } },
    ],
  ] as const;
}

const DIGEST = `
name: Digest
description: Sums up the day, every evening, and says what is to be done on the next one
steps:
  - { id: say, type: EVENT, topic: digest.ready }
`;
