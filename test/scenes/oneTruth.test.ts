import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import { embeds, says, saysJson } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { Friend } from './friend.ts';

/* What was believed in an earlier conversation, and what is said of it later, with a small model that concludes. */

interface Fact {
  readonly text: string;
  readonly relation?: 'same' | 'replaces' | 'contradicts' | 'ended';
  /** What it was shown as known. */
  readonly of?: string;
}

interface Case {
  readonly first: string;
  readonly believedFirst: readonly string[];
  readonly later: string;
  readonly concludes: readonly Fact[];
  readonly believed: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'has a birthday': {
    first: 'I am 34 years old.',
    believedFirst: ['The user is 34 years old (said in 2023).'],
    later: 'I turned 35 yesterday.',
    concludes: [
      {
        text: 'The user is 35 years old.',
        relation: 'replaces',
        of: 'The user is 34 years old (said in 2023).',
      },
    ],
    believed: ['The user is 35 years old.'],
  },
  'changes their taste': {
    first: 'I love pizza.',
    believedFirst: ['The user likes pizza.'],
    later: 'Pizza disgusts me these days.',
    concludes: [{ text: 'The user dislikes pizza.', relation: 'replaces', of: 'The user likes pizza.' }],
    believed: ['The user dislikes pizza.'],
  },
  moves: {
    first: 'I live in Berlin.',
    believedFirst: ['The user lives in Berlin.'],
    later: 'We are finally settled in Hamburg.',
    concludes: [
      { text: 'The user lives in Hamburg.', relation: 'replaces', of: 'The user lives in Berlin.' },
    ],
    believed: ['The user lives in Hamburg.'],
  },
  'is divorced': {
    first: 'I am married.',
    believedFirst: ['The user is married.'],
    later: 'We got divorced last month.',
    concludes: [{ text: 'The user is divorced.', relation: 'replaces', of: 'The user is married.' }],
    believed: ['The user is divorced.'],
  },
  'has a third child': {
    first: 'I have two children.',
    believedFirst: ['The user has two children.'],
    later: 'Our third child was born on Sunday.',
    concludes: [
      { text: 'The user has three children.', relation: 'replaces', of: 'The user has two children.' },
    ],
    believed: ['The user has three children.'],
  },
  'has a meeting moved': {
    first: 'Remember that the meeting with Dana is on Tuesday.',
    believedFirst: ['The meeting with Dana is on Tuesday.'],
    later: 'The meeting with Dana was pushed to Thursday.',
    concludes: [
      {
        text: 'The meeting with Dana is on Thursday.',
        relation: 'replaces',
        of: 'The meeting with Dana is on Tuesday.',
      },
    ],
    believed: ['The meeting with Dana is on Thursday.'],
  },
  'was joking': {
    first: 'I have a tattoo of a shark.',
    believedFirst: ['The user has a tattoo of a shark.'],
    later: 'I was joking about the tattoo, there is none.',
    concludes: [
      { text: 'The user has no tattoo.', relation: 'ended', of: 'The user has a tattoo of a shark.' },
    ],
    believed: ['The user has no tattoo.'],
  },
  'speaks of their husband': {
    first: 'I like tea.',
    believedFirst: ['The user likes tea.'],
    later: 'My husband Tom is allergic to shellfish.',
    concludes: [
      {
        text: 'The user has a husband called Tom.',
        relation: 'same',
        of: "The user's husband is called Tom.",
      },
      { text: "Tom, the user's husband, is allergic to shellfish." },
      { text: 'The user is allergic to shellfish.' },
    ],
    believed: [
      'The user likes tea.',
      "The user's husband is called Tom.",
      "Tom, the user's husband, is allergic to shellfish.",
    ],
  },
  'speaks of their daughter': {
    first: 'I like tea.',
    believedFirst: ['The user likes tea.'],
    later: 'My daughter Emma is allergic to peanuts.',
    concludes: [
      {
        text: 'The user has a daughter called Emma.',
        relation: 'same',
        of: "The user's daughter is called Emma.",
      },
      { text: "Emma, the user's daughter, is allergic to peanuts." },
      { text: 'The user is allergic to peanuts.' },
    ],
    believed: [
      "Emma, the user's daughter, is allergic to peanuts.",
      'The user likes tea.',
      "The user's daughter is called Emma.",
    ],
  },
};

describe('a friend with a model that concludes', () => {
  const set = modelledService();
  beforeAll(async () => {
    const slots = { consolidation: { provider: 'cloud-b', model: 'gpt-5-nano' } };
    assert.equal((await set.service.put('/api/slots', { slots })).status, 200);
  });

  /** Answers questions on facts with these, and everything else with a word; gives a number to what it was shown. */
  const concludes = (facts: readonly Fact[]) =>
    set.models.script(({ body }) => {
      const asked = JSON.stringify(body).replaceAll('\\', '');
      if (!asked.includes('List what the user says')) return says('I see.');
      const numberOf = (text: string) => {
        const [, number] = asked.match(new RegExp(`"known":(\\d+),"says":"${RegExp.escape(text)}"`)) ?? [];
        assert.ok(number, `it was not shown: ${text}`);
        return Number(number);
      };
      return saysJson({
        reasoning: '',
        facts: facts.map(({ text, relation = 'new', of }) => ({
          ...{ text, relation, type: 'explicit', confidence: 0.9, turns: [1], quote: '' },
          known: of === undefined ? [] : [numberOf(of)],
        })),
      });
    });

  for (const [what, { first, believedFirst, later, concludes: facts, believed }] of Object.entries(cases))
    it(`who ${what} is known for what is so now`, async () => {
      const friend = new Friend(set.service, what.replaceAll(' ', '-'));
      set.models.reset();
      concludes([]);
      await friend.says(first, 'first');
      await friend.leaves('first');
      assert.deepEqual(await friend.isKnownFor(), believedFirst);
      set.models.reset();
      concludes(facts);
      await friend.says(later, 'later');
      await friend.leaves('later');
      assert.deepEqual(await friend.isKnownFor(), believed);
    });

  it('who has said much since is known for what is so now, where no word is the same and only the meaning is near', async () => {
    const embedding = { provider: 'local-runner', model: 'nomic-embed-text' };
    assert.equal((await set.service.put('/api/slots', { slots: { embedding } })).status, 200);
    const embedsHomes = () =>
      set.models.script(
        ({ texts }) => embeds(...texts.map((text) => (/Berlin|Elbe/.test(text) ? [1, 0] : [0, 1]))),
        { endpoint: 'embed' },
      );
    const friend = new Friend(set.service, 'moves-quietly');
    embedsHomes();
    const home = await friend.states('The user lives in Berlin.');
    // Too many for all of them to be shown, and all of them newer.
    await set.service.advance(60_000);
    for (let each = 0; each < 45; each++) await friend.states(`The user knows person ${each} from work.`);
    await friend.hasVectorOf(home);
    set.models.reset();
    embedsHomes();
    concludes([
      { text: 'The user lives in Hamburg.', relation: 'replaces', of: 'The user lives in Berlin.' },
    ]);
    await friend.says('From my new flat in Hamburg one can see the Elbe.', 'moved');
    await friend.leaves('moved');
    const known = await friend.isKnownFor();
    assert.ok(known.includes('The user lives in Hamburg.'), known.join('\n'));
    assert.ok(!known.includes('The user lives in Berlin.'));
  });
});
