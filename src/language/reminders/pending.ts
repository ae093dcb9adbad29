import { piece } from '../../regExp.ts';
import { ownWords } from '../ownWords.ts';
import { asks } from '../requests/row.ts';
import { sentencesOf } from '../sentences.ts';
import { ownUntil } from '../statements/fiction.ts';
import { reminderTables } from './tables.ts';

/* What somebody asks about reminders that are set: which there are, and to cancel one. */

export interface PendingRequest {
  /** The code of that in which it is asked. */
  readonly language: string;
  readonly as: 'list' | 'cancel';
  /** Undefined for any. */
  readonly kind: 'timer' | 'alarm' | undefined;
  /** All of them, rather than the one that is meant. */
  readonly all: boolean;
  /** What the reminder is about; nothing where that is not said. */
  readonly what: string;
}

interface PendingRow {
  readonly as: PendingRequest['as'];
  /** Over a sentence, with the groups `timer`, `alarm`, `all` and `what` where they are said. */
  readonly pattern: RegExp;
  /** What somebody says, and what of it is found. What stands here is a test of it. */
  readonly examples: readonly (readonly [
    said: string,
    kind: PendingRequest['kind'],
    all: boolean,
    what: string,
  ])[];
  readonly counterExamples: readonly string[];
}

const LEAD = {
  en: 'please|pls|and|but|so|ok|okay|hey|hi|hello|hark|now|could you|can you|would you|you can',
  de: 'bitte|und|aber|also|ok|okay|hey|hallo|hark|kannst du|könntest du|du kannst',
  fr: "s'il te pla[iî]t|stp|et|alors|ok|hé|salut|bonjour|hark|peux-tu|tu peux|pourrais-tu",
  es: 'por favor|y|oye|ok|hola|hark|puedes|podrías',
};
const english = asks(LEAD.en);
const german = asks(LEAD.de);
const french = asks(LEAD.fr);
const spanish = asks(LEAD.es);

const ENGLISH_ONE = piece`(?:reminders?|(?<timer>timers?)|(?<alarm>alarms?(?: clocks?)?)|wake-?up calls?)`;
const GERMAN_ONE = piece`(?:erinnerung(?:en)?|(?<timer>timer|kurzzeitwecker)|(?<alarm>wecker))`;
const FRENCH_ONE = piece`(?:rappels?|(?<timer>minuteurs?|minuteries?)|(?<alarm>réveils?|alarmes?))`;
const SPANISH_ONE = piece`(?:recordatorios?|(?<timer>temporizador(?:es)?)|(?<alarm>alarmas?|despertador(?:es)?))`;

export const pendingRows: Readonly<Record<string, readonly PendingRow[]>> = {
  en: [
    {
      as: 'list',
      pattern: english`
        (?:(?:what|which)(?:'s| are| is)?|list|show(?: me)?|tell me|read(?: me)?|do i have|are there|have i(?: got)?)
        (?: all)?(?: of)?(?: my| the| any)?(?: active| pending| open)? ${ENGLISH_ONE}
        (?: do i have| have i(?: got| set)?| are (?:there|set|waiting|active|pending)| set| i have)?[?.!]*$`,
      examples: [
        ['What reminders do I have?', undefined, false, ''],
        ['Show me my timers.', 'timer', false, ''],
        ['do i have any alarms set?', 'alarm', false, ''],
      ],
      counterExamples: ['What reminders did she set for the party?', 'Show me the table.'],
    },
    {
      as: 'cancel',
      pattern: english`
        (?:cancel|stop|delete|remove|clear|turn off|switch off|call off)(?<all> all)?(?: of)?(?: my| the| that| this)?
        (?: ${ENGLISH_ONE})(?: (?:to|for|about|of|that|called|named) (?<what>[^.!?]+))?[?.!]*$`,
      examples: [
        ['Cancel the timer.', 'timer', false, ''],
        ['please cancel all my reminders!', undefined, true, ''],
        ['Delete the reminder to call mum.', undefined, false, 'call mum'],
      ],
      counterExamples: ['Cancel my subscription to the paper.', 'I want to stop smoking.'],
    },
  ],
  de: [
    {
      as: 'list',
      pattern: german`
        (?:welche|was für|zeig(?:e)?(?: mir)?|nenn(?:e)?(?: mir)?|habe ich|hab ich|gibt es|laufen|läuft)(?: bitte)?(?: alle)?
        (?: meine| die| noch)?(?: eine?n?)? ${GERMAN_ONE}(?: habe ich| hab ich| sind gestellt| gibt es| laufen)?[?.!]*$`,
      examples: [
        ['Welche Erinnerungen habe ich?', undefined, false, ''],
        ['Zeig mir meine Timer', 'timer', false, ''],
      ],
      counterExamples: ['Welche Erinnerungen hast du an Paris?'],
    },
    {
      as: 'cancel',
      pattern: german`
        (?:lösch(?:e)?|stopp(?:e)?|beende|entferne|streich(?:e)?|brich)(?: bitte)?(?<all> alle)?(?: meine?n?| den| die)?
        (?: ${GERMAN_ONE})(?: (?:an|für)(?: den| die| das| dem)? (?<what>[^.!?]+?))?(?: ab)?[?.!]*$`,
      examples: [
        ['Stopp den Timer!', 'timer', false, ''],
        ['Lösche alle meine Erinnerungen.', undefined, true, ''],
        ['Lösche bitte die Erinnerung an die Wäsche.', undefined, false, 'Wäsche'],
      ],
      counterExamples: ['Lösche das Licht.'],
    },
  ],
  fr: [
    {
      as: 'list',
      pattern: french`
        (?:quels?|quelles?|montre(?:-moi)?|donne(?:-moi)?|est-ce que j'ai|ai-je)(?: sont)?(?: tous| toutes)?(?: mes| les| des)?
        (?: ${FRENCH_ONE})(?: ai-je| est-ce que j'ai| j'ai)? ?[?.!]*$`,
      examples: [['Quels rappels ai-je ?', undefined, false, '']],
      counterExamples: ['Quels souvenirs as-tu de Paris ?'],
    },
    {
      as: 'cancel',
      pattern: french`
        (?:annule|arrête|supprime|efface)(?<all> tous| toutes)?(?: mes| mon| ma| les| le| la)?
        (?: ${FRENCH_ONE}| l'(?<alarmToo>alarme))(?: (?:de |d'|pour )(?<what>[^.!?]+))? ?[?.!]*$`,
      examples: [
        ['Arrête le minuteur.', 'timer', false, ''],
        ["Annule le rappel d'appeler maman.", undefined, false, 'appeler maman'],
      ],
      counterExamples: ["Annule mon abonnement au journal s'il te plaît."],
    },
  ],
  es: [
    {
      as: 'list',
      pattern: spanish`
        ¿?(?:qué|cuáles|muéstrame|dime|tengo|hay)(?: son)?(?: todos| todas)?(?: mis| los| las| algún| alguna)?
        (?: ${SPANISH_ONE})(?: tengo| hay)?[?.!]*$`,
      examples: [['¿Qué recordatorios tengo?', undefined, false, '']],
      counterExamples: ['¿Qué recuerdos tienes de París?'],
    },
    {
      as: 'cancel',
      pattern: spanish`
        (?:cancela|para|borra|quita|elimina|detén)(?<all> todos| todas)?(?: mis| mi| los| las| el| la)?
        (?: ${SPANISH_ONE})(?: (?:de|para|sobre) (?<what>[^.!?]+))?[?.!]*$`,
      examples: [
        ['Cancela el temporizador.', 'timer', false, ''],
        ['Borra el recordatorio de llamar a mamá.', undefined, false, 'llamar a mamá'],
      ],
      counterExamples: ['Cancela mi suscripción.'],
    },
  ],
};

const LONGEST_TEXT = 2_000;
const LONGEST_SENTENCE = 200;

/** The first such request of a text, in its writer's own words; undefined where there is none. */
export function pendingRequestIn(text: string): PendingRequest | undefined {
  const shortened = text.slice(0, LONGEST_TEXT);
  const own = ownWords(shortened).slice(0, ownUntil(shortened)).replaceAll('’', "'");
  for (const { text: sentence } of sentencesOf(own)) {
    const found = sentence.length <= LONGEST_SENTENCE ? inSentence(sentence) : undefined;
    if (found) return found;
  }
  return undefined;
}

function inSentence(sentence: string): PendingRequest | undefined {
  for (const [language, rows] of Object.entries(pendingRows))
    for (const { as, pattern } of rows) {
      const groups = pattern.exec(sentence)?.groups;
      if (!groups) continue;
      const { timer, alarm, alarmToo, all, what = '' } = groups;
      const kind = timer !== undefined ? 'timer' : (alarm ?? alarmToo) !== undefined ? 'alarm' : undefined;
      return { language, as, kind, all: all !== undefined, what: what.trim() };
    }
  return undefined;
}

/** Whether what is said at its time makes a task a timer or an alarm, in whatever language it was set. */
export function isOfKind(said: string, kind: 'timer' | 'alarm'): boolean {
  return Object.values(reminderTables).some((table) => said.startsWith(table.said[kind]));
}
