import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { pageOfEvents } from '../../scripts/eventDocs.ts';
import { defineEvent, personal } from '../../src/events/definition.ts';

const noted = defineEvent('test.note.taken', {
  data: () =>
    z.object({
      noteId: z.string(),
      words: z.array(z.object({ at: z.int().exactOptional(), text: personal(z.string()) })).readonly(),
      mood: z.enum(['good', 'bad']).nullable(),
    }),
});
const page = [
  '# Events\n',
  '## test\n',
  '### `test.note.taken`\n',
  'A note was taken.\n',
  '| Field | Type | |',
  '| --- | --- | --- |',
  '| `noteId` | string |  |',
  '| `words` | list |  |',
  '| `words[].at` | integer, optional |  |',
  '| `words[].text` | string | sealed |',
  '| `mood` | `good`, `bad` or null |  |\n',
].join('\n');

describe('the page of events', () => {
  it('has the fields of the schemas, and the sentences that were written', () => {
    const old =
      '# Events\n\n## test\n\n### `test.note.taken`\n\nA note was taken.\n\n| Field |\n| --- |\n| `old` |\n';
    assert.equal(pageOfEvents(old, [noted]), page);
  });

  it('is left as it is when it is up to date', () => {
    assert.equal(pageOfEvents(page, [noted]), page);
  });

  it('leaves out events that are gone', () => {
    assert.equal(
      pageOfEvents(page.replace('## test', '## old\n\n### `old.event`\n\nGone.\n\n## test'), [noted]),
      page,
    );
  });

  it('names the events for which no sentence was written', () => {
    assert.throws(() => pageOfEvents('# Events\n', [noted]), /when it is appended: test\.note\.taken/);
  });
});
