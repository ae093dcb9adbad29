import { Random } from '../../test/support/random.ts';
import { chatter, facts } from './conversationFacts.ts';
import { asked, talks } from './letters.ts';
import { besides, remarks, requests } from './requests.ts';
import { threads } from './threadFacts.ts';

export interface Turn {
  readonly id: string;
  readonly speaker?: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
}
export interface Session {
  readonly id: string;
  readonly startedAt: number;
  readonly turns: readonly Turn[];
}
export interface Question {
  readonly text: string;
  /** Whether it has some of the words of what was told. */
  readonly shares: boolean;
  readonly session: string;
  readonly turn: string;
}
export interface Conversation {
  readonly sessions: readonly Session[];
  readonly questions: readonly Question[];
}

const DAY = 86_400_000;
const SESSIONS = 32;
const FACTS_A_SESSION = 2;
const pairs = [
  ['Nadia', 'Tom'],
  ['Jorge', 'Priya'],
  ['Hannah', 'Felix'],
  ['Oksana', 'Ben'],
] as const;
const choices: Readonly<Record<string, readonly string[]>> = {
  city: 'Bergen,Porto,Leeds,Kyoto,Denver,Ghent,Split,Halifax,Cork,Graz,Tampere,Quebec,Bristol,Lyon,Oslo,Savannah'.split(
    ',',
  ),
  name: 'Rosa,Emil,Yusuf,Clara,Marek,Ingrid,Dev,Salma,Otto,Lucia,Pavel,Aisha,Greta,Hugo,Mina,Theo,Irene,Karl'.split(
    ',',
  ),
  pet: 'Biscuit,Pepper,Mochi,Ziggy,Waffles,Shadow,Luna,Rocket'.split(','),
  month: 'January,February,March,April,June,July,August,September,October,November,December'.split(','),
  n: '3,4,6,7,8,9,12,14,16,18,19,21,24,26,28'.split(','),
};

/** Two who talk every week or so, for half a year and more; and questions about what one of them told. */
export function conversations(seed = 1): readonly Conversation[] {
  return pairs.map((pair, index) => conversation(pair, new Random(seed + 100 * index)));
}

/** The same of one who tells it all to an assistant, who answers at length; nobody has a name. */
export function assisted(seed = 1): readonly Conversation[] {
  return pairs.map((_, index) => conversation(undefined, new Random(seed + 100 * index)));
}

/** Two who come back to the same things for half a year, and talk of much else beside. */
export function threaded(seed = 1): readonly Conversation[] {
  return pairs.map((pair, index) => backAndForth(pair, new Random(seed + 100 * index)));
}

/** Two who write to each other of what becomes of them, among much that they tell besides. */
export function written(seed = 5): readonly Conversation[] {
  const [besides] = conversations(seed);
  const names = new Map(['Nadia', 'Tom'].map((name, place) => [name, ['Maya', 'Theo'][place] ?? '']));
  const renamed = (text: string) => text.replace(/\b(?:Nadia|Tom)\b/g, (name) => names.get(name) ?? name);
  const sessions = talks.map((talk, place): Session => {
    const more = (besides?.sessions.slice(2 * place, 2 * place + 2) ?? []).flatMap(({ turns }) =>
      turns.map(({ speaker = '', text }) => [renamed(speaker), renamed(text)] as const),
    );
    const turns = [...more.slice(0, 8), ...talk, ...more.slice(8)].map(([speaker, text], index): Turn => {
      return { id: `s${place}:${index}`, speaker, role: speaker === 'Maya' ? 'user' : 'assistant', text };
    });
    return { id: `s${place}`, startedAt: Date.UTC(2025, 0, 5) + place * 7 * DAY, turns };
  });
  const questions = asked.map(([text, place, words]): Question => {
    const told = sessions[place]?.turns.find((turn) => turn.text.includes(words));
    if (!told) throw new Error(`Nothing answers: ${text}`);
    return { text, shares: true, session: `s${place}`, turn: told.id };
  });
  return [{ sessions, questions }];
}

/** One who asks an assistant for this and that, and says something of themselves in passing. */
export function requested(seed = 1): readonly Conversation[] {
  return pairs.map((_, index) => askedFor(new Random(seed + 100 * index)));
}

function askedFor(random: Random): Conversation {
  const questions: Question[] = [];
  const sessions = shuffled(requests, random).map(
    ([told = '', answer = '', question = '', otherwise = ''], place): Session => {
      const id = `s${place}`;
      const turns: Turn[] = [];
      const say = (role: Turn['role'], text: string) =>
        turns.push({ id: `${id}:${turns.length}`, role, text });
      const exchange = (asked: string, answered: string) => {
        say('user', asked);
        const more = Array.from({ length: random.whole(5, 12) }, () => pick(remarks, random));
        say('assistant', [answered, ...more].join(' '));
      };
      const before = random.whole(0, 3);
      for (let left = before; left > 0; left--) exchange(pick(besides, random), '');
      exchange(told, answer);
      const evidence = { session: id, turn: `${id}:${2 * before}` };
      questions.push(
        { text: question, shares: true, ...evidence },
        { text: otherwise, shares: false, ...evidence },
      );
      for (let left = random.whole(1, 3); left > 0; left--) exchange(pick(besides, random), '');
      return { id, startedAt: Date.UTC(2025, 0, 5) + place * 3 * DAY, turns };
    },
  );
  return { sessions, questions };
}

function backAndForth(pair: readonly [string, string], random: Random): Conversation {
  const byThread = shuffled(threads, random).map((thread, place) =>
    thread.map((fact) => ({ fact, by: place % 2 })),
  );
  const inTurn = [0, 1, 2, 3].flatMap((round) => byThread.flatMap((thread) => thread[round] ?? []));
  const beside = shuffled(facts, random).map(({ 0: lead, 1: told }) => ({
    fact: [lead, told],
    by: random.whole(0, 2),
  }));
  const sessions: Session[] = [];
  const questions: Question[] = [];
  for (let from = 0; from < inTurn.length; from += FACTS_A_SESSION) {
    const id = `s${sessions.length}`;
    const turns: Turn[] = [];
    const say = (by: number, text: string) => {
      const speaker = pair[by] ?? '';
      const said = text.replaceAll('{other}', pair[1 - by] ?? '').replaceAll('{who}', pair[1 - by] ?? '');
      turns.push({ id: `${id}:${turns.length}`, speaker, role: by === 0 ? 'user' : 'assistant', text: said });
    };
    const chat = (count: number) => {
      for (let left = count; left > 0; left--) say(turns.length % 2, pick(chatter, random));
    };
    chat(2);
    const subjects = inTurn.slice(from, from + FACTS_A_SESSION).flatMap((one, index) => {
      const other = beside[from + index];
      return other ? [one, other] : [one];
    });
    for (const { fact, by } of shuffled(subjects, random)) {
      const [lead = '', told = '', reply, question, otherwise] = filled(fact, pair[by], random);
      say(1 - by, lead);
      say(by, told);
      const evidence = { session: id, turn: turns.at(-1)?.id ?? '' };
      if (reply) say(1 - by, reply);
      if (question) questions.push({ text: question, shares: true, ...evidence });
      if (otherwise) questions.push({ text: otherwise, shares: false, ...evidence });
      chat(random.whole(1, 4));
    }
    sessions.push({ id, startedAt: Date.UTC(2025, 0, 5) + sessions.length * 7 * DAY, turns });
  }
  return { sessions, questions };
}

function conversation(pair: readonly [string, string] | undefined, random: Random): Conversation {
  const first = shuffled(facts, random).map((fact) => ({ fact, by: pair ? random.whole(0, 2) : 0 }));
  // Some are told by both, so that it also matters who did.
  const told = [...first, ...first.map(({ fact, by }) => ({ fact, by: pair ? 1 - by : 0 }))];
  const sessions: Session[] = [];
  const questions: Question[] = [];
  for (let number = 0; number < SESSIONS; number++) {
    const id = `s${number}`;
    const turns: Turn[] = [];
    const say = (by: number, text: string) => {
      const other = pair?.[1 - by] ?? 'you';
      const speaker = pair?.[by];
      const isLong = !pair && by === 1;
      turns.push({
        id: `${id}:${turns.length}`,
        ...(speaker !== undefined && { speaker }),
        role: by === 0 ? 'user' : 'assistant',
        text: (isLong ? atLength(text, random) : text).replaceAll('{other}', other),
      });
    };
    const chat = (count: number) => {
      for (let left = count; left > 0; left--) say(turns.length % 2, pick(chatter, random));
    };
    chat(2);
    for (const { fact, by } of told.slice(FACTS_A_SESSION * number, FACTS_A_SESSION * (number + 1))) {
      const [lead = '', statement = '', otherwise = '', question = ''] = filled(fact, pair?.[by], random);
      say(1 - by, lead);
      say(by, statement);
      const evidence = { session: id, turn: turns.at(-1)?.id ?? '' };
      questions.push(
        { text: question, shares: true, ...evidence },
        { text: otherwise, shares: false, ...evidence },
      );
      chat(random.whole(2, 5));
    }
    sessions.push({ id, startedAt: Date.UTC(2025, 0, 5) + number * 7 * DAY, turns });
  }
  return { sessions, questions };
}

function filled(fact: readonly string[], who: string | undefined, random: Random): readonly string[] {
  const values = Object.entries(choices).map(
    ([slot, options]) => [`{${slot}}`, pick(options, random)] as const,
  );
  const fill = (text: string) =>
    [
      ...values,
      ["{who}'s", who === undefined ? 'my' : `${who}'s`] as const,
      ['{who}', who ?? 'I'] as const,
    ].reduce((left, [slot, value]) => left.replaceAll(slot, value), text);
  return fact.map(fill);
}

function atLength(text: string, random: Random): string {
  return [text, ...Array.from({ length: random.whole(6, 16) }, () => pick(chatter, random))].join(' ');
}

function pick(options: readonly string[], random: Random): string {
  return options[random.whole(0, options.length)] ?? '';
}

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
