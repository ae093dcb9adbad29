import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { KeywordIndex } from '../../../src/application/chat/toolFinder.ts';
import { stem, stemsOf } from '../../../src/language/words.ts';
import { tool } from '../../support/tools.ts';

describe('the forms of a word', () => {
  for (const forms of [
    'schedule schedules scheduled scheduling scheduler schedulers',
    'cancel cancels cancelled canceled cancelling cancellation',
    'create creates created creating creation creator',
    'remind reminds reminder reminders reminded reminding',
    'run runs running runner',
    'memory memories',
    'status statuses',
    'switch switches switched switching',
    'call calls called calling caller',
    'store stores stored storing',
    'search searches searching',
    'health healthy',
    'quick quickly',
  ])
    it(`have one stem: ${forms}`, () => {
      assert.deepEqual([...new Set(forms.split(' ').map(stem))].length, 1, forms.split(' ').map(stem).join());
    });

  it('are kept apart from other words', () => {
    const words = 'light list listen live lock log weather whether session season time timer tone'.split(' ');
    const same = words.filter((word) => words.some((other) => other !== word && stem(other) === stem(word)));
    assert.deepEqual(same, ['time', 'timer']);
  });

  it('are short or foreign, and stay as they are', () => {
    for (const word of ['is', 'tea', 'ss', 'grüße', 'погода', '天気', '42']) assert.equal(stem(word), word);
  });
});

describe('the words of a text', () => {
  it('come from names too, and the empty ones are left out', () => {
    assert.deepEqual(stemsOf('What is the state of homeLights.turn_on2, please?'), [
      'stat',
      'hom',
      'light',
      'turn',
      'on2',
    ]);
  });

  it('can be none', () => {
    assert.deepEqual(stemsOf('… 👋 what is it?'), []);
  });
});

const tools = [
  tool('home.light_set', { description: 'Turns a lamp on or off, or dims it', category: 'smart_home' }),
  tool('home.heating', { description: 'Sets the temperature of a room', category: 'smart_home' }),
  tool('schedule.create', { description: 'Creates a reminder or a repeated task', category: 'scheduling' }),
  tool('schedule.cancel', { description: 'Cancels a scheduled task', category: 'scheduling' }),
  tool('schedule.list', { description: 'Lists scheduled tasks', category: 'scheduling' }),
  tool('system.health', { description: 'Tells how the service and its parts are', category: 'system' }),
];

const found = (text: string) =>
  Array.from(new KeywordIndex(tools).relevance(text))
    .sort(([, one], [, other]) => other - one)
    .map(([{ name }]) => name);

describe('tools found by words', () => {
  for (const [text, ...best] of [
    ['dim the lamps in the kitchen', 'home.light_set'],
    ['it is cold, raise the temperature', 'home.heating'],
    ['remind me of the milk tomorrow', 'schedule.create'],
    ['cancelling my tasks', 'schedule.cancel'],
    ['are all parts of the services healthy?', 'system.health'],
    ['what can the smart home do', 'home.light_set', 'home.heating'],
  ])
    it(text ?? '', () =>
      assert.deepEqual(
        found(text ?? '')
          .slice(0, best.length)
          .sort(),
        best.sort(),
      ),
    );

  it('have hints, whose phrases fit where all of their words occur', () => {
    const phrases = 'wake, at #, do not let me forget, erinnere';
    const hinted = new KeywordIndex([...tools, tool('own.later', { hints: { phrases } })]);
    const fits = (text: string) => [...hinted.relevance(text)].some(([{ name }]) => name === 'own.later');
    for (const text of [
      'waking up is hard',
      'lunch at 12:30',
      'at 9am',
      'Let me not forget, do!',
      'Erinnere mich',
    ])
      assert.ok(fits(text), text);
    for (const text of ['at home', 'forget it', '12 eggs']) assert.ok(!fits(text), text);
  });

  it('are none for words that none has', () => {
    assert.deepEqual(found('tell me a joke about penguins'), []);
    assert.deepEqual(found(''), []);
    assert.deepEqual(Array.from(new KeywordIndex([]).relevance('lamp')), []);
  });
});

const word = fc.constantFrom('lamp', 'tasks', 'the', 'service', 'penguin', 'room', 'schedule', '!');

it.prop([fc.array(word)])('whatever is asked, the best fits with 1, and no other better', (words) => {
  const scores = [...new KeywordIndex(tools).relevance(words.join(' ')).values()];
  assert.ok(scores.every((score) => score > 0 && score <= 1));
  assert.ok(scores.length === 0 || scores.includes(1));
});
