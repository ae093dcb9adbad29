import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe, type TestContext } from 'vitest';
import type { Tool } from '../../../src/application/chat/tool.ts';
import { ToolCalls } from '../../../src/application/chat/toolCalls.ts';
import { DISCOVER_TOOLS, ToolFinder } from '../../../src/application/chat/toolFinder.ts';
import { ToolRegistry } from '../../../src/application/chat/toolRegistry.ts';
import {
  type SelectionLimits,
  ToolSelection,
  ToolTokens,
} from '../../../src/application/chat/toolSelection.ts';
import { type ToolEmbedding, ToolVectors } from '../../../src/application/chat/toolVectors.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { embeddingOf } from '../../../src/demo/model/embedding.ts';
import { embeds, fails, sends } from '../../../src/demo/model/script.ts';
import { LOCAL, Routing } from '../../support/models/routing.ts';
import { tool } from '../../support/tools.ts';

const MINUTE = 60_000;
const context = { userId: 'ann', sessionId: 's', correlationId: 'turn', origin: 'model' } as const;
const never = new AbortController().signal;
const described = (name: string, description: string) => tool(name, { description });

const lamp = { userId: 'ann', trustLevel: 2, capabilities: {} };

const discover = tool(DISCOVER_TOOLS, {
  category: 'system',
  run: async ({ reveal }) => reveal?.(['home.heating', 'gone.tool']),
});

const ten: readonly Tool[] = [
  described('home.light', 'Turns a lamp on or off'),
  described('home.heating', 'Sets the temperature of a room'),
  described('home.door', 'Locks the door'),
  described('schedule.create', 'Creates a reminder'),
  described('schedule.list', 'Lists reminders'),
  described('music.play', 'Plays a song'),
  described('music.stop', 'Stops the music'),
  described('mail.send', 'Sends a letter'),
  described('mail.read', 'Reads letters'),
  described('system.health', 'Tells how the service is'),
];

interface Given {
  readonly tools?: readonly Tool[];
  readonly limits?: Partial<SelectionLimits>;
  readonly embed?: (texts: readonly string[], signal: AbortSignal) => Promise<ToolEmbedding>;
  readonly longestWaitMs?: number;
}

/** A selection over ten tools, without an embedding model unless one is given. */
function selectionOf({ tools = ten, limits, embed, longestWaitMs = 5_000 }: Given = {}) {
  const time = { now: 0 };
  const failures: unknown[] = [];
  const onFailure = (_what: string, error: unknown) => failures.push(error);
  const registry = new ToolRegistry(onFailure);
  registry.register('test', discover, ...tools);
  const vectors = new ToolVectors({
    isConfigured: () => embed !== undefined,
    embed: embed ?? (() => Promise.reject(new Error('There is none'))),
    clock: () => time.now,
    onFailure,
    longestWaitMs,
  });
  const selection = new ToolSelection({
    registry,
    finder: new ToolFinder(registry, vectors),
    calls: new ToolCalls({ registry, scopeOf: (deviceId) => ({ ...lamp, deviceId }), onFailure }),
    tokens: new ToolTokens(async (texts) => texts.map(({ length }) => length)),
    limits: () => ({
      maxTools: 3,
      similarityThreshold: 0.7,
      includeMetaTools: true,
      tokenBudget: 2_000,
      ...limits,
    }),
  });
  const select = (text: string, lately: readonly string[] = []) =>
    selection.select({ userId: 'ann', text, lately, signal: never });
  const shown = async (text: string, lately?: readonly string[]) => names(await select(text, lately));
  return { registry, vectors, selection, select, shown, time, failures };
}

function names({ shown }: { readonly shown: readonly { readonly name: string }[] }): readonly string[] {
  return shown.map(({ name }) => name);
}

/** Says of each text what a test wants it to be near to. */
function embedder(vectorOf: (text: string) => readonly number[], model = 'some/model') {
  const asked: (readonly string[])[] = [];
  const embed = async (texts: readonly string[]): Promise<ToolEmbedding> => {
    asked.push(texts);
    return { model, vectors: texts.map((text) => Float32Array.from(vectorOf(text))) };
  };
  return { asked, embed };
}

describe('without an embedding model', () => {
  it('a turn is shown the tools whose words fit, in the order of names, and discover_tools', async () => {
    const { shown } = selectionOf();
    assert.deepEqual(await shown('turn the lamp on, and play a song'), [
      'home.light',
      'music.play',
      DISCOVER_TOOLS,
    ]);
    assert.deepEqual(await shown('tell me a joke'), [DISCOVER_TOOLS]);
  });

  it('the turn of a device is shown what the device may call, and comes to see nothing else', async () => {
    const tools = ten.map((one) =>
      one.name.startsWith('home.') ? { ...one, device: 'never' as const } : one,
    );
    for (const maxTools of [3, 20]) {
      const { selection } = selectionOf({ tools, limits: { maxTools } });
      const lately = ['home.door', 'mail.read'];
      const wish = { userId: 'ann', text: 'turn the lamp on, and play a song', lately, signal: never };
      const selected = await selection.select({ ...wish, deviceId: 'lamp' });
      assert.deepEqual(
        names(selected).filter((name) => name.startsWith('home.')),
        [],
      );
      assert.ok(names(selected).includes('music.play'));
      const call = { id: '1', name: DISCOVER_TOOLS, input: {} };
      await selected.run(call, { ...context, deviceId: 'lamp' }, never);
      assert.ok(!names(selected).includes('home.heating'));
    }
  });

  it('no more than maxTools are shown, discover_tools not counted', async () => {
    const { shown } = selectionOf();
    assert.equal((await shown('lamp temperature door reminder song letter')).length, 4);
  });

  it('all are shown when there are no more', async () => {
    const { shown } = selectionOf({ limits: { maxTools: 10 } });
    assert.deepEqual(await shown('tell me a joke'), [...ten.map(({ name }) => name).sort(), DISCOVER_TOOLS]);
    const { shown: shownOfAll } = selectionOf({ limits: { maxTools: 9 } });
    assert.deepEqual(await shownOfAll('tell me a joke'), [DISCOVER_TOOLS]);
  });

  it('discover_tools is left out when nobody wants it', async () => {
    const { shown } = selectionOf({ limits: { includeMetaTools: false } });
    assert.deepEqual(await shown('play a song'), ['music.play']);
    assert.deepEqual(await shown('what can you discover with tools?'), []);
  });

  it('what the conversation used last stays at hand', async () => {
    const { shown } = selectionOf();
    const lately = [
      'home.door',
      DISCOVER_TOOLS,
      'gone.tool',
      'home.door',
      'mail.read',
      'mail.send',
      'home.light',
    ];
    assert.deepEqual(await shown('and again', lately), [
      'home.door',
      'mail.read',
      'mail.send',
      DISCOVER_TOOLS,
    ]);
  });

  it("the service's own are shown while there is room, and those of every day first", async () => {
    const own = (name: string, hints: NonNullable<Tool['hints']> = {}) => tool(name, { hints });
    const tools = [...ten, own('own.a'), own('own.b', { everyday: true }), own('own.c', { phrases: 'wake' })];
    const three = selectionOf({ tools });
    assert.deepEqual(await three.shown('hello'), ['own.a', 'own.b', 'own.c', DISCOVER_TOOLS]);
    assert.deepEqual(await three.shown('play a song'), ['music.play', 'own.a', 'own.b', DISCOVER_TOOLS]);
    assert.deepEqual(await selectionOf({ tools, limits: { maxTools: 1 } }).shown('wakes us'), [
      'own.c',
      DISCOVER_TOOLS,
    ]);
    const costOf = ({ name, description, input }: Tool) =>
      JSON.stringify({ name, description, input }).length;
    // Room for two, and not for a third.
    const cost = 2.5 * Math.max(...tools.slice(-3).map(costOf));
    const poor = selectionOf({ tools, limits: { tokenBudget: cost / 4 } });
    assert.deepEqual(await poor.shown('play a song'), ['music.play', 'own.b', DISCOVER_TOOLS]);
    const none = selectionOf({ tools, limits: { tokenBudget: 0 } });
    assert.deepEqual(await none.shown('play a song'), ['music.play', DISCOVER_TOOLS]);
  });

  it('of tools that fit as well, those of the category used last come first', async () => {
    const { shown } = selectionOf({ limits: { maxTools: 2 } });
    const tools = [
      described('p.open', 'Opens it'),
      described('q.open', 'Opens it'),
      described('q.other', 'Else'),
    ];
    const two = selectionOf({ tools, limits: { maxTools: 2 } });
    assert.deepEqual(await two.shown('open it'), ['p.open', 'q.open', DISCOVER_TOOLS]);
    const one = selectionOf({ tools: [...tools, described('r.other', 'Else')], limits: { maxTools: 2 } });
    assert.deepEqual(await one.shown('open it', ['q.other']), ['q.open', 'q.other', DISCOVER_TOOLS]);
    assert.deepEqual(await shown('play it', []), ['music.play', DISCOVER_TOOLS]);
  });
});

describe('with an embedding model', () => {
  const axis = { lamp: [1, 0, 0], warm: [0, 1, 0], close: [0.8, 0.6, 0] } as const;
  const near = (text: string) => {
    if (/light|lamp/.test(text)) return axis.lamp;
    if (/heating|cold/.test(text)) return axis.warm;
    return /door|close/.test(text) ? axis.close : [0, 0, 1];
  };

  it('a turn is shown the tools that are near enough, whatever their words', async () => {
    const { embed } = embedder(near);
    const { shown } = selectionOf({ embed });
    assert.deepEqual(await shown('brr, it is cold'), ['home.heating', DISCOVER_TOOLS]);
    assert.deepEqual(await shown('my lamp'), ['home.door', 'home.light', DISCOVER_TOOLS]);
  });

  it('a category used lately is nearer', async () => {
    const { embed } = embedder(near);
    const { shown } = selectionOf({ embed, limits: { similarityThreshold: 0.85 } });
    assert.deepEqual(await shown('my lamp'), ['home.light', DISCOVER_TOOLS]);
    assert.deepEqual(await shown('my lamp', ['home.heating']), [
      'home.door',
      'home.heating',
      'home.light',
      DISCOVER_TOOLS,
    ]);
  });

  it('words decide when nothing is near enough', async () => {
    const { embed } = embedder((text) => (text === 'play a song' ? [1, 0] : [0, 1]));
    const { shown } = selectionOf({ embed });
    assert.deepEqual(await shown('play a song'), ['music.play', DISCOVER_TOOLS]);
  });

  it('tools are embedded once, and again when one is described otherwise or another model answers', async () => {
    let model = 'first';
    const { asked, embed } = embedder(near);
    const { registry, shown } = selectionOf({ embed: async (texts) => ({ ...(await embed(texts)), model }) });
    const sizes = async (text: string) => {
      const before = asked.length;
      await shown(text);
      return asked.slice(before).map(({ length }) => length);
    };
    assert.deepEqual(await sizes('lamp'), [1, 10]);
    assert.deepEqual(await sizes('door'), [1]);
    registry.replace('test', [discover, ...ten.slice(1), described('home.light', 'Turns a lamp on')]);
    assert.deepEqual(await sizes('lamp'), [1, 1]);
    model = 'second';
    assert.deepEqual(await sizes('lamp'), [1, 10]);
    model = 'first';
    assert.deepEqual(await sizes('lamp'), [1]);
  });

  it('turns that come at once embed the tools once', async () => {
    const { asked, embed } = embedder(near);
    const { shown } = selectionOf({ embed });
    const all = await Promise.all(['lamp', 'cold', 'door'].map((text) => shown(text)));
    assert.equal(asked.filter(({ length }) => length === 10).length, 1);
    assert.deepEqual(all[1], ['home.heating', DISCOVER_TOOLS]);
  });

  it('vectors of a fallback are not compared with those of the first', async () => {
    let model = 'first';
    const { embed } = embedder(near);
    const { shown } = selectionOf({
      embed: async (texts) => {
        const answer = { ...(await embed(texts)), model };
        model = 'fallback';
        return answer;
      },
    });
    assert.deepEqual(await shown('brr, it is cold'), [DISCOVER_TOOLS]);
    assert.deepEqual(await shown('brr, it is cold'), ['home.heating', DISCOVER_TOOLS]);
  });

  it('vectors that say nothing are near to nothing', async () => {
    for (const odd of [[], [0, 0, 0], [Number.NaN, 1, 1], [Number.POSITIVE_INFINITY, 1, 1], [1]]) {
      const { embed } = embedder((text) => (text === 'my lamp' ? axis.lamp : odd));
      const { shown } = selectionOf({ embed, limits: { similarityThreshold: 0.1 } });
      assert.deepEqual(await shown('my lamp'), ['home.light', DISCOVER_TOOLS], JSON.stringify(odd));
    }
  });
});

describe('an embedding model that does not answer in time', () => {
  it('is not waited for, until it has answered; what it says then is used', async () => {
    const loaded = Promise.withResolvers<void>();
    const { asked, embed } = embedder((text) => [Number(/heating|cold/.test(text)), 1]);
    const slow = async (texts: readonly string[]) => {
      const answer = await embed(texts);
      await loaded.promise;
      return answer;
    };
    const { shown } = selectionOf({ embed: slow, longestWaitMs: 50, limits: { similarityThreshold: 0.9 } });
    assert.deepEqual(await shown('lamp'), ['home.light', DISCOVER_TOOLS]);
    assert.deepEqual(await shown('song'), ['music.play', DISCOVER_TOOLS]);
    assert.equal(asked.length, 1);
    loaded.resolve();
    while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await shown('brr, it is cold'), ['home.heating', DISCOVER_TOOLS]);
    const sizes = asked.map(({ length }) => length);
    assert.deepEqual(sizes, [1, 10, 1]);
  });

  it('is given up when the service stops', async () => {
    let signal: AbortSignal | undefined;
    const { shown, vectors, failures } = selectionOf({
      longestWaitMs: 1,
      embed: (_texts, given) => {
        signal = given;
        return new Promise((_resolve, reject) => given.addEventListener('abort', () => reject(given.reason)));
      },
    });
    await shown('lamp');
    vectors.stop();
    assert.equal(signal?.aborted, true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(failures, []);
  });
});

describe('over the router', () => {
  const start = async (test: TestContext) => {
    const routing = await Routing.start(test);
    const slots = {
      chat: { ...LOCAL, fallbacks: [] },
      embedding: { provider: 'local-runner', model: 'nomic-embed-text', fallbacks: [] },
    } as const;
    await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
    const embed = async (texts: readonly string[], signal: AbortSignal): Promise<ToolEmbedding> => {
      const asking = { slot: 'embedding', correlationId: 'test', signal } as const;
      const { provider, model, vectors } = await routing.router.embed(asking, { texts });
      return { model: `${provider}/${model}`, vectors };
    };
    return { routing, ...selectionOf({ embed, limits: { similarityThreshold: 0.9 } }) };
  };

  it('tools are found by what a model says they are near to', async (t) => {
    const { shown, failures } = await start(t);
    assert.deepEqual(await shown('home heating: Sets the temperature of a room'), [
      'home.heating',
      DISCOVER_TOOLS,
    ]);
    assert.deepEqual(failures, []);
  });

  for (const [how, reply] of [
    ['refuses', fails('bad-request')],
    ['sends nonsense', sends(200, 'nonsense')],
    ['sends too few vectors', embeds([1, 0])],
  ] as const)
    it(`a model that ${how} leaves it to the words, and is asked again after a while`, async (t) => {
      const { routing, shown, time, failures } = await start(t);
      const toolsOnly = how === 'sends too few vectors' ? [embeds([...embeddingOf('song')]), reply] : [reply];
      routing.models.script(toolsOnly, { endpoint: 'embed' });
      assert.deepEqual(await shown('song'), ['music.play', DISCOVER_TOOLS]);
      const asked = routing.models.requests.length;
      assert.deepEqual(await shown('song'), ['music.play', DISCOVER_TOOLS]);
      assert.equal(routing.models.requests.length, asked);
      assert.equal(failures.length, 1);
      time.now += MINUTE;
      assert.deepEqual(await shown('home door: Locks the door'), ['home.door', DISCOVER_TOOLS]);
    });
});

describe('a turn that discovers a tool', () => {
  it('is shown it from the next step on, and pays for it', async () => {
    const { select } = selectionOf();
    const turn = await select('tell me a joke');
    const before = turn.shown;
    const cost = turn.tokens;
    await turn.run({ id: '1', name: DISCOVER_TOOLS, input: { query: 'warm' } }, context, never);
    assert.deepEqual(names({ shown: before }), [DISCOVER_TOOLS]);
    assert.deepEqual(names(turn), [DISCOVER_TOOLS, 'home.heating']);
    assert.ok(turn.tokens > cost);
    const { result } = await turn.run({ id: '2', name: 'home.heating', input: {} }, context, never);
    assert.equal(result, 'home.heating');
    assert.equal(turn.shown.length, 2);
  });

  it('may call one that it knows by heart, and sees then what it takes', async () => {
    const { select } = selectionOf();
    const turn = await select('tell me a joke');
    const { result, failed } = await turn.run({ id: '1', name: 'mail.send', input: {} }, context, never);
    assert.deepEqual([result, failed], ['mail.send', false]);
    assert.deepEqual(names(turn), [DISCOVER_TOOLS, 'mail.send']);
  });

  it('hears which tools there are when it calls one that is not there', async () => {
    const { select } = selectionOf();
    const turn = await select('play a song');
    const { result } = await turn.run({ id: '1', name: 'music.pause', input: {} }, context, never);
    assert.equal(result, `Error: There is no tool "music.pause". There are: music.play, ${DISCOVER_TOOLS}`);
  });

  it('is not shown hundreds, but may call them', async () => {
    const many = Array.from({ length: 200 }, (_, index) => described(`many.t${index}`, 'One'));
    const all = many.map(({ name }) => name);
    const { select } = selectionOf({
      tools: [...many, tool('reveal.all', { run: async ({ reveal }) => reveal?.(all) })],
    });
    const turn = await select('nothing');
    await turn.run({ id: '1', name: 'reveal.all', input: {} }, context, never);
    assert.equal(turn.shown.length, 64);
    assert.equal(
      (await turn.run({ id: '2', name: 'many.t199', input: {} }, context, never)).result,
      'many.t199',
    );
  });
});

describe('what the tools cost', () => {
  it('is guessed, and known as soon as they are counted', async () => {
    const counted = Promise.withResolvers<void>();
    let asked = 0;
    const tokens = new ToolTokens(async (texts) => {
      asked += texts.length;
      await counted.promise;
      return texts.map(() => 100);
    });
    const tools = ten.slice(0, 2);
    const counting = tokens.count(tools);
    const guess = tokens.of(tools);
    assert.ok(guess > 20 && guess < 80);
    counted.resolve();
    await counting;
    assert.equal(tokens.of(tools), 202);
    await tokens.count(tools);
    assert.equal(asked, 2);
    assert.equal(tokens.of([]), 0);
  });
});

const word = fc.constantFrom('lamp', 'song', 'letters', 'room', 'door', 'the', 'penguin', 'reminders');
const used = fc.constantFrom(...ten.map(({ name }) => name), DISCOVER_TOOLS, 'gone.tool');
const given = { text: fc.array(word), lately: fc.array(used), maxTools: fc.integer({ min: 1, max: 12 }) };

it.prop([fc.record({ ...given, meta: fc.boolean(), byMeaning: fc.boolean() })])(
  'whatever is asked, there are never too many, none twice, and all in the registry',
  async (wish) => {
    const { embed } = embedder(embeddingOf);
    const limits = { maxTools: wish.maxTools, includeMetaTools: wish.meta, similarityThreshold: 0.3 };
    const { shown, registry } = selectionOf({ limits, ...(wish.byMeaning ? { embed } : {}) });
    const text = wish.text.join(' ');
    const all = await shown(text, wish.lately);
    const own = all.filter((name) => name !== DISCOVER_TOOLS);
    assert.equal(all.includes(DISCOVER_TOOLS), wish.meta);
    assert.ok(own.length <= wish.maxTools || own.length === 0);
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.every((name) => registry.get(name)));
    assert.deepEqual(own, [...own].sort());
    assert.deepEqual(await shown(text, wish.lately), all);
  },
);
