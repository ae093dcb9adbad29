import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fc, it } from '@fast-check/vitest';
import { consolidate } from '../../../src/commands/memory/consolidate.ts';
import { expireConversations, expireEpisodes } from '../../../src/commands/memory/forgetting.ts';
import { rememberTurn } from '../../../src/commands/memory/rememberTurn.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readChatEvent } from '../../../src/events/chat.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
import { episode } from './sample.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

const index = fc.nat(2);
const step = fc.oneof(
  /** Something in a conversation is kept at once, for so long. */
  fc.record({ kind: fc.constant('keep'), index, days: fc.nat(9) }),
  /** It is settled what a conversation came to: to an episode, or to nothing. */
  fc.record({ kind: fc.constantFrom('settle', 'skip'), index, days: fc.nat(9) }),
  fc.record({ kind: fc.constantFrom('pass', 'lookOver'), index, days: fc.nat(4) }),
);

/** The first is of no session. */
const conversations = ['c0', 'c1', 'c2'];
const sessionOf = (index: number) => (index === 0 ? null : `s${index}`);

async function world() {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const clock = { now: NOW };
  const runner = new StoreCommandRunner({ store, clock: () => clock.now, newId: randomUUID });
  const who = { userId: 'ann', correlationId: 'test', causationId: null };
  for (const [index, conversationId] of conversations.entries()) {
    const turn = { turnId: `t${index}`, sessionId: sessionOf(index), conversationId };
    const data = { ...turn, platform: 'web', origin: 'user', text: 'Secret', images: [], instanceId: 'one' };
    const events = [{ type: 'chat.message.received', data }];
    await store.append({ stream: `said-${index}`, expected: 'any', events, at: NOW, ...who });
  }
  const readable = async (index: number) => {
    for await (const [stored] of store.readStream(`said-${index}`)) {
      const event = stored && readChatEvent(stored);
      if (event?.type === 'chat.message.received') return event.data.text !== null;
    }
    return false;
  };
  const memory = () => runner.read(userMemory, memoryStream('ann'), 'ann');
  return { runner, clock, readable, memory, context: { userId: 'ann', correlationId: 'test' } };
}

it.prop([fc.array(step, { maxLength: 30 })], { numRuns })(
  'the words of a conversation stay until the last episode that tells of them is gone, and no longer',
  async (steps) => {
    const { runner, clock, readable, memory, context } = await world();
    /** Of each conversation, until when episodes tell of it. */
    const until = conversations.map((): number[] => []);
    const isSettled = conversations.map((_id, index) => sessionOf(index) === null);
    const isGone = conversations.map(() => false);
    let upTo = 0;
    for (const { kind, index, days } of steps) {
      const conversationId = conversations[index] ?? '';
      const { erasures, lookedOver } = await memory();
      const given = { conversationId, sessionId: sessionOf(index), turnId: randomUUID() };
      const expiresAt = clock.now + days;
      const kept = episode({ ...given, expiresAt });
      if (kind === 'pass') clock.now += days;
      if (kind === 'keep' && !isGone[index]) {
        await runner.run(rememberTurn, { episode: kept, findings: [], erasures, mostIngests: 5 }, context);
        until[index]?.push(expiresAt);
      }
      if ((kind === 'settle' || kind === 'skip') && index > 0 && !isGone[index] && !isSettled[index]) {
        const isKept = kind === 'settle';
        const settled = { ...given, sessionId: `s${index}`, skipped: isKept ? null : ('trivial' as const) };
        const found = { episode: isKept ? kept : null, findings: [], erasesWords: false };
        const input = { ...settled, after: null, erasures, ...found };
        await runner.run(consolidate, input, context);
        if (isKept) until[index]?.push(expiresAt);
        isSettled[index] = true;
      }
      if (kind === 'lookOver') {
        // As retention does: whatever was to be made of them has been made, or was given up.
        await runner.run(
          expireConversations,
          { conversationIds: [conversationId], after: lookedOver, upTo: ++upTo, next: null },
          context,
        );
        isSettled[index] = true;
        if (until[index]?.every((time) => time === 0)) isGone[index] = true;
      }
      await runner.run(expireEpisodes, { now: clock.now }, context);
      for (const [one, times] of until.entries()) {
        const [was, left] = [times.length > 0, times.filter((time) => time > clock.now)];
        if (was && left.length === 0 && isSettled[one]) isGone[one] = true;
        until[one] = left;
        assert.equal(await readable(one), !isGone[one], `${conversations[one]} after ${kind}`);
      }
    }
  },
);
