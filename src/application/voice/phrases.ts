/* What hark says out loud beside a reply: short, and in the language of the user. */

interface Phrases {
  /** While tools work. */
  readonly moment: string;
  /** Where there is no reply. */
  readonly sorry: string;
}

const english: Phrases = { moment: 'One moment.', sorry: 'Sorry, I cannot answer that right now.' };

const byLanguage: Readonly<Record<string, Phrases>> = {
  en: english,
  de: { moment: 'Einen Moment.', sorry: 'Das kann ich gerade leider nicht beantworten.' },
  es: { moment: 'Un momento.', sorry: 'Lo siento, ahora mismo no puedo responder.' },
  fr: { moment: 'Un instant.', sorry: 'Désolé, je ne peux pas répondre pour le moment.' },
  it: { moment: 'Un momento.', sorry: 'Mi dispiace, ora non posso rispondere.' },
  nl: { moment: 'Een moment.', sorry: 'Sorry, dat kan ik nu niet beantwoorden.' },
  pt: { moment: 'Um momento.', sorry: 'Desculpe, não posso responder agora.' },
};

export function phrasesIn(language: string | undefined): Phrases {
  return byLanguage[language?.slice(0, 2).toLowerCase() ?? 'en'] ?? english;
}
