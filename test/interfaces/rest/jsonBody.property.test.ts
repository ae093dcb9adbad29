import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { isHarkError } from '../../../src/errors.ts';
import { parseJsonBody, parseJsonBytes } from '../../../src/interfaces/rest/jsonBody.ts';

const text = fc.oneof(
  fc.base64String(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"content":""', '\\', ''),
);
const fields = fc.dictionary(fc.oneof(text, fc.constant('content')), fc.oneof(text, fc.jsonValue()), {
  noNullPrototype: true,
  maxKeys: 5,
});

/** As it came, with the bytes of the field as the text that they are. */
function inText(body: unknown): unknown {
  const { content, ...others } = Object(body);
  return content instanceof Uint8Array ? { ...others, content: Buffer.from(content).toString() } : body;
}

function outcome(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return isHarkError(error) ? error.code : error;
  }
}

test.prop([fields, fc.constantFrom(undefined, 1, '\t')])('bytes say what their text says', (given, space) => {
  const body = JSON.stringify(given, null, space);
  const parsed = outcome(() => inText(parseJsonBytes(Buffer.from(body), 'content')));
  assert.deepEqual(
    parsed,
    outcome(() => parseJsonBody(body)),
  );
});

test.prop([fc.base64String({ minLength: 4 })])('the named field stays bytes', (content) => {
  const body = Buffer.from(JSON.stringify({ modality: 'audio', content, durationMs: 1 }));
  const parsed = Object(parseJsonBytes(body, 'content'));
  assert.ok(parsed.content instanceof Uint8Array);
  assert.equal(parsed.content.buffer, body.buffer);
});

test('a field with escapes, of an inner object, or written twice, is text', () => {
  for (const body of [
    '{"content":"AA\\/A"}',
    '{"inner":{"content":"AAAA"}}',
    '{"content":"AAAA","content":"BBBB"}',
    '{"a\\"content":"AAAA"}',
  ])
    assert.deepEqual(parseJsonBytes(Buffer.from(body), 'content'), JSON.parse(body));
});

test.each(['{"content":"AAAA"', '{"content":"AAAA', '"content":"AAAA"'])(
  'what is no JSON is refused: %s',
  (body) => {
    assert.equal(
      outcome(() => inText(parseJsonBytes(Buffer.from(body), 'content'))),
      'INVALID_JSON',
    );
  },
);
