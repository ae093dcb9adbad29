import { introduced, isNamed } from '../drafts/person.ts';
import { asRole, employer, fromPlace, leftWork, one, study } from '../drafts/work.ts';
import { type Rule, says } from '../rule.ts';
import { isJob } from '../vocabulary.ts';
import { isPronounLike } from '../wording.ts';

/** What the user does for a living. */
export const workRules: readonly Rule[] = [
  {
    pattern: says`{I}{a}(?:earn|make) (?:my|a|our) living as (?:an? )?(?<role>[^,;:.!?()]+?){end}`,
    yields: ({ role = '' }) => asRole(role, undefined),
    examples: [
      ['I earn my living as a piano tuner.', 'work.role: The user works as a piano tuner.'],
      ['I make a living as a translator.', 'work.role: The user works as a translator.'],
    ],
    counterExamples: ['I make a living somehow.', 'I make a living room.'],
  },
  {
    pattern: says`
      {I}{a}(?:lead|manage|head|direct|run|coordinate|supervise) (?:the |an? )[^,;:.!?()]*?
      (?:team|department|group|office|lab|unit|project|division) at (?<place>[^,;:.!?()]+?){end}`,
    yields: ({ place = '' }, said) =>
      isNamed(place) ? employer(place, undefined, 'at', said, place) : undefined,
    examples: [
      ['I lead the security team at Adyen.', 'work.employer: The user works at Adyen.'],
      ['I run a research group at CERN.', 'work.employer: The user works at CERN.'],
    ],
    counterExamples: ['I lead the way at night.', 'I lead the team at work.'],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:handed|turned|gave|put) in my (?:notice|resignation) at (?<place>[^,;:.!?()]+?)
      (?= last| this| yesterday| today|{end})`,
    yields: ({ place = '' }, said) => leftWork(place, said),
    examples: [
      [
        'I handed in my notice at Vodafone yesterday.',
        'work.employer: The user no longer works at Vodafone.',
      ],
      ['I handed in my notice at Nokia.', 'work.employer: The user no longer works at Nokia.'],
      ['I gave in my resignation at Bosch yesterday.', 'work.employer: The user no longer works at Bosch.'],
    ],
    counterExamples: ['I handed in my homework at school.', 'I handed in my notice at the office.'],
  },
  {
    pattern: says`
      {I}(?:am|are) in my (?<year>first|second|third|fourth|fifth|final|last) (?:year
      |semester) of (?<subject>[^,;:.!?()]+?)(?: at (?<place>[^,;:.!?()]+?))?{end}`,
    yields: ({ subject = '', place }) => study(subject, place),
    examples: [
      ["I'm in my second year of medical school.", 'study.subject: The user studies medical school.'],
      ["I'm in my second year of medicine.", 'study.subject: The user studies medicine.'],
      [
        "I'm in my final year of law at Leiden.",
        'study.subject: The user studies law.',
        'study.place: The user studies or studied at Leiden.',
      ],
    ],
    counterExamples: ["I'm in my second year of it?", "I'm in my first week of school."],
  },
  {
    pattern: says`
      i am (?<name>[^,]{2,30}?) (?:,|and) (?:an? |the )?(?<role>[^,;:.!?()]+?)
      (?: at (?<place>[^,;:.!?()]+?))?(?: from (?<from>[^,;:.!?()]+?))?{end}`,
    yields: ({ name = '', role = '', place, from }, said) =>
      isJob(role)
        ? [introduced(name, said), ...asRole(role, place), ...fromPlace(from)].filter(
            (draft) => draft !== undefined,
          )
        : undefined,
    examples: [
      [
        "I'm Olivia, a software engineer from Leipzig.",
        "name: The user's name is Olivia.",
        'work.role: The user works as a software engineer.',
        'home.origin: The user is from Leipzig.',
      ],
      [
        "Morning! I'm Tessa, a florist from Bath.",
        "name: The user's name is Tessa.",
        'work.role: The user works as a florist.',
        'home.origin: The user is from Bath.',
      ],
      [
        "I'm Priya, a nurse at Charité.",
        "name: The user's name is Priya.",
        'work.role: The user works as a nurse.',
        'work.employer: The user works at Charité.',
      ],
    ],
    counterExamples: ["I'm Tom, a friend of Anna.", "I'm Sam, a huge fan."],
  },
  {
    pattern: says`as an? (?<role>[a-z][a-z -]*?)(?: at (?<place>[^,;:.!?()]+?))? ,? ?(?:i|my|we) `,
    yields: ({ role = '', place }) => (isJob(role) ? asRole(role, place) : undefined),
    examples: [
      ['As a teacher I have long summer breaks.', 'work.role: The user works as a teacher.'],
      ['As a nurse I work nights.', 'work.role: The user works as a nurse.'],
      [
        'As a baker at Lidl, I get up early.',
        'work.role: The user works as a baker.',
        'work.employer: The user works at Lidl.',
      ],
    ],
    counterExamples: ['As a rule I work nights.', "As a nurse would say, I'm fine."],
  },
  {
    pattern: says`
      (?:i am|i have been|we are) {a}(?:working as |employed as )?(?:(?:an?|the) )?(?<role>[^,;:.!?()]+?)
      (?: (?:at|for|with) (?<place>(?!the moment|a living|heart|[^,;:.!?()]* years?\b)[^,;:.!?()]+?))?
      (?: for [^,;:.!?()]*years?.*)?{end}`,
    yields: ({ role = '', place }) => (isJob(role) ? asRole(role, place) : undefined),
    examples: [
      ["I'm an accountant.", 'work.role: The user works as an accountant.'],
      ["I'm a retired teacher.", 'work.role: The user works as a retired teacher.'],
      ["I'm a stay-at-home dad.", 'work.role: The user works as a stay-at-home dad.'],
    ],
    counterExamples: ["I'm an idiot, sorry.", "I'm at a loss."],
  },
  {
    pattern: says`
      {I}{a}(?:work|am working|have been working|freelance|am freelancing|moonlight|volunteer|serve) {a}
      (?:full-time |part-time |full time |part time |freelance )?as (?:an? |the )?(?<role>[^,;:.!?()]+?)
      (?: (?:at|for|with) (?<place>[^,;:.!?()]+?))?(?: in [^,;:.!?()]+)?{end}`,
    yields: ({ role = '', place }) => (isPronounLike(role) ? undefined : asRole(role, place)),
    examples: [
      ['i work as a plumber', 'work.role: The user works as a plumber.'],
      ['I freelance as a graphic designer.', 'work.role: The user works as a graphic designer.'],
      [
        'I work part-time as a barista at Costa.',
        'work.role: The user works as a barista.',
        'work.employer: The user works at Costa.',
      ],
    ],
    counterExamples: ['I had a dog as a child.'],
  },
  {
    pattern: says`
      {I}{a}(?:work|am working|have been working|have worked(?= (?:at|for) .* (?:since|for) )|am employed
      |volunteer|intern|am interning|am a volunteer) {a}(?:full-time |part-time |full time |part time |
      remotely |nights |days |weekends |shifts )?(?<how>at|for|with|by) (?<place>[^,;:.!?()]+?)
      (?= for (?:\w+ )?(?:years?|months?|about|over|almost|\d)
      | as | since | in (?:the )?[a-z]+ (?:department|team|field)|{end})
      (?: for [^,;:.!?()]*?(?:years|months)(?: now)?)?(?: as (?:an? |the )?(?<role>[^,;:.!?()]+?){end})?`,
    yields: ({ place = '', role, how = '' }, said, { place: spoken = '' }) =>
      employer(place, role, how, said, spoken),
    examples: [
      ['I work for Airbus.', 'work.employer: The user works at Airbus.'],
      ['I no longer work at Bosch.', 'work.employer: The user no longer works at Bosch.'],
      ['I volunteer for the Red Cross.', 'work.volunteering: The user volunteers at the Red Cross.'],
    ],
    counterExamples: ["I don't work at Google.", 'I used to work at a bank.'],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:started|began|got|landed|accepted|took|have)
      (?: working| a (?:new )?(?:job|position|role|internship)| work) (?:at|with
      |for) (?<place>[^,;:.!?()]+?)(?: as (?:an? )?(?<role>[^,;:.!?()]+?))?{end}`,
    yields: ({ place = '', role }, said) => employer(place, role, 'at', said, place),
    examples: [
      ['I got a job at Siemens last month.', 'work.employer: The user works at Siemens last month.'],
      ['I just started a new job at Deloitte.', 'work.employer: The user works at Deloitte.'],
      [
        'I got a job at Novo Nordisk as a lab technician.',
        'work.employer: The user works at Novo Nordisk.',
        'work.role: The user works as a lab technician.',
      ],
    ],
    counterExamples: ['I started work at nine.', 'I got a job at last.'],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:quit|left|resigned from|got fired from|was fired from|was laid off from
      |stopped working (?:at|for))(?: {My}?job (?:at|with))? (?<place>[^,;:.!?()]+?)
      (?= last| this| in | after| to | yesterday| and|{end})`,
    yields: ({ place = '' }, said) => leftWork(place, said),
    examples: [
      ['I left Google in May.', 'work.employer: The user no longer works at Google.'],
      ['I quit my job at Nestlé.', 'work.employer: The user no longer works at Nestlé.'],
      ['I left Deutsche Bank last summer.', 'work.employer: The user no longer works at Deutsche Bank.'],
    ],
    counterExamples: ['I left my keys at home.', 'I left early.'],
  },
  {
    pattern: says`
      {I}{a}(?:work|am working|have worked|have been working|have a job|am) in (?:the )?
      (?<field>[a-z ]*?(?:marketing|finance|sales|it|tech|hr|human resources|healthcare|health care
      |education|insurance|logistics|retail|hospitality|construction|advertising|banking|publishing
      |journalism|consulting|agriculture|pharma|biotech|law|accounting|real estate|tourism|design|research
      |academia|media|engineering|manufacturing|customer service|gaming|fashion|aerospace|music|film
      |politics|security|procurement|government|software)(?: industry| sector| business| department)?)
      (?: at (?<place>[^,;:.!?()]+?))?{end}`,
    yields: ({ field = '' }) => one('work.field', field, `The user works in ${field}.`),
    examples: [
      ['I work in logistics.', 'work.field: The user works in logistics.'],
      ['so yeah i work in marketing at a startup', 'work.field: The user works in marketing.'],
      ["I'm in the music industry.", 'work.field: The user works in music industry.'],
    ],
    counterExamples: ['I work in silence.', 'I work in a garage.'],
  },
  {
    pattern: says`
      {My}(?:job|occupation|profession|job title|role|day job) {is}(?<det>an? |the )?
      (?<role>[^,;:.!?()]+?){end}`,
    yields: ({ role = '', det }) =>
      det
        ? isJob(role)
          ? asRole(role, undefined)
          : undefined
        : /^(?:\w+ing \w|\p{Ll}+er$)/u.test(role) && !/ing (?:me|on|too|so|to)\b/.test(role)
          ? one('work.role', role, `The user's job is ${role}.`)
          : undefined,
    examples: [
      ['my job is fixing elevators', "work.role: The user's job is fixing elevators."],
      ['My day job is driving a bus.', "work.role: The user's job is driving a bus."],
    ],
    counterExamples: ['My job is to merge these two tables.', 'My phone is a pain.'],
  },
  {
    pattern: says`
      i am {a}(?:the )?(?<role>(?:ceo|cto|cfo|coo|head|director|owner|founder|co-founder|manager|vp
      |president|principal|dean|mayor|leader|editor)(?: of [^,;:.!?()]+?)?){end}`,
    yields: ({ role = '' }) => asRole(role, undefined),
    examples: [
      ["I'm the CTO of a small fintech.", 'work.role: The user works as CTO of a small fintech.'],
      ["I'm the owner of a hardware store.", 'work.role: The user works as owner of a hardware store.'],
    ],
    counterExamples: ["I'm the one who asked."],
  },
  {
    pattern: says`
      {I}{a}(?:run|own|manage|operate|founded|started|co-founded) (?:an? |{My})
      (?<role>[^,;:.!?()]*?(?:bakery|shop|store|business|company|startup|start-up|restaurant|cafe|café|bar
      |farm|studio|agency|salon|practice|clinic|school|gym|pub|hotel|b&b|hostel|nursery|workshop|firm
      |brewery|bookshop|bookstore|garage|podcast|channel|blog|newsletter|charity|non-profit|nonprofit
      |consultancy|dental practice|food truck)[^,;:.!?()]*?){end}`,
    yields: ({ role = '' }) => one('work.role', role, `The user runs a ${role}.`),
    examples: [
      ['I run a small bakery in Ghent.', 'work.role: The user runs a small bakery in Ghent.'],
      ['I own a bookshop.', 'work.role: The user runs a bookshop.'],
    ],
    counterExamples: ['I run Ubuntu in a VM.', 'I run a script.'],
  },
  {
    pattern: says`{I}{a}teach (?<what>[^,;:.!?()]+?){end}`,
    yields: ({ what = '' }) =>
      isPronounLike(what) ? undefined : one('work.role', `teaches ${what}`, `The user teaches ${what}.`),
    examples: [
      ['I teach third grade in Tucson.', 'work.role: The user teaches third grade in Tucson.'],
      ['I teach maths at a secondary school.', 'work.role: The user teaches maths at a secondary school.'],
      [
        "My name's Gwen, I'm 29 and I teach kindergarten in Cardiff.",
        'work.role: The user teaches kindergarten in Cardiff.',
      ],
    ],
    counterExamples: ['I teach him a lesson.', 'I teach it.'],
  },
  {
    pattern: says`
      i (?:am|have been|have) {a}(?:(?<status>self-employed|self employed|unemployed|retired|between jobs
      |out of work|on (?:maternity|paternity|parental|sick) leave|a stay-at-home (?:mom|mum|dad|parent)
      |freelancing|jobless))`,
    yields: ({ status = '' }) => one('work.status', status, `The user is ${status}.`),
    examples: [
      ["I'm self-employed.", 'work.status: The user is self-employed.'],
      ["I'm currently unemployed.", 'work.status: The user is unemployed.'],
      ["I'm unemployed at the moment.", 'work.status: The user is unemployed.'],
    ],
    counterExamples: ["I'm out of milk.", "I'm between two options."],
  },
  {
    pattern: says`i {a}(?<status>retired|got laid off|lost my job)(?= |$)(?! (?:the|that|my|it))`,
    yields: ({ status = '' }) => one('work.status', status, `The user ${status.replace('my', 'their')}.`),
    examples: [
      ['I retired last year.', 'work.status: The user retired.'],
      ['I retired two years ago.', 'work.status: The user retired.'],
      ["I got laid off in March so I'm looking for work.", 'work.status: The user got laid off.'],
    ],
    counterExamples: ['I lost my keys.', 'I retired my old laptop.'],
  },
];
