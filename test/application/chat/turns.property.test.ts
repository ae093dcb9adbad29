import assert from 'node:assert/strict';
import { setImmediate as breath } from 'node:timers/promises';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { NumberedSignal, TurnSignal } from '../../../src/application/chat/signals.ts';
import { breakOffTurn } from '../../../src/commands/chat/turns.ts';
import { readTurnEnding } from '../../../src/events/turnEndings.ts';
import type { ModelMessage } from '../../../src/gateways/models/gateway.ts';
import { conversation, historyOf } from '../../../src/projections/chat/conversation.ts';
import { openSessions } from '../../../src/projections/chat/openSessions.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { readAll } from '../../store/contract.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { ChatProcess, call, finish, type Speech, text } from './process.ts';

interface Plan {
  readonly session: 's1' | 's2' | null;
  readonly at: 0 | 1;
  /** How many tools each step calls, but the last, which is the reply. */
  readonly calls: readonly number[];
  readonly pieces: readonly string[];
  readonly fails: boolean;
  readonly cancelledBy: 0 | 1 | null;
  /** A listener leaves after so many batches each time, and comes back to the one process or the other. */
  readonly listening: readonly { readonly batches: number; readonly at: 0 | 1 }[];
}

const at = fc.constantFrom(0 as const, 1 as const);
const plan: fc.Arbitrary<Plan> = fc.record(
  {
    session: fc.constantFrom('s1' as const, 's1' as const, 's2' as const, null),
    at,
    calls: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
    pieces: fc.array(fc.constantFrom('a', 'bc', 'dé', '😀 '), { minLength: 1, maxLength: 4 }),
    fails: fc.boolean(),
    cancelledBy: fc.option(at, { freq: 4 }),
    listening: fc.array(fc.record({ batches: fc.nat({ max: 2 }), at }, { noNullPrototype: true }), {
      maxLength: 4,
    }),
  },
  { noNullPrototype: true },
);
const plans = fc.array(plan, { minLength: 1, maxLength: 6 });

describe('whatever the interleaving of turns, listeners and crashes', () => {
  it.prop([fc.scheduler(), plans, fc.boolean()], { numRuns: 400 })(
    'history alternates, each turn ends once, replay gives the same, and who listens hears all once',
    async (s, all, crashes) => {
      const world = await World.start(s, all);
      if (crashes) void world.crash();
      await s.waitFor(world.over());
      await s.waitFor(world.check());
      await s.waitFor(world.stop());
    },
  );
});

/** Two processes on one log; the first may crash, and then the second goes on alone. */
class World {
  readonly #scheduler: fc.Scheduler;
  readonly #plans: readonly Plan[];
  readonly #store = new SharedStore((tell) => void this.#pause('news').then(tell));
  readonly #holds = [this.#store.hold(), this.#store.hold()] as const;
  readonly #gone = new AbortController();
  readonly #work: Promise<unknown>[] = [];
  readonly #heard = new Map<string, TurnSignal[]>();
  #isOver = false;
  #processes: readonly [ChatProcess, ChatProcess] | undefined;

  private constructor(scheduler: fc.Scheduler, plans: readonly Plan[]) {
    this.#scheduler = scheduler;
    this.#plans = plans;
  }

  static async start(scheduler: fc.Scheduler, plans: readonly Plan[]): Promise<World> {
    const world = new World(scheduler, plans);
    const runTool = async (name: string) => {
      await world.#pause(`tool ${name}`);
      return { result: `of ${name}`, failed: false, durationMs: 1 };
    };
    const options = { speech: world.#speech, runTool };
    const [one, two] = world.#holds;
    world.#processes = [await ChatProcess.start(one, options), await ChatProcess.start(two, options)];
    for (const [index, planned] of plans.entries()) world.#work.push(world.#converse(index, planned));
    return world;
  }

  async over(): Promise<void> {
    await Promise.all(this.#work);
    // What was begun in a process that crashed is over when that is recorded, and when it has been heard of.
    const { store, views } = this.#process(1).context;
    const isOpen = () => Object.values(views.view(openSessions).byStream).some(({ open }) => open.length > 0);
    while (isOpen() || store.delivered < (await store.head())) await this.#pause('the end');
    this.#isOver = true;
  }

  async crash(): Promise<void> {
    await this.#pause('crash');
    this.#holds[0].kill();
    this.#gone.abort();
    while (!this.#isOver) {
      await this.#pause('notice');
      await this.#notice();
      // Whatever waits for more than its turn has to come to it.
      await breath();
    }
  }

  /** As the process that goes on does, of what it has heard by now. */
  async #notice(): Promise<void> {
    const { context } = this.#process(1);
    const lost = this.#process(0).context.instanceId;
    for (const { sessionId, open } of Object.values(context.views.view(openSessions).byStream)) {
      for (const { turnId } of open.filter(({ instanceId }) => instanceId === lost))
        await context.runner.run(breakOffTurn, { turnId, sessionId, as: 'interrupted' }, ann);
    }
  }

  async check(): Promise<void> {
    const log = await readAll(this.#process(1).context.store);
    for (const [stream, events] of Map.groupBy(log, ({ stream }) => stream)) {
      checkEndings(events);
      checkOrder(events);
      await this.#checkHistory(stream, events);
    }
    for (const failure of [...this.#process(0).failures, ...this.#process(1).failures])
      assert.equal(failure, brokeOff);
    // One that knows nothing but the log.
    const fresh = await ChatProcess.start(this.#store.hold(), { speech: this.#speech });
    for (const [turnId, heard] of this.#heard) await checkHeard(fresh, turnId, heard);
  }

  async stop(): Promise<void> {
    await this.#process(1).turns.stop();
  }

  async #checkHistory(stream: string, events: readonly StoredEvent[]): Promise<void> {
    const replayed = historyOf(events.reduce(conversation.evolve, conversation.initial));
    for (const [index, { role }] of replayed.entries())
      assert.equal(role, index % 2 === 0 ? 'user' : 'assistant');
    assert.equal(replayed.length % 2, 0);
    const [, sessionId] = /^session-ann\.(.*)$/.exec(stream) ?? [];
    if (sessionId === undefined) return;
    const told = historyOf({ exchanges: await this.#process(1).turns.exchanges('ann', sessionId) });
    assert.deepEqual(told, replayed);
  }

  async #converse(index: number, planned: Plan): Promise<void> {
    await this.#pause(`begin ${index}`);
    const { session: sessionId } = planned;
    const process = this.#isGone(planned.at) ? 1 : planned.at;
    const begun = this.#process(process).say(`${index}`, { sessionId, turnId: `t${index}` });
    const handle = await this.#orGone(process, begun);
    if (!handle) return;
    const { turnId } = handle;
    await Promise.all([this.#listen(turnId, planned), this.#cancel(turnId, planned), this.#look(sessionId)]);
  }

  /** History as somebody sees it who asks in between. */
  async #look(sessionId: string | null): Promise<void> {
    if (sessionId === null) return;
    await this.#pause(`look at ${sessionId}`);
    const history = historyOf({ exchanges: await this.#process(1).turns.exchanges('ann', sessionId) });
    for (const [index, { role }] of history.entries())
      assert.equal(role, index % 2 === 0 ? 'user' : 'assistant');
  }

  async #cancel(turnId: string, { cancelledBy }: Plan): Promise<void> {
    if (cancelledBy === null) return;
    await this.#pause(`cancel ${turnId}`);
    const process = this.#isGone(cancelledBy) ? 1 : cancelledBy;
    await this.#orGone(process, this.#process(process).turns.cancel(ann, turnId));
  }

  async #listen(turnId: string, { listening }: Plan): Promise<void> {
    const heard: TurnSignal[] = [];
    let last: string | undefined;
    let isOver = false;
    for (const stay of [...listening, { batches: Number.POSITIVE_INFINITY, at: 1 as const }]) {
      await this.#pause(`listen ${turnId}`);
      const process = this.#isGone(stay.at) ? 1 : stay.at;
      const gone = process === 0 ? this.#gone.signal : new AbortController().signal;
      const handle = await this.#orGone(process, this.#process(process).turns.find('ann', turnId, gone));
      if (!handle) continue;
      let batches = 0;
      for await (const told of handle.transcript.read(last, gone)) {
        // Who leaves does so in the middle of what came at once.
        const leaves = ++batches > stay.batches;
        const batch = leaves ? told.slice(0, 1) : told;
        heard.push(...batch.map(({ signal }: NumberedSignal) => signal));
        last = batch.at(-1)?.id;
        isOver = heard.at(-1)?.type === 'done';
        await this.#pause(`read ${turnId}`);
        if (leaves) break;
      }
      if (isOver) break;
    }
    assert.ok(isOver, 'a listener was left without an end');
    this.#heard.set(turnId, heard);
  }

  readonly #speech: Speech = (asked, signal) => this.#speak(asked.messages, signal);

  async *#speak(messages: readonly ModelMessage[], signal: AbortSignal) {
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    checkAlternation(messages);
    const message = messages[lastUser];
    const [part] = message?.role === 'user' ? message.parts : [];
    const planned = this.#plans[Number(part?.type === 'text' ? part.text : -1)];
    assert.ok(planned);
    const own = messages.slice(lastUser + 1);
    for (const said of own) if (said.role === 'tool') assert.match(said.result, /^of /);
    const step = own.filter(({ role }) => role === 'assistant').length;
    for (const piece of planned.pieces) {
      await this.#pause('say');
      signal.throwIfAborted();
      yield text(piece);
    }
    const calls = planned.calls[step] ?? 0;
    if (calls === 0 && planned.fails) throw brokeOff;
    for (let number = 0; number < calls; number++) yield call(`${step}-${number}`);
    yield finish;
  }

  #pause(label: string): Promise<unknown> {
    return this.#scheduler.schedule(Promise.resolve(), label);
  }

  #process(index: 0 | 1): ChatProcess {
    const process = this.#processes?.[index];
    assert.ok(process);
    return process;
  }

  #isGone(index: 0 | 1): boolean {
    return index === 0 && this.#gone.signal.aborted;
  }

  /** What a process that crashed does not answer any more. */
  #orGone<Value>(index: 0 | 1, answer: Promise<Value>): Promise<Value | undefined> {
    if (index === 1) return answer;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#gone.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    return Promise.race([answer, promise]);
  }
}

const brokeOff = new Error('The model broke off');
const ann = { userId: 'ann', correlationId: 'test' };

function checkEndings(events: readonly StoredEvent[]): void {
  const endings = events.filter((event) => readTurnEnding(event)).map(turnOf);
  const received = events.filter(({ type }) => type === 'chat.message.received').map(turnOf);
  assert.equal(new Set(endings).size, endings.length, 'a turn ended twice');
  assert.deepEqual(endings.toSorted(), received.toSorted());
}

/** What a turn does lies together: nothing of another comes between, but that it came, or was called off. */
function checkOrder(events: readonly StoredEvent[]): void {
  const done = events
    .filter(({ type }) => ['chat.step.taken', 'chat.tool.returned', 'chat.reply.sent'].includes(type))
    .map(turnOf);
  const runs = done.filter((turnId, index) => turnId !== done[index - 1]);
  assert.equal(new Set(runs).size, runs.length, `turns were interleaved: ${done.join(' ')}`);
}

function checkAlternation(messages: readonly ModelMessage[]): void {
  let before: ModelMessage['role'] = 'assistant';
  for (const { role } of messages) {
    const mayFollow = { user: ['assistant'], assistant: ['user', 'tool'], tool: ['assistant', 'tool'] };
    assert.ok(mayFollow[role].includes(before), `${role} follows ${before}`);
    before = role;
  }
}

function turnOf({ data }: StoredEvent): string {
  return String(Object(data).turnId);
}

/** What a listener heard in pieces is what the turn tells as a whole; a crash may take of it what was not kept. */
async function checkHeard(fresh: ChatProcess, turnId: string, heard: readonly TurnSignal[]): Promise<void> {
  const recorded = await fresh.turns.find('ann', turnId);
  if (!recorded) return;
  const all = await Array.fromAsync(recorded.transcript.read(undefined, new AbortController().signal));
  const whole = joined(all.flat().map(({ signal }) => signal));
  const { end } = await recorded.ended;
  if (end?.as === 'replied' || end?.as === 'failed') assert.deepEqual(joined(heard), whole);
  else {
    const lastWords = joined(heard).slice(-2);
    assert.deepEqual(lastWords, whole.slice(-2));
    const kept = whole.slice(0, -2);
    const before = joined(heard).slice(0, -2);
    assert.ok(JSON.stringify(before).length >= JSON.stringify(kept).length, 'more was kept than told');
  }
}

/** With each text in one piece. */
function joined(signals: readonly TurnSignal[]): readonly TurnSignal[] {
  const whole: TurnSignal[] = [];
  for (const signal of signals) {
    const last = whole.at(-1);
    if (last && 'content' in last && 'content' in signal && last.type === signal.type)
      whole[whole.length - 1] = { ...last, content: last.content + signal.content };
    else whole.push(signal);
  }
  return whole;
}
