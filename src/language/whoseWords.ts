import { candidatesOf } from './names/candidates.ts';
import { shownWords } from './ownWords.ts';
import { evidentWords } from './requests.ts';
import { stem, stemsOf } from './words.ts';

interface SaidTurn {
  readonly role: string;
  readonly text: string;
}

/** The words of a conversation, by whose they are. */
export interface WhoseWords {
  readonly own: ReadonlySet<string>;
  /** Also of what the user only shows (quotations, code, mail) or asks to be forgotten. */
  readonly others: ReadonlySet<string>;
}

const LONGEST_TEXT = 20_000;

export function whoseWords(turns: readonly SaidTurn[]): WhoseWords {
  const own = new Set<string>();
  const others = new Set<string>();
  for (const { role, text } of turns) {
    const said = text.slice(0, LONGEST_TEXT);
    const mine = role === 'user' ? evidentWords(said) : '';
    for (const word of stemsOf(mine)) own.add(word);
    for (const word of stemsOf(role === 'user' ? shownWords(said, mine) : said)) others.add(word);
  }
  return { own, others };
}

/** Words of a statement that say what it is about. */
export function tellingStemsOf(statement: string): readonly string[] {
  return stemsOf(statement).filter((word) => !framing.has(word));
}

/**
 * Whether a statement about the user can rest on what they said themselves: it holds no word that only others said,
 * no name that they did not say, and of what it tells at least one word is in the turns that it names.
 */
export function isBorneOut(statement: string, { own, others }: WhoseWords, named: WhoseWords): boolean {
  const telling = tellingStemsOf(statement);
  const names = candidatesOf(statement).flatMap(({ name, isFirst }) => (isFirst ? [] : stemsOf(name)));
  return (
    telling.some((word) => named.own.has(word)) &&
    telling.every((word) => own.has(word) || !others.has(word)) &&
    names.every((word) => own.has(word) || framing.has(word))
  );
}

/**
 * Words that say how somebody stands to something and nothing without it, in the languages that are spoken most: who
 * concludes has to use them, whoever else did.
 */
const framing: ReadonlySet<string> = new Set(
  `user users person people someone name names named call called calls live lives lived living reside resides work
  works worked working like likes liked love loves loved prefer prefers preferred enjoy enjoys enjoyed dislike dislikes
  hate hates want wants wanted plan plans planned planning need needs intend intends hope hopes wish wishes own owns
  owned keep keeps kept use uses used know knows speak speaks learn learns study studies go goes going went move moved
  moves come comes start started stop stopped become became take takes make makes made say says said state stated
  mention mentioned currently recently now usually often always sometimes never anymore longer also very really still
  new old other another favorite favourite interested since until during before after between regularly
  der die das den dem des ein eine einen einem einer und oder nicht kein keine mit von zu im am ist sind war hat haben
  wird er sie es ihr ihre sein seine dass ich mir mich mein meine meinen wir uns
  mag nutzer nutzerin benutzer user für auf bei aus nach seit sich auch
  le la les un une des du et ou ne pas de en est sont a ont il elle son sa ses que je j mon ma mes nous pour avec dans
  sur utilisateur utilisatrice el los las una y o no es son tiene su sus yo mi mis para con en usuario usuaria il lo
  gli uno e non è sono ha suo
  sua utente per het een en niet is zijn heeft gebruiker met van voor op`
    .split(/\s+/)
    .map(stem),
);
