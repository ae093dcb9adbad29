import { piece, regExp } from '../../../regExp.ts';
import { favourite, instruction, likes, preferred } from '../drafts/preferences.ts';
import { type Rule, says } from '../rule.ts';

const THING = piece`(?<thing>[^,;:.!?()]+?){end}`;

const MORE = piece`
  (?<more>(?: ,(?: and)? (?!i |we |my |but |so |not |and i |and my |do |can |especially |which |what |how )
  [^,;:.!?()]+?)*)(?= ,| [.;:!?(]|$)`;

/** What the user likes, dislikes, prefers and wants to be told how. */
export const preferenceRules: readonly Rule[] = [
  {
    pattern: says`
      {I}{a}have {a}(?:an? )?(?:soft spot|weakness|sweet tooth|passion|thing|love
      |fondness) for (?<thing>[^,;:.!?()]+?){end}`,
    yields: ({ thing = '' }, said) => likes(thing, '', said, false),
    examples: [
      [
        'I have a soft spot for old vinyl records.',
        'preference.old-vinyl-record: The user likes old vinyl records.',
      ],
      ['I have a weakness for dark chocolate.', 'preference.dark-chocolat: The user likes dark chocolate.'],
      ['I have a soft spot for old trains.', 'preference.old-train: The user likes old trains.'],
    ],
    counterExamples: ['I have a passion for it.', 'I have a weakness in my code.'],
  },
  {
    pattern: says`
      {My}(?:(?:all-?time|absolute|current|personal|number one) )*(?:absolute |all-?time |current )?
      (?:favou?rites?|go-to) (?<kind>[a-z][^,;:.!?()]{1,40}?) (?:is|are|was|has always been|have always been
      |of all time is|will always be) (?:probably |definitely |always |still |now |called )?
      (?<thing>[^;:.!?()]+?)(?= ,| because|{end})`,
    yields: ({ kind = '', thing = '' }, said) => favourite(kind, thing, said),
    examples: [
      ['my favorite food is ramen', "favourite.food: The user's favourite food is ramen."],
      ['My favourite colour is teal.', "favourite.colour: The user's favourite colour is teal."],
      ['my favorite band is radiohead', "favourite.band: The user's favourite band is radiohead."],
    ],
    counterExamples: ['My favourite line is the last.', 'My favorite thing about it is the speed.'],
  },
  {
    pattern: says`
      (?<thing>[^,;:.!?()]{2,60}?) (?:is|are) {My}(?:(?:all-?time|absolute|current
      |personal) )*favou?rites? (?<kind>[a-z][a-z ]{1,30}?){end}`,
    yields: ({ kind = '', thing = '' }, said) =>
      /^(?:what|which|who|one of|this|that|it|my|your|there|here)\b/i.test(thing)
        ? undefined
        : favourite(kind, thing, said),
    examples: [
      ['Pizza is my favourite food.', "favourite.food: The user's favourite food is Pizza."],
      ['Football is my favourite sport.', "favourite.sport: The user's favourite sport is Football."],
    ],
    counterExamples: ['What is my favourite food?', 'It is my favourite part.'],
  },
  {
    pattern: says`
      {I}{a}prefer (?<thing>[^,;:.!?()]+?) (?:over|to|rather than|instead of|than|more than|, not
      |not) (?<other>[^,;:.!?()]+?){end}`,
    yields: ({ thing = '', other = '' }) => preferred(thing, other),
    examples: [
      ['I prefer tea to coffee.', 'preference.tea: The user prefers tea to coffee.'],
      ['I prefer trains to planes.', 'preference.train: The user prefers trains to planes.'],
      ['I prefer phone calls to emails.', 'preference.phon-cal: The user prefers phone calls to emails.'],
    ],
    counterExamples: ['I prefer this to that.', 'I prefer not to answer.'],
  },
  {
    pattern: says`
      i would rather (?:have |get |see |use |drink |eat |take )?
      (?<thing>[^,;:.!?()]+?) (?:than|over|instead of) (?<other>[^,;:.!?()]+?){end}`,
    yields: ({ thing = '', other = '' }) => preferred(thing, other),
    examples: [
      [
        "I'd rather have short answers than long ones.",
        'preference.short-answ: The user prefers short answers to long ones.',
      ],
      ['I would rather have tea than coffee.', 'preference.tea: The user prefers tea to coffee.'],
      ["I'd rather drink water than wine.", 'preference.wat: The user prefers water to wine.'],
    ],
    counterExamples: ["I'd rather have it than not.", 'I would rather not say.'],
  },
  {
    pattern: says`{I}{a}prefer ${THING}`,
    yields: ({ thing = '' }, said) =>
      /^(?:not|if|that|when|to (?:not|know)|it|your|this|the (?:first|second|last|other|former|latter|one))\b/.test(
        thing,
      )
        ? undefined
        : preferred(thing, said.instead),
    examples: [
      ['I prefer dark mode.', 'preference.dark-mod: The user prefers dark mode.'],
      ['Actually I prefer trains.', 'preference.train: The user prefers trains.'],
      ['I prefer working in the mornings.', 'preference.work: The user prefers working in the mornings.'],
    ],
    counterExamples: ['I prefer the first draft.', 'I prefer the second option.'],
  },
  {
    pattern: says`
      {I}{a}(?:love|like|adore|enjoy|am enjoying|have loved|have liked|am loving|dig|cherish|loved
      |enjoyed) ${THING.replace('{end}', `${MORE}|{end}`).replace('(?<thing>', '(?<thing>')}`,
    deniable: true,
    yields: ({ thing = '', more = '' }, said) => likes(thing, more, said, false),
    examples: [
      ['i loooove dogs', 'preference.dog: The user likes dogs.'],
      ['I love Thai food.', 'preference.thai-food: The user likes Thai food.'],
      ['I really like jazz.', 'preference.jaz: The user likes jazz.'],
      ['I love coffee and my dog is called Biscuit.', 'preference.coffe: The user likes coffee.'],
      ['You know that I love tea and that I live in Oslo.', 'preference.tea: The user likes tea.'],
    ],
    counterExamples: ["I'm not sure I like jazz.", 'I love it!'],
  },
  {
    pattern: says`
      {I}{a}(?:am|are) {a}(?:an? )?(?:big |huge |massive |great |real |total |avid |die-hard |lifelong |
      long-?time )*(?:fan of|fans of|lover of|fond of|into|crazy about|mad about|keen on|obsessed with
      |passionate about|addicted to|a sucker for|partial to|devoted to|hooked on|nuts about|wild about
      |in love with|a supporter of) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    yields: ({ thing = '' }, said) => likes(thing, '', said, false),
    examples: [
      ["I'm not into video games.", 'preference.video-gam: The user does not like video games.'],
      ["I'm crazy about Formula 1.", 'preference.formula-1: The user likes Formula 1.'],
      ["I'm a huge fan of Arsenal.", 'preference.arsenal: The user likes Arsenal.'],
    ],
    counterExamples: ["I'm a fan of neither.", "I'm into it."],
  },
  {
    pattern: says`
      i am {a}(?:an? )(?:big |huge |massive |real |total |avid |die-hard |lifelong |long-?time )*
      (?<thing>[^,;:.!?()]{2,40}?) (?:fan|lover|supporter|enthusiast|aficionado|nerd|addict|buff|nut|geek
      |junkie){end}`,
    deniable: true,
    yields: ({ thing = '' }, said) => likes(thing, '', said, false),
    examples: [
      ["I'm a massive Tolkien nerd.", 'preference.tolkien: The user likes Tolkien.'],
      ["I'm a huge Arsenal supporter.", 'preference.arsenal: The user likes Arsenal.'],
    ],
    counterExamples: ["I'm a huge mess right now."],
  },
  {
    pattern: says`
      {I}{a}(?:hate|dislike|detest|loathe|despise|can stand|could stand|can bear|can tolerate|can abide
      |am sick of|am tired of eating|am afraid of|am scared of|am terrified of|have a fear of
      |am not keen on) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    yields: ({ thing = '' }, said) => {
      const liking = / can (?:stand|bear|tolerate|abide) /.test(` ${said.words} `);
      return liking !== (said.denied === 'not')
        ? liking
          ? undefined
          : likes(thing, '', said, true)
        : likes(thing, '', said, true);
    },
    examples: [
      ['i hate flying', 'preference.fly: The user does not like flying.'],
      ["I'm afraid of heights.", 'preference.height: The user does not like heights.'],
      ["I can't stand cilantro.", 'preference.cilantro: The user does not like cilantro.'],
    ],
    counterExamples: ['I hate that guy.', 'I hate this error message.'],
  },
  {
    pattern: says`{I}{a}(?:care (?:much )?for|care about) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    yields: ({ thing = '' }, said) => (said.denied === 'not' ? likes(thing, '', said, true) : undefined),
    examples: [
      ["I don't care for opera.", 'preference.opera: The user does not like opera.'],
      ["I don't care much for sushi.", 'preference.sushi: The user does not like sushi.'],
    ],
    counterExamples: ['I care for my mother.', "I don't care about it."],
  },
  {
    pattern: says`{I}{a}(?:collect|root for|support|cheer for|barrack for) (?<thing>[^,;:.!?()]+?){end}`,
    yields: ({ thing = '' }, said) =>
      /\b(?:data|logs?|metrics|errors?|your|the (?:idea|plan|proposal|decision)|results|information)\b/i.test(
        thing,
      )
        ? undefined
        : likes(thing, '', said, false, said.words.includes('collect') ? 'collects' : 'supports'),
    examples: [
      ['I collect old stamps.', 'preference.old-stamp: The user collects old stamps.'],
      ['I root for the Packers.', 'preference.pack: The user supports the Packers.'],
      ['I collect vinyl records.', 'preference.vinyl-record: The user collects vinyl records.'],
    ],
    counterExamples: ['I support the proposal.', 'I collect the results in a list.'],
  },
  {
    pattern: regExp('du')`
        ^(?:(?:always|never) |from now on ,? ?|(?:in (?:the )?future|going forward) ,? ?)*
        (?<order>(?:answer|reply|respond|speak|write|use|give|call|address|talk|explain|keep|show|format
        |send|tell|remind|include|avoid|convert|translate|start|end|put|be) .{3,100}?)(?: [.!]|$)`,
    yields: ({ order = '' }, said) => instruction(order, said),
    examples: [
      [
        'Please always answer in French.',
        'instruction.answ-french: The user asks always to answer in French.',
      ],
      [
        'From now on, reply in Spanish please.',
        'instruction.rep-spanish: The user asks always to reply in Spanish.',
      ],
      [
        'Please keep your answers short in future.',
        'instruction.keep-answ-short-futur: The user asks always to keep your answers short in future.',
      ],
    ],
    counterExamples: [
      'Answer in French.',
      'Always explain this.',
      'Write a poem that begins with "My name is Winter".',
    ],
  },
];
