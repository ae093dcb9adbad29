import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { Briefing } from '../../../src/application/chat/briefing.ts';
import { signalsOf, type TurnSignal } from '../../../src/application/chat/signals.ts';
import { beginTurn, next } from '../../../src/application/chat/turnMachine.ts';
import type { TurnInput, TurnOutput, TurnState } from '../../../src/application/chat/turnState.ts';
import type { ChatEvent } from '../../../src/events/chat.ts';
import { readTurnEnding } from '../../../src/events/turnEndings.ts';
import { continueExchange, type Exchange } from '../../../src/projections/chat/exchange.ts';
import { cancelled, exchangeOf, received } from '../../support/chatFacts.ts';
import { NOW } from '../../support/given.ts';

const MOST_STEPS = 3;

const usage = { inputTokens: 1, outputTokens: 2 };
const parts = fc.constantFrom<TurnInput>(
  { type: 'routed', slot: 'chat', provider: 'cloud-a', model: 'model-a', fallback: false },
  { type: 'routed', slot: 'chat', provider: 'cloud-b', model: 'model-b', fallback: true },
  { type: 'text', text: 'Good ' },
  { type: 'text', text: '' },
  { type: 'reasoning', text: 'Hm. ' },
  { type: 'tool-call', call: { id: 'a', name: 'clock.read', input: {} } },
  { type: 'tool-call', call: { id: 'b', name: 'clock.set', input: {}, malformed: '[' } },
  { type: 'finish', reason: 'stop', usage },
  { type: 'finish', reason: 'length', usage },
);
const failures = fc.constantFrom<TurnInput>(
  { type: 'failed', code: 'MODEL_TIMEOUT' },
  { type: 'failed', code: 'MODEL_UNAVAILABLE' },
  { type: 'failed', code: 'INTERNAL' },
);
/** What comes although nobody asked for it, or twice. */
const stray = fc.oneof(
  parts,
  failures,
  fc.constantFrom<TurnInput>(
    { type: 'due' },
    { type: 'answered', toolTokens: 1 },
    { type: 'returned', result: { callId: 'a', result: 'noon', failed: false, durationMs: 1 } },
    { type: 'stopped', as: 'cancelled' },
    { type: 'stopped', as: 'interrupted' },
  ),
);

const deeds = ['end elsewhere', 'go away', 'come back', 'lose', 'refuse'] as const;
type Moment =
  /** One of what is under way goes on. */
  | { readonly type: 'go on'; readonly which: number }
  | { readonly type: 'put'; readonly input: TurnInput }
  | { readonly type: 'do'; readonly deed: (typeof deeds)[number] };

const moment: fc.Arbitrary<Moment> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constant('go on' as const), which: fc.nat({ max: 7 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('put' as const), input: stray }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('do' as const), deed: fc.constantFrom(...deeds) }) },
);

/** What the model says in a step: mostly what models say, else anything. */
const said = fc.oneof(
  fc.array(parts, { maxLength: 6 }),
  fc
    .array(parts, { maxLength: 4 })
    .map((some): readonly TurnInput[] => [
      { type: 'routed', slot: 'chat', provider: 'cloud-a', model: 'model-a', fallback: false },
      ...some,
      { type: 'finish', reason: 'stop', usage },
    ]),
);
const plan = fc.record({
  steps: fc.array(said, { minLength: MOST_STEPS, maxLength: MOST_STEPS }),
  fails: fc.option(fc.record({ at: fc.constantFrom('briefing', 'model'), as: failures }), { freq: 8 }),
  isSummedUp: fc.boolean(),
  given: fc.constantFrom(undefined, undefined, 'manner' as const, 'tools' as const),
  moments: fc.array(moment, { maxLength: 60 }),
});
type Plan = Parameters<Parameters<typeof plan.map>[0]>[0];

describe('a turn, whatever comes and in whichever order', () => {
  it.prop([plan], { numRuns: 5_000 })(
    'ends exactly once, and what is told, written and remembered agree',
    (planned) => {
      const world = new World(planned);
      for (const one of planned.moments) world.pass(one);
      world.comeToRest();
      world.check();
    },
  );
});

/** All that is around the machine: the log, which may be away or lost, the model, and the tools. */
class World {
  readonly #plan: Plan;
  #state: TurnState = beginTurn({
    place: { turnId: 't', sessionId: 's', conversationId: 'c' },
    exchange: exchangeOf(received('t')),
    startedMs: 0,
  });
  /** What goes on, each in its own time. */
  readonly #underWay: (() => void)[] = [];
  /** What is written, and what is heard of that, in the order in which it was. */
  readonly #writes: (() => void)[] = [];
  readonly #answers: (() => void)[] = [];
  readonly #told: TurnSignal[] = [];
  readonly #remembered: Exchange[] = [];
  readonly #log: ChatEvent[] = [];
  /** Let go while the log was away, and believed to be kept. */
  readonly #waiting: (readonly ChatEvent[])[] = [];
  #isOver = false;
  #endedElsewhere = false;
  #isAway = false;
  #isLost = false;
  #refuses = false;
  /** How it was believed to end here is not how the log has it. */
  #isEndUnkept = false;
  #asked = 0;

  constructor(planned: Plan) {
    this.#plan = planned;
    this.#underWay.push(() => this.#put({ type: 'due' }));
  }

  pass(moment: Moment): void {
    if (moment.type === 'put') this.#put(moment.input);
    else if (moment.type === 'do') this.#do(moment.deed);
    else this.#goOn(moment.which);
  }

  comeToRest(): void {
    this.#do('come back');
    for (let which = 0; this.#goesOn.length > 0; which++) this.#goOn(which);
  }

  check(): void {
    assert.equal(this.#state.phase, 'over');
    assert.equal(this.#remembered.length, 1);
    const [remembered] = this.#remembered;
    assert.ok(remembered?.end);
    assert.deepEqual(this.#state.turn.exchange, remembered);
    this.#checkTold(remembered);
    if (!this.#isLost) this.#checkLog(remembered);
  }

  #checkTold(remembered: Exchange): void {
    const ends = this.#told.filter(({ type }) => type === 'done');
    assert.equal(ends.length, 1);
    assert.equal(this.#told.at(-1)?.type, 'done');
    const told = joined(this.#told);
    const kept = joined(signalsOf(remembered));
    // Who ended it elsewhere did not know what was being said.
    if (this.#endedElsewhere) told.splice(kept.length - LAST_WORDS, told.length - kept.length);
    assert.deepEqual(told, kept);
  }

  #checkLog(remembered: Exchange): void {
    const endings = this.#log.filter((event) => readTurnEnding(event));
    assert.ok(endings.length <= 1);
    assert.ok(endings.length === 1 || this.#isEndUnkept);
    if (!this.#isEndUnkept) {
      const replayed = this.#log.reduce(
        (exchange, event) => continueExchange(exchange, event, NOW),
        exchangeOf(received('t')),
      );
      assert.deepEqual(remembered, replayed);
    }
  }

  get #goesOn(): readonly (() => void)[][] {
    return [this.#writes, this.#answers, this.#underWay].filter(({ length }) => length > 0);
  }

  #goOn(which: number): void {
    const list = this.#goesOn[which % (this.#goesOn.length || 1)];
    const [goOn] = list?.splice(list === this.#underWay ? which % list.length : 0, 1) ?? [];
    goOn?.();
  }

  #do(deed: (typeof deeds)[number]): void {
    if (deed === 'go away') this.#isAway = true;
    if (deed === 'lose') this.#isLost = true;
    if (deed === 'refuse') this.#refuses = true;
    if (deed === 'end elsewhere' && !this.#isAway && !this.#isLost && !this.#isOver) {
      this.#endedElsewhere = true;
      this.#append([cancelled('t')], this.#underWay);
    }
    if (deed !== 'come back') return;
    this.#isAway = false;
    for (const events of this.#waiting.splice(0)) {
      if (this.#isOver || this.#isLost) this.#isEndUnkept = true;
      else this.#append(events, this.#answers);
    }
  }

  #append(events: readonly ChatEvent[], news: (() => void)[]): void {
    this.#log.push(...events);
    const event = events.find((event) => readTurnEnding(event));
    if (!event) return;
    this.#isOver = true;
    news.push(() => this.#put({ type: 'recorded', ending: { event, at: NOW } }));
  }

  #put(input: TurnInput): void {
    const before = this.#state;
    const { state, outputs } = next(before, input, 5);
    this.#state = state;
    if (before.phase === 'over') assert.deepEqual([state, outputs], [before, []]);
    for (const output of outputs) this.#perform(output);
  }

  #perform(output: TurnOutput): void {
    switch (output.type) {
      case 'tell':
        this.#told.push(output.signal);
        break;
      case 'remember':
        this.#remembered.push(output.exchange);
        break;
      case 'write':
        this.#writes.push(() => this.#write(output.events));
        break;
      case 'brief':
        this.#underWay.push(() => this.#brief());
        break;
      case 'ask':
        this.#speak([...(this.#plan.steps[this.#asked++] ?? [])]);
        break;
      case 'call':
        for (const { id: callId } of output.calls) {
          const result = { callId, result: 'noon', failed: false, durationMs: 1 };
          this.#underWay.push(() => this.#put({ type: 'returned', result }));
        }
        break;
      case 'look up':
        this.#underWay.push(() => {
          const event = this.#log.find((event) => readTurnEnding(event));
          const ending = event && !this.#isLost && !this.#isAway ? { event, at: NOW } : undefined;
          this.#isEndUnkept ||= !ending;
          this.#put({ type: 'looked up', ending, at: NOW });
        });
    }
  }

  #brief(): void {
    const { isSummedUp, given, fails } = this.#plan;
    if (fails?.at === 'briefing') {
      this.#put(fails.as);
      return;
    }
    const briefing: Briefing = {
      ...{ slot: 'chat', intent: null, system: '', history: [] },
      tools: { shown: [], tokens: 0, run: () => Promise.reject(new TypeError('Nothing is run here')) },
      ...(isSummedUp ? { summed: { uptoTurnId: 'before', summary: 'They met.', tokens: 1 } } : {}),
      ...(given ? { given: { messages: [], manner: {}, ...(given === 'tools' ? { tools: [] } : {}) } } : {}),
    };
    this.#put({ type: 'briefed', briefing, mostSteps: MOST_STEPS, toolTokens: 0 });
  }

  #speak(left: TurnInput[]): void {
    const { fails } = this.#plan;
    this.#underWay.push(() => {
      const part = left.shift();
      if (part) this.#put(part);
      else this.#put(fails?.as ?? { type: 'answered', toolTokens: 0 });
      if (part) this.#speak(left);
    });
  }

  /** Written when the log comes to it; that it was is heard later. */
  #write(events: readonly ChatEvent[]): void {
    const kept = () => this.#put({ type: 'kept', events, at: NOW });
    const refused = (code: 'TURN_OVER' | 'INTERNAL') => () => this.#put({ type: 'refused', code, at: NOW });
    if (this.#isAway) this.#waiting.push(events);
    else if (this.#isOver || this.#isLost) return void this.#answers.push(refused('TURN_OVER'));
    else if (this.#refuses) {
      this.#isEndUnkept ||= events.some((event) => readTurnEnding(event));
      return void this.#answers.push(refused('INTERNAL'));
    } else this.#append(events, this.#answers);
    this.#answers.push(kept);
  }
}

/** An error, and that it is done. */
const LAST_WORDS = 2;

/** With each text in one piece. */
function joined(signals: readonly TurnSignal[]): TurnSignal[] {
  const whole: TurnSignal[] = [];
  for (const signal of signals) {
    const last = whole.at(-1);
    if (last && 'content' in last && 'content' in signal && last.type === signal.type)
      whole[whole.length - 1] = { ...last, content: last.content + signal.content };
    else whole.push(signal);
  }
  return whole;
}
