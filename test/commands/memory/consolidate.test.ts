import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  askForConsolidation,
  type Consolidate,
  consolidate,
} from '../../../src/commands/memory/consolidate.ts';
import type { Finding } from '../../../src/commands/memory/findings.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import { rememberSaid } from '../../../src/commands/memory/userChanges.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { decide, fold, given, NOW } from '../../support/given.ts';
import { anEpisode, episode } from './sample.ts';

const asked: Consolidate = {
  conversationId: 'c1',
  sessionId: 'evening',
  skipped: null,
  after: null,
  erasures: 0,
  erasesWords: false,
  episode: episode({ conversationId: 'c1', sessionId: 'evening' }),
  findings: [],
};
const moved: Finding = {
  text: 'The user lives in Oslo.',
  type: 'explicit',
  confidence: 0.9,
  about: 'home.city',
  by: 'offline',
  turnIds: ['t1'],
};

/** What is believed after each of these findings was made in a conversation of its own. */
function believed(...findings: readonly Finding[]) {
  const past: NewEvent[] = [];
  for (const [index, finding] of findings.entries()) {
    const conversationId = `c${index}`;
    const input = { ...asked, conversationId, episode: episode({ conversationId }), findings: [finding] };
    let ids = 0;
    const newId = () => `${conversationId}-${++ids}`;
    past.push(...consolidate.decide(fold(userMemory, past), input, { now: NOW, newId }));
  }
  return Object.values(fold(userMemory, past).conclusions);
}

describe('what is found again', () => {
  const livesIn = (text: string): Finding => ({ ...moved, text, about: null });

  it('is the same fact in other forms of its words', () => {
    const [known, ...others] = believed(moved, livesIn('The user is living in Oslo'));
    assert.deepEqual(others, []);
    assert.equal(known?.sources.length, 2);
  });

  it('is another fact where a word, their order or a denial differs', () => {
    const facts = [
      'The user moved from Oslo to Bergen.',
      'The user moved from Bergen to Oslo.',
      'The user moved to Oslo from Bergen.',
      'The user does not live in Oslo.',
      'The user lives in Oslo with two cats.',
      'The user lives in Oslo with three cats.',
    ];
    assert.equal(believed(moved, ...facts.map(livesIn)).length, 1 + facts.length);
  });
});

describe('a correction', () => {
  const says = (value: string, given: Partial<Finding> = {}): Finding => ({
    ...moved,
    ...{ text: `The user works at ${value}.`, about: 'work.employer', value, negated: false },
    ...given,
  });
  const noLonger = (value: string) =>
    says(value, { text: `The user no longer works at ${value}.`, negated: true, type: 'corrected' });
  const shown = (...findings: readonly Finding[]) =>
    believed(...findings).map(({ text, status, supersededBy }) => [text, status, supersededBy]);

  it('that something is over takes that away, with a link, and nothing else', () => {
    assert.deepEqual(shown(says('Bosch'), noLonger('Bosch')), [
      ['The user works at Bosch.', 'merged', 'c1-2'],
      ['The user no longer works at Bosch.', 'active', null],
    ]);
    assert.deepEqual(
      shown(says('Siemens'), noLonger('Bosch')).map(([, status]) => status),
      ['active', 'active'],
    );
    assert.deepEqual(
      shown(noLonger('Bosch'), says('Ikea')).map(([, status]) => status),
      ['merged', 'active'],
    );
    assert.deepEqual(
      shown(noLonger('Bosch'), says('Bosch')).map(([, status]) => status),
      ['merged', 'active'],
    );
  });

  it('that names what was wrong takes its place under another name, and with no name at all', () => {
    const allergic = (value: string, given: Partial<Finding> = {}) =>
      says(value, { text: `The user is allergic to ${value}.`, about: `allergy.${value}`, ...given });
    const corrected = allergic('shellfish', { type: 'corrected', replaces: 'peanuts' });
    const byModel = { text: 'The user is allergic to peanuts', type: 'inferred', about: null } as const;
    const { value: _, negated: __, ...bare } = { ...allergic('peanuts'), ...byModel };
    for (const wrong of [allergic('peanuts'), bare])
      assert.deepEqual(
        shown(wrong, corrected).map(([, status, by]) => [status, by]),
        [
          ['merged', 'c1-2'],
          ['active', null],
        ],
      );
    assert.equal(shown(allergic('milk'), corrected)[0]?.[1], 'active');
  });

  it('that was known already still takes away what it names as wrong', () => {
    const bare: Finding = { ...moved, text: 'The user works at Bosch.', about: null };
    assert.deepEqual(
      shown(says('Ikea'), bare, says('Ikea', { replaces: 'Bosch' })).map(([, status, by]) => [status, by]),
      [
        ['active', null],
        ['merged', 'c0-2'],
      ],
    );
  });

  it('in the same conversation leaves what it corrects to be seen', () => {
    const findings = [says('Bosch'), says('Ikea', { type: 'corrected', replaces: 'Bosch' })];
    const events = decide(consolidate, fold(userMemory, []), { ...asked, findings });
    const all = Object.values(fold(userMemory, events).conclusions);
    assert.deepEqual(
      all.map(({ text, status }) => [text, status]),
      [
        ['The user works at Bosch.', 'merged'],
        ['The user works at Ikea.', 'active'],
      ],
    );
    assert.equal(all[0]?.supersededBy, all[1]?.id);
    let ids = 0;
    const again = { ...asked, conversationId: 'c2', findings };
    const context = { now: NOW, newId: () => `again-${++ids}` };
    const more = consolidate.decide(fold(userMemory, events), again, context);
    assert.deepEqual(
      more.flatMap(({ type }) => (type.startsWith('memory.conclusion.') ? [type] : [])),
      ['memory.conclusion.strengthened'],
    );
  });
});

describe('consolidating a conversation', () => {
  it('keeps an episode and says that it is settled', () => {
    given(consolidate)
      .when(asked)
      .gives(
        { type: 'memory.episode.created', data: { episodeId: 'id-1', ...asked.episode } },
        {
          type: 'memory.conversation.consolidated',
          data: { conversationId: 'c1', sessionId: 'evening', episodeId: 'id-1', skipped: null },
        },
      );
  });

  it('happens once', () => {
    const settled = decide(consolidate, fold(userMemory, []), asked);
    given(consolidate, ...settled)
      .when(asked)
      .givesNothing();
  });

  it('brings nothing back that was erased while it was read', () => {
    const erased = { type: 'memory.erased', data: {} };
    given(consolidate, erased).when(asked).isRefused('MEMORY_CHANGED');
  });
});

describe('a finding', () => {
  it('is a new conclusion with its source', () => {
    const [conclusion] = believed(moved);
    assert.deepEqual(
      [conclusion?.text, conclusion?.sources.length, conclusion?.turnIds, conclusion?.createdAt],
      ['The user lives in Oslo.', 1, ['t1'], NOW],
    );
  });

  it('that was made before makes it more certain, and adds none', () => {
    const [conclusion, ...others] = believed(moved, { ...moved, text: 'the user lives in oslo' });
    assert.deepEqual(others, []);
    assert.equal(conclusion?.sources.length, 2);
    assert.ok(conclusion && conclusion.confidence > 0.9 && conclusion.confidence < 1);
  });

  it('of what was remembered when it was said adds its source, and neither doubt nor certainty', () => {
    const said = {
      ...moved,
      text: "The user's sister Mia lives in Oslo.",
      about: 'fact.mia',
      by: 'user',
    } as const;
    let ids = 0;
    const context = { now: NOW, newId: () => `k${++ids}` };
    const past = [...rememberSaid.decide(fold(userMemory, []), { findings: [said] }, context)];
    const again: Finding[] = [
      { ...said, by: 'offline', confidence: 0.85 },
      { ...said, by: 'model', about: null, text: 'The user has a sister called Mia.' },
      { ...said, by: 'model', about: null, text: 'Mia lives in Oslo.' },
      { ...said, by: 'model', about: null, text: 'Mia does not live in Oslo.' },
      { ...said, by: 'model', about: null, text: 'Mia lives in Oslo.', turnIds: ['t2'] },
    ];
    past.push(...consolidate.decide(fold(userMemory, past), { ...asked, findings: again }, context));
    const [known, ...others] = Object.values(fold(userMemory, past).conclusions);
    assert.deepEqual(
      [known?.confidence, known?.sources.length, known?.turnIds],
      [said.confidence, 1, ['t1']],
    );
    assert.deepEqual(
      others.map(({ text }) => text),
      ['Mia does not live in Oslo.', 'Mia lives in Oslo.'],
    );
  });

  it('of another kind on the same takes the place of the first, which stays as history', () => {
    const [first, second] = believed(moved, {
      ...moved,
      text: 'The user lives in Bergen.',
      type: 'corrected',
    });
    assert.deepEqual([first?.status, first?.supersededBy], ['merged', second?.id]);
    assert.equal(second?.status, 'active');
  });

  it('of the same conversation counts once', () => {
    const input = { ...asked, findings: [moved, { ...moved, turnIds: ['t2'] }] };
    const events = decide(consolidate, fold(userMemory, [anEpisode('e0')]), input);
    assert.equal(events.filter(({ type }) => type.startsWith('memory.conclusion')).length, 1);
  });
});

describe('what is asked to be consolidated before its end', () => {
  const settled = (conversationId: string, upTo?: string) => ({
    type: 'memory.conversation.consolidated',
    data: { conversationId, sessionId: 's', episodeId: null, skipped: 'trivial', ...(upTo ? { upTo } : {}) },
  });
  const sessions = ['c1', 'c2'].map((conversationId) => ({ conversationId, sessionId: 's' }));
  const [first, second] = sessions.map((data) => ({ type: 'memory.consolidation.asked', data }));

  it('is each session that goes on, also one of which a part was settled', () => {
    assert.ok(first && second);
    given(askForConsolidation, settled('c1', 't1')).when({ sessions }).gives(first, second);
  });

  it('is no session that is settled', () => {
    assert.ok(second);
    given(askForConsolidation, settled('c1')).when({ sessions }).gives(second);
  });
});

describe('a prompt that comes again', () => {
  it('leaves no second episode, and says why', () => {
    const source = 'task-1';
    const past = [anEpisode('e1', { conversationId: 'c0', source })];
    const prompted = { ...asked, episode: episode({ conversationId: 'c1', source }) };
    const data = { conversationId: 'c1', sessionId: 'evening', episodeId: null, skipped: 'repeated' };
    given(consolidate, ...past)
      .when(prompted)
      .gives({ type: 'memory.conversation.consolidated', data });
  });
});

describe('a conversation of which its user wants no transcript', () => {
  it('loses its words in the append that settles it', () => {
    const events = decide(consolidate, fold(userMemory, []), { ...asked, erasesWords: true });
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['memory.conversation.consolidated', 'memory.transcript.erased'],
    );
    assert.deepEqual(events.at(-1)?.data, { conversationId: 'c1' });
  });
});
