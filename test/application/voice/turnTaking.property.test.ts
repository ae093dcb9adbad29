import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { next } from '../../../src/application/voice/turnTaking.ts';
import {
  beginTurnTaking,
  type TurnTakingInput,
  type TurnTakingOptions,
  type TurnTakingOutput,
} from '../../../src/application/voice/turnTakingState.ts';
import { serverVad } from '../../support/voice/heardTurns.ts';

const options: fc.Arbitrary<TurnTakingOptions> = fc.record({
  detection: fc.option(
    fc.record({
      type: fc.constantFrom('server_vad' as const, 'semantic_vad' as const),
      threshold: fc.constantFrom(0, 0.3, 0.5, 0.9, 1),
      prefixPaddingMs: fc.constantFrom(0, 300, 5_000),
      silenceMs: fc.constantFrom(0, 100, 500, 2_000),
      eagerness: fc.constantFrom('low' as const, 'medium' as const, 'high' as const, 'auto' as const),
      createResponse: fc.constant(serverVad.createResponse),
      interruptResponse: fc.boolean(),
      interruptionMs: fc.constantFrom(undefined, 0, 250, 1_000),
    }),
    { nil: null, freq: 6 },
  ),
  interruptionMs: fc.constantFrom(0, 250),
  halfDuplex: fc.boolean(),
});

type Happening =
  | {
      readonly type: 'windows';
      readonly probability: number;
      readonly count: number;
      readonly level?: number | undefined;
    }
  | { readonly type: 'skip'; readonly ms: number }
  | Exclude<TurnTakingInput, { type: 'window' }>;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('windows' as const),
      probability: fc.constantFrom(0, 0.02, 0.4, 0.55, 0.7, 0.95, 1),
      count: fc.integer({ min: 1, max: 60 }),
      level: fc.constantFrom(undefined, 20, 40, 60),
    }),
  },
  fc.record({
    type: fc.constant('windows' as const),
    probability: fc.constant(1),
    count: fc.constant(2_500),
  }),
  fc.record({ type: fc.constant('skip' as const), ms: fc.constantFrom(20, 5_000, 700_000) }),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('words' as const),
      text: fc.constantFrom(
        '',
        'stop',
        'mhm',
        'turn on the',
        'turn on the light',
        'the train leaves at nine',
      ),
      isFinal: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('doing' as const),
      doing: fc.constantFrom('listening' as const, 'thinking' as const, 'speaking' as const, 'idle' as const),
      asked: fc.boolean(),
    }),
  },
  fc.record({
    type: fc.constant('saying' as const),
    text: fc.constantFrom('the train leaves at nine', 'x'.repeat(900)),
  }),
  fc.record({
    type: fc.constantFrom('commit' as const, 'clear' as const),
    atMs: fc.constantFrom(0, Number.MAX_SAFE_INTEGER),
  }),
  fc.record({ type: fc.constant('options' as const), options }),
  fc.record({ type: fc.constant('tick' as const), ms: fc.constantFrom(0, 100, 1_000, 90_000) }),
);

interface Played {
  readonly out: readonly TurnTakingOutput[];
  readonly heardMs: number;
}

function play(
  begin: TurnTakingOptions,
  happenings: readonly Happening[],
  look?: (state: ReturnType<typeof beginTurnTaking>) => void,
): Played {
  let state = beginTurnTaking(begin);
  let atMs = 0;
  const out: TurnTakingOutput[] = [];
  const put = (input: TurnTakingInput) => {
    const step = next(state, input);
    state = step.state;
    out.push(...step.out);
    look?.(state);
  };
  for (const one of happenings)
    if (one.type === 'windows')
      for (let left = one.count; left > 0; left--) {
        atMs += 32;
        put({ type: 'window', probability: one.probability, atMs, level: one.level });
      }
    else if (one.type === 'skip') atMs += one.ms;
    else if (one.type === 'commit' || one.type === 'clear')
      put({ type: one.type, atMs: Math.min(one.atMs, atMs) });
    else put(one);
  // In the end there is silence, and hark is at rest.
  put({ type: 'doing', doing: 'idle' });
  put({ type: 'commit', atMs });
  return { out, heardMs: atMs };
}

const happenings = fc.array(happening, { maxLength: 60 });

test.prop([options, happenings])(
  'each listening comes to one end, and nothing comes without one',
  (begin, all) => {
    let isListening = false;
    let isStarted = false;
    let isPaused = false;
    for (const { type } of play(begin, all).out) {
      if (type === 'listen') {
        assert.ok(!isListening);
        isListening = true;
      } else if (type === 'started') {
        assert.ok(isListening && !isStarted);
        isStarted = true;
      } else if (type === 'stopped') {
        assert.ok(isListening && isStarted);
        isStarted = false;
      } else if (type === 'pause') {
        assert.ok(isListening && !isPaused);
        isPaused = true;
      } else if (type === 'resumed') {
        assert.ok(isListening && isPaused);
        isPaused = false;
      } else if (type === 'utterance' || type === 'drop') {
        assert.ok(isListening && !isStarted);
        isListening = false;
        isPaused = false;
      }
    }
    assert.ok(!isListening && !isStarted);
  },
);

test.prop([options, happenings])('what is lowered is raised or interrupted, once', (begin, all) => {
  let isLowered = false;
  for (const { type } of play(begin, all).out) {
    if (type === 'lower') {
      assert.ok(!isLowered);
      isLowered = true;
    } else if (type === 'raise') {
      assert.ok(isLowered);
      isLowered = false;
    } else if (type === 'interrupt') isLowered = false;
  }
  assert.ok(!isLowered);
});

test.prop([options, happenings])(
  'nothing that was heard is in two utterances, and none is from the future',
  (begin, all) => {
    const { out, heardMs } = play(begin, all);
    let takenMs = 0;
    for (const output of out) {
      if (output.type !== 'utterance') continue;
      assert.ok(output.fromMs >= takenMs && output.toMs >= output.fromMs && output.toMs <= heardMs);
      takenMs = output.toMs;
    }
  },
);

test.prop([options, happenings])('what it knows has a bound', (begin, all) => {
  play(begin, all, (state) => assert.ok(JSON.stringify(state).length < 2_500));
});

test.prop([options, happenings])('nobody is interrupted who does not want to be', (begin, all) => {
  const never = { ...begin, detection: begin.detection && { ...begin.detection, interruptResponse: false } };
  const { out } = play(
    never,
    all.filter(({ type }) => type !== 'options'),
  );
  assert.ok(out.every(({ type }) => type !== 'interrupt' && type !== 'lower'));
});
