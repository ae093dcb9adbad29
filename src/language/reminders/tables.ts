import { piece } from '../../regExp.ts';
import { asks } from '../requests/row.ts';
import type { ReminderTable } from './row.ts';

const english = asks(piece`
  please|pls|also|and|but|so|then|now|ok|okay|oh|hey|hi|hello|hark|well|just|kindly|could you|can you|would you|will you
  |i want you to|i need you to|i(?: would|'d) like you to|you (?:can|could|should|must)`);
const german = asks(piece`
  bitte|und|aber|also|dann|ok|okay|hey|hallo|hark|ach|kannst du|könntest du|würdest du|du sollst`);
const french = asks(
  piece`s'il te pla[iî]t|stp|et|alors|ok|hé|salut|bonjour|hark|peux-tu|tu peux|pourrais-tu`,
);
const spanish = asks(piece`por favor|y|oye|ok|hola|hark|puedes|podrías|me puedes`);

/** The codes are those in which times are read. */
export const reminderTables: Readonly<Record<string, ReminderTable>> = {
  en: {
    rows: [
      {
        kind: 'remind',
        pattern: english`remind me,? (?<rest>\S.*)`,
        examples: [
          ['Remind me to call mum in 20 minutes.', 'in 20 minutes', 'call mum'],
          ['Can you remind me tomorrow at 9 to water the plants?', 'tomorrow at 9', 'water the plants'],
          ['remind me about the dentist next friday at noon', 'next friday at noon', 'the dentist'],
          ['Please remind me every weekday at 7 to stretch!', 'every weekday at 7', 'stretch'],
          ['Remind me in 2 hours to check the oven, please.', 'in 2 hours', 'check the oven'],
          ['Remind me that the oven is on in 10 minutes', 'in 10 minutes', 'the oven is on'],
          ['Remind me to call mum.', '', 'call mum'],
        ],
        counterExamples: [
          'Remind me what my dog is called.',
          'You remind me of my sister.',
          'Did you remind me to call mum?',
          'She said: "Remind me to call mum at 9."',
        ],
      },
      {
        kind: 'timer',
        pattern: english`(?:set|start|make|give me|put on) (?:me )?(?:an? |the )?(?:(?:kitchen|egg) )?timer (?<rest>\S.*)`,
        examples: [
          ['Set a timer for 10 minutes.', '10 minutes', ''],
          ['start a timer for 10 minutes for the pasta', '10 minutes', 'the pasta'],
        ],
        counterExamples: ['Set the table for four.', 'The timer is set for 10 minutes.'],
      },
      {
        kind: 'alarm',
        pattern: english`(?:(?<wakes>wake me(?: up)?)|(?:set|make) (?:me )?(?:an? |the |my )?alarm(?: clock)?) (?<rest>\S.*)`,
        examples: [
          ['Wake me up at 7am tomorrow.', 'at 7am tomorrow', ''],
          ['set an alarm for 6:30 am', '6:30 am', ''],
        ],
        counterExamples: ['The dog woke me up at 7am.'],
      },
    ],
    between: /^(?:to|that|about|of|for|called|named|[:,–—-])(?: |$)/i,
    notOfTime: /^on (?:in|at)\b|\b(?:for|the|to|that|of|about|and|an?|my)$/i,
    question: /^(?:what|who|whom|whose|when|where|why|how|which|if|whether|again)\b/i,
    said: { timer: 'Your time is up.', alarm: 'This is your alarm.' },
  },
  de: {
    rows: [
      {
        kind: 'remind',
        pattern: german`(?:erinnere?|erinnern) mich(?: bitte)?,? (?<rest>\S.*)`,
        examples: [
          ['Erinnere mich in 20 Minuten an die Wäsche.', 'in 20 Minuten', 'die Wäsche'],
          ['Erinner mich bitte morgen um 9 daran, Mama anzurufen', 'morgen um 9', 'Mama anzurufen'],
          ['Erinnere mich daran, morgen um 9 Mama anzurufen.', 'morgen um 9', 'Mama anzurufen'],
        ],
        counterExamples: ['Erinnere mich daran, wie mein Hund heißt.', 'Das erinnert mich an früher.'],
      },
      {
        kind: 'timer',
        pattern: german`
          (?:stelle?|setze?|starte?|mache?)(?: mir)?(?: bitte)? (?:einen |den )?(?:timer|kurzzeitwecker)(?: auf| für| von)?
          (?: )(?<rest>\S.*)`,
        examples: [['Stell einen Timer auf 10 Minuten', '10 Minuten', '']],
        counterExamples: ['Stell den Tisch in die Ecke.'],
      },
      {
        kind: 'alarm',
        pattern: german`
          (?:(?<wakes>wecke? mich)(?: bitte)?|(?:stelle?|setze?)(?: mir)?(?: bitte)? (?:einen |den )?wecker(?: auf| für)?)
          (?: )(?<rest>\S.*)`,
        examples: [
          ['Weck mich morgen um 7.', 'morgen um 7', ''],
          ['Stell den Wecker auf 6:30 Uhr', '6:30 Uhr', ''],
        ],
        counterExamples: ['Der Hund weckt mich um 7.'],
      },
    ],
    between: /^(?:daran|an|dass|[:,–—-])(?:,? |$)/i,
    notOfTime: /\b(?:an|die|der|das|den|dem|daran|dass|und|zu|für|mein\w*|eine?\w?)$/i,
    question: /^(?:was|wer|wen|wem|wessen|wann|wo|warum|wieso|wie|welche[rsnm]?|ob)\b/i,
    said: { timer: 'Die Zeit ist um.', alarm: 'Das ist dein Wecker.' },
  },
  fr: {
    rows: [
      {
        kind: 'remind',
        pattern: french`(?:rappelle[- ]moi|me rappeler),? (?<rest>\S.*)`,
        examples: [
          ["Rappelle-moi d'appeler maman dans 20 minutes.", 'dans 20 minutes', 'appeler maman'],
          ['Rappelle-moi demain à 9h de sortir le chien', 'demain à 9h', 'sortir le chien'],
        ],
        counterExamples: ["Rappelle-moi comment s'appelle mon chien.", "Je me rappelle d'elle."],
      },
      {
        kind: 'timer',
        pattern: french`(?:mets|règle|lance|démarre)(?:[- ]moi)? (?:une? |le |la )?(?:minuteur|minuterie) (?<rest>\S.*)`,
        examples: [['Mets un minuteur de 10 minutes.', '10 minutes', '']],
        counterExamples: ['Mets la table pour quatre.'],
      },
      {
        kind: 'alarm',
        pattern: french`(?:(?<wakes>réveille[- ]moi)|(?:mets|règle)(?:[- ]moi)? (?:une? |le |mon )?(?:réveil|alarme)) (?<rest>\S.*)`,
        examples: [['Réveille-moi demain à 7h.', 'demain à 7h', '']],
        counterExamples: ['Le chien me réveille à 7h.'],
      },
    ],
    between: /^(?:(?:de|que|pour|des|du|[:,–—-])(?: |$)|d'|qu')/i,
    notOfTime: /\b(?:de|la|les?|des|du|que|pour|et|une?|mon|ma|mes)$/i,
    question: /^(?:ce qu|qui|que est|quoi|quand|où|pourquoi|comment|quel(?:le)?s?|si)\b/i,
    said: { timer: 'Le temps est écoulé.', alarm: "C'est ton réveil." },
  },
  es: {
    rows: [
      {
        kind: 'remind',
        pattern: spanish`(?:recu[eé]rdame|recordarme),? (?<rest>\S.*)`,
        examples: [
          ['Recuérdame llamar a mamá en 20 minutos.', 'en 20 minutos', 'llamar a mamá'],
          ['Recuérdame mañana a las 9 que riegue las plantas', 'mañana a las 9', 'riegue las plantas'],
        ],
        counterExamples: ['Recuérdame cómo se llama mi perro.', 'Me recuerda a mi hermana.'],
      },
      {
        kind: 'timer',
        pattern: spanish`(?:pon(?:me)?|programa|inicia) (?:un |el )?temporizador (?<rest>\S.*)`,
        examples: [['Pon un temporizador de 10 minutos.', '10 minutos', '']],
        counterExamples: ['Pon la mesa para cuatro.'],
      },
      {
        kind: 'alarm',
        pattern: spanish`(?:(?<wakes>despiértame)|(?:pon(?:me)?|programa) (?:una |la |el )?(?:alarma|despertador)) (?<rest>\S.*)`,
        examples: [['Despiértame mañana a las 7.', 'mañana a las 7', '']],
        counterExamples: ['El perro me despierta a las 7.'],
      },
    ],
    between: /^(?:de|que|para|sobre|[:,–—-])(?: |$)/i,
    notOfTime: /\b(?:de|la|el|los|las|que|para|y|una?|mis?|sobre)$/i,
    question: /^(?:qué|quién|cuándo|dónde|por qué|cómo|cuál(?:es)?|si)(?: |$)/i,
    said: { timer: 'Se acabó el tiempo.', alarm: 'Es tu alarma.' },
  },
};
