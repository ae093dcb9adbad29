import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { excerptOf } from '../../../../src/projections/memory/index/excerpt.ts';
import { periodOf } from '../../../../src/projections/memory/index/period.ts';
import { searchCorpus } from '../../../../src/projections/memory/index/searching.ts';
import { corpusOf, DAY, episode, found, NOON } from './documents.ts';

const trip = episode('trip', ['Anna: We drove to Bergen and hiked along the fjord.', 'Ben: Sounds lovely!']);
const cat = episode('cat', ['Ben: I bought a cat and called her Zoë.', 'Anna: How sweet.']);
const work = episode('work', ['Anna: The studies at the office were tried and cancelled.']);

describe('finding by words', () => {
  it('finds forms of a word, also those that no rule makes', () => {
    const corpus = corpusOf(trip, cat, work);
    assert.deepEqual(found(corpus, 'Who was hiking?'), ['trip']);
    assert.deepEqual(found(corpus, 'driving'), ['trip']);
    assert.deepEqual(found(corpus, 'buy'), ['cat']);
    assert.deepEqual(found(corpus, 'to study'), ['work']);
  });

  it('does not take one word for another that merely looks like a form of it', () => {
    const corpus = corpusOf(
      episode('plane', ['Anna: The plane was late again.']),
      episode('car', ['Ben: The car is old.']),
    );
    assert.deepEqual(found(corpus, 'Any plans?'), []);
    assert.deepEqual(found(corpus, 'Who takes care of it?'), []);
  });

  it('does not mind diacritics and capitals', () => {
    const corpus = corpusOf(trip, cat, episode('straße', ['Ich wohne in der STRASSE am Äquator.']));
    assert.deepEqual(found(corpus, 'ZOE'), ['cat']);
    assert.deepEqual(found(corpus, 'aquator'), ['straße']);
  });

  it('finds what is written without spaces', () => {
    const corpus = corpusOf(trip, episode('tokyo', ['来週東京に行きます。']));
    assert.deepEqual(found(corpus, '東京'), ['tokyo']);
  });

  it('finds everyday words for the same thing, after the word itself', () => {
    const corpus = corpusOf(
      episode('film', ['We saw a film by Tarkovsky there, in the rain.']),
      episode('movie', ['We saw a movie by Tarkovsky there, in the rain.']),
      trip,
    );
    assert.deepEqual(found(corpus, 'Which movie?'), ['movie', 'film']);
  });

  it('finds the beginning of the last word while it is typed, and words of the same beginning', () => {
    const corpus = corpusOf(trip, cat, episode('allergy', ['My allergies are bad this spring.']));
    assert.deepEqual(found(corpus, 'ber'), ['trip']);
    assert.deepEqual(found(corpus, 'ber?'), []);
    assert.deepEqual(found(corpus, 'What is he allergic to?'), ['allergy']);
  });

  it('takes an answer for what was asked before it, and for told by whoever tells it', () => {
    const corpus = corpusOf(
      episode('anna', ['Ben: What did you plant in the garden?', 'Anna: Only roses.']),
      episode('ben', ['Anna: What did you plant in the garden?', 'Ben: Only tulips.']),
    );
    const { episodes, passages } = searchCorpus(corpus, {
      query: 'What did Anna plant in her garden?',
      limit: 2,
      passages: 3,
      now: NOON,
    });
    assert.equal(episodes[0]?.episodeId, 'anna');
    assert.ok(passages.some(({ id }) => id === 'anna:1'));
  });

  it('knows who speaks where their names stand before the words, as in a transcript', () => {
    const named = (id: string, asking: string, telling: string) =>
      episode(id, ['What did you plant in the garden?', 'Only a few roses.']).map((turn, index) => ({
        ...turn,
        text: `${index === 0 ? asking : telling}: ${turn.text}`,
      }));
    const corpus = corpusOf(named('ben', 'Anna Lee', 'Ben'), named('anna', 'Ben', 'Anna Lee'));
    assert.deepEqual(found(corpus, 'What did Anna plant in her garden?'), ['anna', 'ben']);
    assert.deepEqual(found(corpus, "What is planted in Ben's garden?"), ['ben', 'anna']);
  });

  it('prefers the place where a phrase in quotation marks stands as it is', () => {
    const corpus = corpusOf(
      episode('apart', ['The house was green and the light was on in it, on and on.']),
      episode('together', ['He sang about a green light by the house of his uncle, so long ago.']),
    );
    assert.equal(found(corpus, '"green light" house')[0], 'together');
  });

  it('lets the time that a query names decide between equals, and hide nothing', () => {
    const march = episode('march', ['The dentist again.'], Date.UTC(2026, 2, 10));
    const may = episode('may', ['The dentist again.'], Date.UTC(2026, 4, 10));
    assert.deepEqual(found(corpusOf(may, march), 'dentist in March 2026'), ['march', 'may']);
    assert.deepEqual(found(corpusOf(march, may), 'dentist last month'), ['may', 'march']);
    assert.deepEqual(found(corpusOf(march, may), 'dentist'), ['may', 'march']);
  });

  it('counts from where memory ends, when nothing was said for long', () => {
    const [march, may] = [Date.UTC(2021, 2, 10), Date.UTC(2021, 4, 10)];
    const corpus = corpusOf(
      episode('march', ['The dentist again.'], march),
      episode('may', ['The dentist again.'], may),
    );
    assert.deepEqual(found(corpus, 'dentist in March'), ['march', 'may']);
  });

  it('prefers a turn that has what the question asks for: a day, a number, a place, a name', () => {
    const plain = episode('plain', ['We had our dinner with somebody nice there and liked it.']);
    const answers = {
      When: 'last Friday',
      'How often': 'three times',
      Where: 'in Ghent',
      Who: 'and saw Rosa',
    };
    for (const [asked, answer] of Object.entries(answers)) {
      const full = episode('full', [`We had our dinner with ${answer} there and liked it.`]);
      assert.equal(found(corpusOf(plain, full), `${asked} was our dinner?`)[0], 'full', asked);
    }
  });

  it('takes what is asked about oneself from what the user said, and about an answer from the assistant', () => {
    const said = (role: 'user' | 'assistant') =>
      episode(role, ['A run along the canal is fine in the morning.']).map((turn) => ({ ...turn, role }));
    const corpus = corpusOf(said('assistant'), said('user'));
    assert.deepEqual(found(corpus, 'Where do I run?'), ['user', 'assistant']);
    assert.deepEqual(found(corpus, 'Where did you suggest to run?'), ['assistant', 'user']);
  });

  it('puts what was said before the summary that repeats it', () => {
    const turns = episode('run', ['Anna: I ran along the canal.']);
    const summary = {
      ...turns[0],
      id: 'run',
      kind: 'episode',
      text: 'Anna: I ran along the canal.',
    } as const;
    const { episodeId = '', at = 0, importance = 0 } = turns[0] ?? {};
    const corpus = corpusOf([{ ...summary, episodeId, at, importance }, ...turns]);
    const { passages } = searchCorpus(corpus, {
      query: 'Where did Anna run?',
      limit: 1,
      passages: 2,
      now: NOON,
    });
    assert.deepEqual(
      passages.map(({ id }) => id),
      ['run:0', 'run'],
    );
  });

  it('finds what is of a kind by the name of the kind, and what goes together', () => {
    const corpus = corpusOf(
      episode('cello', ['Since spring I have been practising the cello every day.']),
      episode('tram', ['Somebody took my wallet on the tram, a pickpocket.']),
      trip,
      cat,
    );
    assert.equal(found(corpus, 'Which instrument?')[0], 'cello');
    assert.equal(found(corpus, 'Was anything stolen?')[0], 'tram');
  });

  it('finds what a dictionary brings together, after the word itself', () => {
    const told = ['He pilfered the novel.', 'Her jeans are torn.', 'It was an annoying leopard.'];
    const corpus = corpusOf(...told.map((text) => episode(text, [text])), trip);
    for (const [index, query] of ['What was stolen?', 'Which trousers?', 'A feline'].entries())
      assert.equal(found(corpus, query)[0], told[index], query);
    corpus.add(episode('itself', ['Her trousers are torn.']));
    assert.deepEqual(found(corpus, 'Which trousers?'), ['itself', told[1]]);
  });

  it('says how much of what was asked for is there', () => {
    const corpus = corpusOf(trip, cat, work);
    const score = (query: string) =>
      searchCorpus(corpus, { query, limit: 1, now: NOON }).episodes[0]?.score ?? 0;
    assert.ok(score('Who hiked in Bergen?') > 2 * score('Who hiked in Patagonia with penguins?'));
  });

  it('finds nothing for words that tell nothing, and nothing where nothing is', () => {
    assert.deepEqual(found(corpusOf(trip), 'what was it that they did?'), []);
    assert.deepEqual(found(corpusOf(trip), ''), []);
    assert.deepEqual(found(corpusOf(), 'Bergen'), []);
  });

  it('shows of a long text the sentences that answer', () => {
    const wanting =
      (...words: readonly string[]) =>
      (word: string) =>
        words.includes(word) ? { place: words.indexOf(word), worth: 1 } : undefined;
    const filler = 'Nothing of interest happened there at all, and it went on for a long time. ';
    const text = `${filler.repeat(8)}The key lies under the blue pot. ${filler.repeat(8)}`;
    const excerpt = excerptOf(text, wanting('key', 'pot'));
    assert.ok(excerpt.includes('under the blue pot') && excerpt.length <= 320);
    assert.ok(excerptOf('😀'.repeat(400), wanting('key')).isWellFormed());
  });
});

describe('the time that a query names', () => {
  const from = (query: string) => {
    const period = periodOf(query, NOON);
    return period && new Date(period.from).toISOString().slice(0, 10);
  };

  it('is a day, a month, a year, or counted from now', () => {
    assert.equal(from('on 7 May 2025'), '2025-05-07');
    assert.equal(from('on May 7th, 2025'), '2025-05-07');
    assert.equal(from('2025-05-07'), '2025-05-07');
    assert.equal(from('in August'), '2025-08-01');
    assert.equal(from('in June'), '2026-06-01');
    assert.equal(from('during 2024'), '2024-01-01');
    const ago = periodOf('two weeks ago', NOON);
    assert.ok(ago && ago.from < NOON - 14 * DAY && ago.until > NOON - 14 * DAY);
    const further = periodOf('ten days ago', NOON);
    assert.ok(further && further.from < NOON - 10 * DAY && further.until > NOON - 10 * DAY);
  });

  it('is none where words only look like it', () => {
    for (const query of ['may I march on?', 'room 2024', 'what did Ann do?', ''])
      assert.equal(from(query), undefined);
  });
});
