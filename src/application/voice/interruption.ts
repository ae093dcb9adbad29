/*
 * What words mean that are heard while hark thinks or speaks. Nobody needs a list of all that may interrupt: only of
 * what does not.
 */

/** What a listener says to be told more, in the languages that hark reads. */
const SIGNS: ReadonlySet<string> = new Set(
  [
    'mhm mm mmm hm hmm hum uh um huh uhuh aha ah oh yeah yes yep yup ok okay right sure really wow nice cool see i',
    'ja jaja genau stimmt klar ach so achso gut doch eben äh ähm aso',
    'oui ouais voilà bon bien sûr entendu exact euh',
    'sí si vale ajá claro ya bueno eso eh',
    'sì già certo esatto bene ecco',
    'oké precies juist inderdaad nou',
    'sim tá pois claro certo isso',
  ].flatMap((line) => line.split(' ')),
);
/** Whatever hark is saying itself. */
const COMMANDS: ReadonlySet<string> = new Set(
  [
    'stop wait no cancel quiet silence enough hark',
    'stopp halt warte nein ruhe genug',
    'arrête attends non',
    'para espera alto basta',
    'ferma aspetta fermo',
    'wacht nee',
    'pare pára não',
  ].flatMap((line) => line.split(' ')),
);
/** Fewer words than these are in much that is said. */
const LEAST_ECHO = 3;
const ECHO_SHARE = 0.7;

export type SpeechMeaning =
  /** Nothing was understood yet, or too little to say. */
  | 'unknown'
  /** Somebody listens. */
  | 'listening'
  /** It is what hark says itself. */
  | 'echo'
  | 'turn';

/** `said` is what hark says at the moment; nothing is an echo where it is silent. */
export function meaningOf(text: string, said: string, isSpeaking: boolean): SpeechMeaning {
  const words = wordsOf(text);
  if (words.length === 0) return 'unknown';
  const own = isSpeaking ? wordsOf(said) : [];
  if (words.length >= LEAST_ECHO && inOrder(words, own) >= ECHO_SHARE * words.length) return 'echo';
  if (words.some((word) => COMMANDS.has(word))) return 'turn';
  if (words.every((word) => SIGNS.has(word))) return 'listening';
  return words.length < LEAST_ECHO && words.every((word) => own.includes(word)) ? 'unknown' : 'turn';
}

/** Whether what was recognised in the end is nothing but what hark said. */
export function isEcho(text: string, said: string): boolean {
  return meaningOf(text, said, true) === 'echo';
}

/** How many of the words come in this order in the others, near each other: the most that fits one stretch. */
function inOrder(words: readonly string[], others: readonly string[]): number {
  let best = 0;
  const most = words.length * 2;
  for (let from = 0; from < others.length; from++) {
    if (!words.includes(others[from] ?? '')) continue;
    let at = from;
    let found = 0;
    for (const word of words) {
      const place = others.indexOf(word, at);
      if (place < 0 || place >= from + most) continue;
      found++;
      at = place + 1;
    }
    best = Math.max(best, found);
  }
  return best;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  );
}
