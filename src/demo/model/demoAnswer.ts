import { field } from './loose.ts';

const LINE = /^(\d+)\. (?:\(\d{4}-\d\d-\d\d\) )?(.*)$/gm;
const WORD = /\p{L}{3,}/gu;
const COMMON = new Set(
  'what when where which who why how the is are was were does did you your name'.split(' '),
);

/** Whether this is how memory is asked about its user. */
export function asksOfMemory(schema: unknown): boolean {
  const properties = field(schema, 'properties');
  return ['known', 'answer', 'lines'].every((name) => field(properties, name) !== undefined);
}

/** Of the numbered lines the one that shares the most words with the question; none when it shares none. */
export function answerOfMemory(text: string, notice: string) {
  const [lines = '', question = ''] = text.split('\n\nQuestion: ');
  const asked = wordsOf(question);
  const scored = Array.from(lines.matchAll(LINE), ([, number, line = '']) => ({
    number: Number(number),
    line,
    shared: [...wordsOf(line)].filter((word) => asked.has(word)).length,
  }));
  const [best] = scored.sort((one, other) => other.shared - one.shared);
  if (!best || best.shared === 0)
    return { reasoning: notice, known: false, answer: notice, confidence: 0, lines: [] };
  const answer = `${best.line} ${notice}`;
  return { reasoning: notice, known: true, answer, confidence: 0.5, lines: [best.number] };
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(WORD) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}
