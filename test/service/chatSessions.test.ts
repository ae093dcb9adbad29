import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { calls, says, thinks, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const SMALLEST_PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');

interface Listed {
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly title: string;
    readonly turns: number;
    readonly isOpen: boolean;
    readonly lastMessageAt: number;
    readonly excerpt?: string;
  }[];
}
interface Turns {
  readonly turns: readonly {
    readonly turnId: string;
    readonly text: string | null;
    readonly images: number;
    readonly state: string;
    readonly at: number;
    readonly signals: readonly { readonly type: string; readonly content?: string }[];
  }[];
  readonly hasMore: boolean;
}

describe('sessions of chat', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let chat: ChatClient;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    const tools = { SERVICE_TOOL_MAX_TOOLS: '100' };
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...tools });
    await unsetBackgroundSlots(service);
    chat = new ChatClient(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });
  const as = (user: string) => ({ 'x-user-id': user });
  const say = async (user: string, sessionId: string, text: string, files: unknown[] = []) => {
    models.script(({ lastText }) => says(`To ${lastText.slice(-12)}`));
    const { status } = await chat.say({ text, sessionId, files }, as(user));
    assert.equal(status, 200);
  };
  const list = async (user: string, query = '') =>
    (await service.get<Listed>(`/api/chat/sessions${query}`, as(user))).body.sessions;
  const turns = async (user: string, sessionId: string, query = '') =>
    (await service.get<Turns>(`/api/chat/sessions/${sessionId}/turns${query}`, as(user))).body;
  const tick = () => service.ask('POST', '/api/test/clock', { body: { advanceMs: 1_000 } });

  test('are listed newest first, each to its user, those that have ended too', async () => {
    for (const [id, text] of [
      ['one', 'The first topic'],
      ['two', 'The second topic'],
      ['one', 'More of the first'],
    ] as const) {
      await say('lea', id, text);
      await tick();
    }
    await chat.end('two', as('lea'));
    assert.deepEqual(
      (await list('lea')).map(({ sessionId, title, turns, isOpen }) => [sessionId, title, turns, isOpen]),
      [
        ['one', 'The first topic', 2, true],
        ['two', 'The second topic', 1, false],
      ],
    );
    await say('lea', 'two', 'Begun anew');
    const [newest] = await list('lea', '?limit=1');
    assert.deepEqual([newest?.sessionId, newest?.title, newest?.turns], ['two', 'Begun anew', 2]);
    const rest = await list('lea', `?before=${newest?.lastMessageAt}`);
    assert.deepEqual(
      rest.map(({ sessionId }) => sessionId),
      ['one'],
    );
    assert.deepEqual(await list('ben'), []);
  });

  test('are found by what either side said, and as they were', async () => {
    await say('mia', 'birds', 'Tell me of swallows');
    await tick();
    const [listed] = await list('mia');
    await say('mia', 'fish', 'Tell me of carps');
    const found = await list('mia', '?query=SWALLOWS%20tell');
    assert.deepEqual(
      found.map(({ sessionId, excerpt }) => [sessionId, excerpt]),
      [['birds', 'Tell me of swallows']],
    );
    assert.deepEqual(
      (await list('mia', '?query=tell%20OF')).map(({ sessionId }) => sessionId),
      ['fish', 'birds'],
    );
    assert.deepEqual(await list('mia', '?query=penguins'), []);
    assert.deepEqual(
      (await list('mia', `?at=${listed?.lastMessageAt}`)).map(({ sessionId }) => sessionId),
      ['birds'],
    );
  });

  test('are gone from the list once they are forgotten', async () => {
    await say('tom', 'secret', 'A secret of mine');
    await service.ask('DELETE', '/api/chat/sessions/secret?forget=true', { headers: as('tom') });
    assert.deepEqual([await list('tom'), await list('tom', '?query=secret')], [[], []]);
    assert.deepEqual((await turns('tom', 'secret')).turns, []);
  });

  test('show their turns page by page, also of conversations before', async () => {
    for (const text of ['Turn 1', 'Turn 2', 'Turn 3']) await say('eve', 'long', text);
    await chat.end('long', as('eve'));
    for (const text of ['Turn 4', 'Turn 5']) await say('eve', 'long', text);
    const seen: (string | null)[] = [];
    let before = '';
    for (let pages = 1; ; pages++) {
      const page = await turns('eve', 'long', `?limit=2${before}`);
      seen.unshift(...page.turns.map(({ text }) => text));
      before = `&before=${page.turns[0]?.turnId}`;
      if (!page.hasMore) break;
      assert.ok(pages < 3);
    }
    assert.deepEqual(seen, ['Turn 1', 'Turn 2', 'Turn 3', 'Turn 4', 'Turn 5']);
  });

  test('show what happened in a turn, that it runs, and its images', async () => {
    const gate = Promise.withResolvers<void>();
    models.script([
      says(thinks('Hm.'), calls('system_health', {}, 'call-1')),
      says('All is well.'),
      says('At ', waits(gate.promise), 'last.'),
    ]);
    const files = [{ mimeType: 'image/png', content: SMALLEST_PNG }];
    await chat.say({ text: 'How is it?', sessionId: 'deep', files }, as('kim'));
    const stream = await chat.stream({ text: 'And now?', sessionId: 'deep' }, as('kim'));
    const [first, second] = (await turns('kim', 'deep')).turns;
    assert.deepEqual(
      first?.signals.map(({ type }) => type),
      ['step', 'thinking', 'tool_start', 'tool_result', 'step', 'content', 'done'],
    );
    assert.deepEqual([first?.state, first?.images, second?.state], ['replied', 1, 'running']);
    gate.resolve();
    await stream.rest();
    assert.equal((await turns('kim', 'deep')).turns[1]?.state, 'replied');
    const { body } = await service.get(`/api/chat/turns/${first?.turnId}/images`, as('kim'));
    assert.deepEqual(body, { images: [{ mimeType: 'image/png', content: SMALLEST_PNG }] });
    assert.equal((await service.get(`/api/chat/turns/${first?.turnId}/images`, as('eve'))).status, 404);
    assert.deepEqual((await turns('kim', 'deep', `?at=${(first?.at ?? 0) - 1}`)).turns, []);
  });
});
