import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ToolCalls } from '../../src/application/chat/toolCalls.ts';
import { DISCOVER_TOOLS, ToolFinder } from '../../src/application/chat/toolFinder.ts';
import { ToolRegistry } from '../../src/application/chat/toolRegistry.ts';
import { ToolSelection, ToolTokens } from '../../src/application/chat/toolSelection.ts';
import { InProcessService } from '../support/service.ts';
import { tool } from '../support/tools.ts';

interface Request {
  readonly said: string;
  /** Any of these serves it. */
  readonly tools: readonly string[];
}

function requestsOf(file: string): readonly Request[] {
  const text = readFileSync(new URL(`toolRequests/${file}.txt`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [names, said] = line.split(' | ');
    return names && said ? [{ said, tools: names.split(' ') }] : [];
  });
}

/** What a house full of devices has, and what else a tool server of others might. */
const foreign = [
  ['home.light_set', 'Turns a lamp on or off, or dims it'],
  ['home.heating_set', 'Sets the temperature of a room'],
  ['home.door_lock', 'Locks or unlocks a door'],
  ['home.blinds_set', 'Opens or closes the blinds'],
  ['home.status', 'Tells how the house and its devices are'],
  ['music.play', 'Plays a song, an album or a list'],
  ['music.stop', 'Stops the music'],
  ['mail.send', 'Sends a letter to somebody'],
  ['mail.search', 'Searches letters'],
  ['calendar.add', 'Adds an event to the calendar of the office'],
  ['calendar.list', 'Lists the events of a day in the calendar of the office'],
  ['files.read', 'Reads a file of the user'],
  ['files.write', 'Writes a file of the user'],
  ['web.search', 'Searches the web'],
  ['web.read', 'Reads a page of the web'],
  ['shop.order', 'Orders groceries'],
] as const;

describe("hark's own tools, with no embedding model", () => {
  let service: InProcessService | undefined;
  let registry: ToolRegistry | undefined;
  beforeAll(async () => {
    service = await InProcessService.start({}, { onTools: (given) => (registry = given) });
  });
  afterAll(() => service?.stop());

  const selectionOf = (others: readonly (readonly [name: string, description: string])[]) => {
    const own = registry?.list() ?? assert.fail('There are no tools yet');
    const fail = (what: string) => assert.fail(what);
    const all = new ToolRegistry(fail);
    all.register('hark', ...own);
    all.register(
      'house',
      ...others.map(([name, description]) => tool(name, { description, isForeign: true })),
    );
    const finder = new ToolFinder(all, { similarities: async () => undefined });
    const selection = new ToolSelection({
      registry: all,
      finder,
      calls: new ToolCalls({ registry: all, scopeOf: () => undefined, onFailure: fail }),
      tokens: new ToolTokens(async (texts) => texts.map(({ length }) => length / 4)),
      limits: () => ({ maxTools: 8, similarityThreshold: 0.7, includeMetaTools: true, tokenBudget: 2_000 }),
    });
    const { signal } = new AbortController();
    const shown = async (text: string) =>
      (await selection.select({ userId: 'ann', text, lately: [], signal })).shown.map(({ name }) => name);
    return { all, finder, shown };
  };

  for (const file of ['tuned', 'blind'])
    for (const [where, others] of [
      ['alone', []],
      ['beside those of a house', foreign],
    ] as const)
      it(`of them the right one is shown for 97 of 100 requests, ${where} (${file})`, async () => {
        const { all, shown } = selectionOf(others);
        const requests = requestsOf(file).filter(({ tools }) => tools.some((name) => all.get(name)));
        const missed: Request[] = [];
        for (const request of requests) {
          const names = await shown(request.said);
          if (!request.tools.some((name) => names.includes(name))) missed.push(request);
        }
        const share = 1 - missed.length / requests.length;
        assert.ok(requests.length > 80);
        assert.ok(share >= 0.97, `${share}: ${missed.map(({ said }) => said).join(' | ')}`);
      });

  it('a reminder is found by discover_tools too', async () => {
    const { finder } = selectionOf(foreign);
    const [best] = await finder.find({ text: 'set a reminder', most: 8, threshold: 0 });
    assert.equal(best?.name, 'schedule.create');
  });

  it('those of every day are shown where nothing says which are needed', async () => {
    const { shown } = selectionOf(foreign);
    const names = await shown('Hello!');
    assert.equal(names.length, 9);
    assert.ok(
      ['schedule.create', 'memory.ask_about_user', DISCOVER_TOOLS].every((name) => names.includes(name)),
    );
  });
});
