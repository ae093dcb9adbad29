import { piece } from '../../../regExp.ts';
import {
  anniversary,
  appointment,
  birthday,
  engagement,
  intended,
  isTask,
  plan,
} from '../drafts/calendar.ts';
import { birthdayOf } from '../drafts/family.ts';
import { type Rule, says } from '../rule.ts';
import { isPassing } from '../wording.ts';

const EVENTS = piece`
  (?:appointment|interview|exam|flight|wedding|surgery|operation|meeting|checkup|check-up|test|deadline
  |presentation|class|lesson|concert|party|reservation|booking|train|vacation|holiday|trip|conference
  |graduation|court date|hearing|reunion|marathon|race|recital|date|dinner|lunch|viewing|visit|session|call
  |haircut|scan|mri|vaccination|audition|defense|defence|thesis defense|move|due date|baby shower|honeymoon
  |funeral|ceremony|tournament|game|match|performance|workshop|webinar|finals?|exams|driving test)`;

const WHEN = piece`(?<when>[^;:!?()]*)$`;

/** Days that come back every year. */
export const dayRules: readonly Rule[] = [
  {
    pattern: says`
      {My}(?:birthday|bday|b-day|birth date|birthdate|date of birth|birth day) {is}(?:actually )?
      (?:on |in |the )?(?<when>[^;:!?()]+)$`,
    yields: ({ when = '' }, said) => birthday(when, said, false),
    examples: [
      ['My bday is 07.11.1979', "date.birthday: The user's birthday is 07.11.1979 (1979-11-07)."],
      ['My birthday is on March 14.', "date.birthday: The user's birthday is March 14 (--03-14)."],
      ['My birthday is 22 February.', "date.birthday: The user's birthday is 22 February (--02-22)."],
    ],
    counterExamples: ['My birthday is soon.', 'My birthday cake is huge.'],
  },
  {
    pattern: says`
      {I}(?:was|were) born (?:on |in )?(?<when>(?:the )?\d[^;:!?()]*
      |(?:january|february|march|april|may|june|july|august|september|october|november|december)[^;:!?()]*)$`,
    yields: ({ when = '' }, said) => birthday(when, said, true),
    examples: [
      ['i was born in 1992', 'date.birthday: The user was born in 1992.'],
      ['I was born on 3 May 1988.', 'date.birthday: The user was born on 1988-05-03.'],
      ['I was born on January 2nd, 1975.', 'date.birthday: The user was born on 1975-01-02.'],
    ],
    counterExamples: ['I was born ready.', 'I was born on a farm.'],
  },
  {
    pattern: says`
      {My}(?:wedding |work |\d+(?:st|nd|rd|th) )*(?:wedding )?anniversary {is}(?:on |in |the )?
      (?<when>[^;:!?()]+)$`,
    yields: ({ when = '' }, said) => anniversary(when, said),
    examples: [
      [
        'Our anniversary is September 12.',
        "date.anniversary.wedding: The user's wedding anniversary is September 12 (--09-12).",
      ],
      [
        'Our wedding anniversary is June 21st.',
        "date.anniversary.wedding: The user's wedding anniversary is June 21st (--06-21).",
      ],
      [
        'Our wedding anniversary is on 3 June.',
        "date.anniversary.wedding: The user's wedding anniversary is 3 June (--06-03).",
      ],
    ],
    counterExamples: ['Our anniversary is coming up.', 'The anniversary is September 12.'],
  },
  {
    pattern: says`{My}{kin} 's birthday {is}(?:on |in |the )?(?<day>[^;:!?()]+)$`,
    yields: ({ kin = '', day = '', which }, said) => birthdayOf(kin, which, day, said),
    examples: [
      [
        "My wife's birthday is December 2nd.",
        "date.wife.birthday: The birthday of the user's wife is December 2nd (--12-02).",
      ],
      [
        "My husband's birthday is on the 5th of May.",
        "date.husband.birthday: The birthday of the user's husband is the 5th of May (--05-05).",
      ],
      [
        "My dad's birthday is on 4 July.",
        "date.father.birthday: The birthday of the user's dad is 4 July (--07-04).",
      ],
    ],
    counterExamples: ["My wife's birthday is soon.", "My wife's birthday cake was great."],
  },
];

/** What is to come, with its day. */
export const planRules: readonly Rule[] = [
  {
    pattern: says`
      {I}{a}(?:have got|have|am due for|have tickets for|have an upcoming|booked|scheduled|made|got
      |there is) {a}(?<what>(?:an? |{My}|the |another )?[^,;:.!?()]*?${EVENTS}
      (?: (?:with|at|for) [^,;:.!?()]*?)?)(?: (?:booked|scheduled|planned|set|coming up|lined up))?
      (?: for)? (?<when>(?:on|next|this|tomorrow|today|tonight|at|in|coming|later|monday|tuesday|wednesday
      |thursday|friday|saturday|sunday)\b[^;:!?()]*)$`,
    yields: ({ what = '', when = '' }, said) => appointment(what, when, said),
    examples: [
      ['I have an eye exam next Friday.', 'appointment.eye-exam: The user has an eye exam on 2026-11-27.'],
      ['I have a haircut booked for Saturday.', 'appointment.haircut: The user has a haircut on 2026-11-21.'],
      [
        "I've got a job interview tomorrow morning.",
        'appointment.job-interview: The user has a job interview on 2026-11-19.',
      ],
    ],
    counterExamples: ['I have a call in five minutes.', 'I have a meeting today.'],
  },
  {
    pattern: says`
      {My}(?<what>(?:[^,;:.!?()]{1,40} )?${EVENTS}(?: (?:to|with|at|for|in) [^,;:.!?()]*?)?) (?:is|are
      |was moved to|got moved to|has been moved to|leaves|starts|begins|departs|takes place|is scheduled for
      |is due)(?: now| actually| scheduled| booked)?(?: for)? ${WHEN}`,
    yields: ({ what = '', when = '' }, said) => appointment(what, when, said),
    examples: [
      ['My flight to Rome is on Friday.', 'appointment.flight: The user has a flight to Rome on 2026-11-20.'],
      ['My interview is next Wednesday.', 'appointment.interview: The user has an interview on 2026-11-25.'],
      ['My exam is on the 12th of January.', 'appointment.exam: The user has an exam on 2027-01-12.'],
    ],
    counterExamples: ['My flight is delayed.', 'Our meeting is over.'],
  },
  {
    pattern: says`
      {I}{a}(?:am|are) {a}(?<what>(?:meeting|seeing|visiting|having (?:lunch|dinner|coffee|surgery|breakfast
      |drinks|a party|a baby)|getting (?:married|a haircut|my [a-z ]+|surgery)|flying|travelling|traveling
      |leaving|moving|giving a (?:talk|presentation|speech)|picking up [a-z ]+|hosting [a-z ]+
      |attending [^,;:.!?()]+?|taking (?:the|my|an?) [a-z ]*(?:exam|test|train|flight|bus))
      (?: [^,;:.!?()]*?)?) (?<when>(?:on|next|this|tomorrow|today|tonight|at|in|later)\b[^;:!?()]*)$`,
    yields: ({ what = '', when = '' }, said) => engagement(what, when, said),
    examples: [
      [
        "I'm moving to Antwerp in July.",
        'plan.mov-antwerp-july: The user is moving to Antwerp in July (2027-07).',
      ],
      [
        "We're flying to Japan in April.",
        'plan.fly-japan-april: The user is flying to Japan in April (2027-04).',
      ],
      ["I'm getting married in October.", 'appointment.get-marri: The user is getting married on 2027-10.'],
    ],
    counterExamples: ["I'm meeting him later.", `Anna told me "I'm moving to Perth".`],
  },
  {
    pattern: says`
      {I}(?:am |are )?{a}(?:planning|plan|intend|hope|am hoping|hoping|are hoping|intending|am aiming|aim
      |dream|am dreaming|aspire|am determined|have decided|decided|have promised|promised|resolved|am about
      |am set|am looking forward|look forward|am thinking|thinking|are thinking|am considering|am dying
      |would love|would like|am preparing|am getting ready|am trying|trying|am saving(?: up)?|are saving
      (?: up)?|saving(?: up)?|am training|am studying|train)(?: on| of| to| for|ed to)? (?<what>
      (?:learn(?:ing)? how to )?[^,;:.!?()]+?){end}`,
    yields: ({ what = '' }, said) => plan(what, said),
    examples: [
      ["I'm saving up for a house.", 'plan.hous: The user is saving for a house.'],
      ["I'm trying to quit smoking.", 'plan.quit-smok: The user plans to quit smoking.'],
      ['We plan on having kids soon.', 'plan.hav-kid-soon: The user is planning having kids soon.'],
    ],
    counterExamples: ["I'm trying to install Docker.", "I'm dying to see it."],
  },
  {
    pattern: says`
      {I}{a}want to (?<what>(?:learn|visit|travel|become|buy|run|move|start a|start my|open a|open my|climb
      |see the|quit|lose|gain|save|study|write a (?:book|novel)|retire|build a house|have (?:kids|children)
      |go to (?:college|university|japan)|go back to|get (?:married|fit|in shape|a dog|a cat|better at
      |promoted|my)|hike|improve my|read more|stop smoking|adopt|publish|master)\b[^,;:.!?()]*?){end}`,
    yields: ({ what = '' }, said) => (isTask(what) ? undefined : plan(what, said, true)),
    examples: [
      ['I want to become a pilot.', 'plan.becom-pilot: The user plans to become a pilot.'],
      [
        'I want to learn Portuguese this year.',
        'plan.learn-portugues-year: The user plans to learn Portuguese this year (2026).',
      ],
    ],
    counterExamples: ['I want to become root.', 'I want to learn how this works.'],
  },
  {
    pattern: says`
      {My}(?:(?:main|big|biggest|long-term|personal|life|current|fitness) )*
      (?:goal|dream|plan|ambition|resolution|aim|bucket list|new year 's resolution)
      (?: (?:for|this) [a-z0-9 ]+?)? (?:is|was|has always been) (?:to |(?=\w+ing ))
      (?<what>[^,;:.!?()]+?){end}`,
    yields: ({ what = '' }, said) => (isTask(what) || isPassing(what) ? undefined : plan(what, said, true)),
    examples: [
      [
        'My goal is to save 10,000 euros by summer.',
        'plan.sav-10-000-euro-sum: The user plans to save 10,000 euros by summer.',
      ],
      ['My goal is to run a marathon.', 'plan.run-marathon: The user plans to run a marathon.'],
      ['My dream is to open a bakery.', 'plan.open-baker: The user plans to open a bakery.'],
    ],
    counterExamples: ['My goal is to sort this list.', 'My plan is to use a hash map.'],
  },
  {
    pattern: says`
      {I}{a}(?:am|are) {a}(?<what>going (?:to|on) [^,;:.!?()]+?|flying to [^,;:.!?()]+?
      |moving to [^,;:.!?()]+?|travell?ing to [^,;:.!?()]+?|visiting [^,;:.!?()]+?
      |running (?:a|the|my) [^,;:.!?()]*marathon[^,;:.!?()]*?|retiring [^,;:.!?()]*?
      |expecting (?:an? |our |my )[^,;:.!?()]*?(?:baby|child|twins|girl|boy|kid|son|daughter|grandchild)
      [^,;:.!?()]*?|buying an? [^,;:.!?()]+?|starting (?:a|my) [^,;:.!?()]+?
      |getting an? (?:dog|cat|puppy|kitten|car|house|divorce)[^,;:.!?()]*?){end}`,
    yields: ({ what = '' }, said) => intended(what, said),
    examples: [
      [
        "I'm moving to Antwerp in July.",
        'plan.mov-antwerp-july: The user is moving to Antwerp in July (2027-07).',
      ],
      [
        "We're flying to Japan in April.",
        'plan.fly-japan-april: The user is flying to Japan in April (2027-04).',
      ],
      [
        "We're going to Corsica in July.",
        'plan.going-corsica-july: The user is going to Corsica in July (2027-07).',
      ],
    ],
    counterExamples: ["I'm going to bed.", "I'm going to Rome, the lyrics go."],
  },
];
