import { piece } from '../../regExp.ts';
import { factOfUser } from '../statements/remember.ts';
import { asks, END, type RequestTable } from './row.ts';

const LEAD = piece`
  please|pls|plz|also|and|but|so|ok|okay|oh|hey|hi|hello|hark|well|actually|no|nope|yes|right|now|then|by the way
  |btw|just|kindly|sorry|thanks|could you|can you|would you|will you|you can|you may|you should|you must|you need to
  |i want you to|i need you to|i(?: would|'d) like you to`;
const says = asks(LEAD);

const KEEP = piece`
  (?:remember|don't (?:ever )?forget|do not (?:ever )?forget|never forget|memori[sz]e|keep in mind|bear in mind)
  (?: please| for me)?`;
const NOTE = piece`(?:please note|note|note down|take note|make a note|for (?:future|your) reference)`;
/** What says something, and does not only name it: "my birthday is in May", and not "my birthday". */
const VERB = piece`
  (?:is|are|am|was|were|has|have|had|will|can|can't|cannot|do|does|don't|doesn't|did|didn't|isn't|aren't|lives?|works?
  |likes?|loves?|hates?|prefers?|wants?|needs?|takes?|plays?|speaks?|got|goes|comes|moved|turned|got|eats?|drinks?
  |'s|'m|'re|'ve|'ll|'d)`;
/** "Remember that time in Rome": it reminds, and asks for nothing. */
const SCENE = piece`
  (?:time|times|day|night|evening|summer|winter|trip|place|guy|girl|man|woman|one|thing|restaurant|book|movie|film
  |song|talk|conversation|e?mail|meeting|party|scene)\b`;
const KNOWN = piece`
  (?:(?:that )?(?:you|we|i)(?:'ve| have|'d| had)? (?:ever )?(?:know|knew|remember|remembered|recall|have|stored|store
  |saved|learn(?:ed|t)|told you|tell you|said|say|talked|mentioned)(?: to you)?)`;
const ME = piece`(?:me|myself|us|ourselves)`;

export const english: RequestTable = {
  told: factOfUser,
  rows: [
    {
      kind: 'remember',
      pattern: says`${KEEP}(?: (?:this|it))?(?:,? that (?!${SCENE})|: ?)(?<what>\S.*)`,
      examples: [
        ['Remember that my sister Mia lives in Bergen.', 'my sister Mia lives in Bergen'],
        ['Please remember that the spare key is under the mat!', 'the spare key is under the mat'],
        ["Don't forget that I'm vegan.", "I'm vegan"],
        ['Can you remember this: bin day is Tuesday', 'bin day is Tuesday'],
        ['By the way, please keep in mind that we never eat pork.', 'we never eat pork'],
      ],
      counterExamples: [
        'Remember that time in Rome.',
        'Remember to buy milk.',
        'Do you remember that I live in Oslo?',
        'I remember that we lived in Oslo.',
        'She told me to remember that he lies.',
        'Remember that?',
        'Remember that I told you about Mia?',
      ],
    },
    {
      kind: 'remember',
      pattern: says`${KEEP},? (?<what>(?:i|we|i'm|we're|i've|we've) \S.*|(?:my|our) .*\b${VERB}\b \S.*)`,
      examples: [
        ['Remember my birthday is on 3 May.', 'my birthday is on 3 May'],
        ["don't forget I hate coriander", 'I hate coriander'],
      ],
      counterExamples: ['Remember my birthday.', 'Remember me.', "Don't forget my keys", 'Remember I do?'],
    },
    {
      kind: 'remember',
      pattern: says`${NOTE}(?: that|,|:)? (?<what>(?:i|we|i'm|we're|i've|we've) \S.*|(?:my|our) .*\b${VERB}\b \S.*)`,
      examples: [
        ['Please note that I am away in June.', 'I am away in June'],
        ['For future reference, my doctor is Dr Berg.', 'my doctor is Dr Berg'],
      ],
      counterExamples: [
        'Note that the function returns null.',
        'Note that down.',
        'Make a note of my order.',
      ],
    },
    {
      kind: 'forget-all',
      pattern: says`
        (?:(?:forget|erase|delete|remove|wipe|clear)(?: all| everything| anything)?(?: about ${ME}| ${ME})?
        (?<=me|myself|us|ourselves|all|everything|anything)
        |(?:forget|erase|delete|remove|wipe|clear) (?:all|everything|anything|whatever|what)(?: of)?(?: that)? ${KNOWN}
        (?: (?:about|of|on) ${ME})?
        |(?:erase|delete|wipe|clear|reset) (?:all )?(?:of )?(?:your|my|the|our)(?: whole| entire)? (?:memory|memories)
        (?: (?:about|of) ${ME})?)(?: again| now| please)? ?(?:$|[,.;!…])`,
      examples: [
        ['Delete everything you know about me.', ''],
        ['Please forget everything about me!', ''],
        ['Forget everything you know about me', ''],
        ['Forget me.', ''],
        ['Wipe your memory.', ''],
        ['Can you erase all that you have stored about me.', ''],
      ],
      counterExamples: [
        'Forget everything you know about coffee.',
        'Delete everything in that folder.',
        'Forget it.',
        'I forget everything.',
        'Erase the board.',
        'Did you forget me?',
      ],
    },
    {
      kind: 'forget',
      pattern: says`
        (?:forget|stop remembering|do not remember|don't remember)(?: about)?(?: that| this)${END}`,
      examples: [
        ['Forget that.', ''],
        ['Please forget this!', ''],
      ],
      counterExamples: ['Forget it.', "Don't forget that.", 'I forget that.', 'Never forget this.'],
    },
    {
      kind: 'forget',
      pattern: says`
        (?:forget|unlearn|stop remembering|do not remember|don't remember|no longer remember)
        (?:,? (?:again )?that (?!i (?:asked|said (?:anything|something)|mentioned it))
        | (?:about|of) (?!it\b|that\b|this\b)
        | (?:(?:all|everything|anything|whatever|what)(?: of)?(?: that)?(?: ${KNOWN})? (?:about|of|on) )
        | (?=(?:what|where|how|who|when|which) (?:i|my|we|our)\b)
        | (?=(?:my|our) (?!(?:last|previous|earlier|first) )))(?<what>\S.*)`,
      examples: [
        ['Forget that I love coffee.', 'I love coffee'],
        ['please forget about my ex', 'my ex'],
        ['You can forget my address.', 'my address'],
        ['Forget where I live!', 'where I live'],
        ['Forget everything you know about coffee.', 'coffee'],
        ['Stop remembering that I live in Oslo.', 'I live in Oslo'],
        ['Forget what I told you about Mia', 'Mia'],
      ],
      counterExamples: [
        'Forget that I asked.',
        'Forget my last message.',
        'Forget about it.',
        'I always forget my keys.',
        "Don't forget that I love coffee.",
        "I'll never forget what I saw.",
        'Forget Paris.',
        'How could I forget my own name?',
      ],
    },
    {
      kind: 'forget',
      pattern: says`
        (?:erase|delete|remove|drop|clear)(?: (?:all|everything|anything|whatever|what)(?: of)?(?: that)? ${KNOWN}
        (?: about| of| on)| (?:the|your|any|all)(?: of)?(?: the)? memor(?:y|ies) (?:about|of|that|on)
        | from (?:your )?memory(?: that|:)?) (?<what>\S.*)`,
      examples: [
        ['Delete what you know about my ex.', 'my ex'],
        ['erase the memory that I smoke', 'I smoke'],
        ['Remove everything you remember about Oslo', 'Oslo'],
      ],
      counterExamples: ['Delete my meeting tomorrow.', 'Remove the file.', 'Erase what I wrote on line 3.'],
    },
    {
      kind: 'forget',
      pattern: says`
        (?:erase|delete|remove|drop|clear) (?:that |the fact that )?(?<what>\S.*?) from (?:your |my )?memory\b`,
      examples: [
        ['Remove my address from your memory.', 'my address'],
        ['Delete that I smoke from memory, please.', 'I smoke'],
      ],
      counterExamples: ['Delete the file from my disk.', 'Remove me from the list.'],
    },
    {
      kind: 'correct',
      pattern: says`
        (?:(?:that|this|it)(?:'s| is| was)(?: just| simply)? (?:wrong|incorrect|false|untrue|a mistake
        |(?:not|no longer) (?:right|true|correct|so))|(?:that|this|it) (?:isn't|wasn't) (?:right|true|correct|so)
        |you(?:'re| are) (?:wrong|mistaken)|you(?:'ve| have)? got (?:that|it|this) wrong|wrong)${END}(?<what>.*)`,
      examples: [
        ['That is wrong, I live in Bergen.', 'I live in Bergen'],
        ["No, that's not true. My sister is called Mia.", 'My sister is called Mia'],
        ["You're wrong: I am 35.", 'I am 35'],
        ["That isn't right.", ''],
      ],
      counterExamples: [
        'That is wrong on so many levels.',
        'Is that wrong?',
        'What if that is wrong?',
        'Wrong number again.',
      ],
    },
    {
      kind: 'about',
      pattern: says`
        (?:what|what all|what else|how much) (?:do you|have you) (?:already )?(?:know|remember|recall|have stored|store
        |stored|remembered|saved|learn(?:ed|t))(?: (?:about|of|on|regarding) (?:${ME}|(?<what>\S.*)))?${END}`,
      examples: [
        ['What do you know about me?', ''],
        ['what do you remember about my sister', 'my sister'],
        ['What have you stored about coffee?', 'coffee'],
      ],
      counterExamples: [
        'What do you think about me?',
        'What do you know how to do?',
        'I wonder what you know about me.',
      ],
    },
    {
      kind: 'about',
      pattern: says`
        (?:(?:tell|show) me|list) (?:what|everything|all|anything)(?: that)? you (?:know|remember|have stored)
        (?: (?:about|of|on) (?:${ME}|(?<what>\S.*)))?${END}|(?:do you (?:know|remember) (?:anything|something)
        (?: about (?:${ME}|(?<topic>\S.*)))?)${END}`,
      examples: [
        ['Tell me what you know about me.', ''],
        ['List everything you remember about Oslo', 'Oslo'],
        ['Do you know anything about my sister?', 'my sister'],
      ],
      counterExamples: ['Tell me what you think.', 'Do you know Oslo?'],
    },
  ],
};
