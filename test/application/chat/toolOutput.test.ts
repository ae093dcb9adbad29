import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readable, ToolParts } from '../../../src/application/chat/toolOutput.ts';

describe('what a tool gave in parts', () => {
  it('is told to a model as text, and what is none by what it is', () => {
    const parts = new ToolParts([
      { type: 'text', text: 'A house' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///house.txt', name: 'house' },
      { type: 'resource', resource: { uri: 'test://1', text: 'Its story' } },
      { type: 'resource', resource: { uri: 'test://2', blob: 'AAAA' } },
    ]);
    assert.equal(
      readable(parts, 1_000),
      'A house\n[image: image/png]\n[house: file:///house.txt]\nIts story\n[resource: test://2]',
    );
    assert.equal(readable(parts, 3), 'A h\n[Cut here: 81 more characters]');
  });

  it('is told as data where there is nothing else', () => {
    assert.equal(readable(new ToolParts([], { n: 1 }), 1_000), '{"n":1}');
    assert.equal(readable(new ToolParts([]), 1_000), '');
  });
});
