import { isNamed } from '../drafts/person.ts';
import { one, study } from '../drafts/work.ts';
import { type Rule, says } from '../rule.ts';
import { isPronounLike } from '../wording.ts';

/** What the user studies, and where. */
export const studyRules: readonly Rule[] = [
  {
    pattern: says`
      {I}{a}(?:study|am studying|am majoring in|major in|have been studying|am doing (?:an? |my )?
      (?:master(?: 's|s)?|phd|degree|bachelor(?: 's|s)?|doctorate|ba|bsc|msc|ma)(?: degree)? in
      |am getting (?:an? |my )?[a-z']+(?: 's)?(?: degree)? in|am (?:an? )?(?:[a-z-]+ )?
      (?:student|undergrad|undergraduate|freshman|sophomore) (?:of|in)) (?!for\b|hard|a lot|every|at\b|with
      |the\b|my\b|your\b|this|how|it\b)(?<aim>to (?:become|be) (?:an? )?)?(?<subject>[^,;:.!?()]+?)
      (?: at (?<place>[^,;:.!?()]+?))?{end}`,
    yields: ({ subject = '', place, aim }) =>
      isPronounLike(subject)
        ? undefined
        : aim
          ? one('study.subject', subject, `The user studies to become a ${subject}.`)
          : study(subject, place),
    examples: [
      ['im studying to become a vet', 'study.subject: The user studies to become a vet.'],
      [
        'I study physics at ETH Zurich.',
        'study.subject: The user studies physics.',
        'study.place: The user studies or studied at ETH Zurich.',
      ],
      ['I study linguistics in Leiden.', 'study.subject: The user studies linguistics in Leiden.'],
    ],
    counterExamples: ['I study hard.', 'I study every evening.', "I'm studying for the exam."],
  },
  {
    pattern: says`
      {I}{a}(?:study|am studying|am (?:an? )?(?:[a-z-]+ )?student|go to (?:college|university|school|uni)
      |went to (?:college|university|school|uni)|graduated|am enrolled
      |got my (?:degree|phd|bachelor(?: 's|s)?|master(?: 's|s)?))
      (?: in (?<subject>[^,;:.!?()]+?))? (?:at|from) (?<place>[^,;:.!?()]+?)(?= in \d| with |{end})`,
    yields: ({ place = '', subject }) =>
      isNamed(place) || /universit|college|school/.test(place) ? study(subject, place) : undefined,
    examples: [
      ['I graduated from Trinity College.', 'study.place: The user studies or studied at Trinity College.'],
      [
        'I graduated from Leiden University.',
        'study.place: The user studies or studied at Leiden University.',
      ],
    ],
    counterExamples: ['I graduated from high hopes.', 'I graduated with honours.'],
  },
  {
    pattern: says`
      i am {a}(?:an? )?(?<kind>[a-z-]* ?[a-z-]*student|undergrad|undergraduate|freshman|sophomore)
      (?=$| [,.;!]| and| so| but| who)`,
    yields: ({ kind = '' }) => one('work.status', kind, `The user is a ${kind}.`),
    examples: [
      ["I'm a student.", 'work.status: The user is a student.'],
      ["I'm a medical student and broke.", 'work.status: The user is a medical student.'],
      ["I'm a sophomore.", 'work.status: The user is a sophomore.'],
    ],
    counterExamples: ["I'm a student driver.", "I'm a teacher of students."],
  },
];
