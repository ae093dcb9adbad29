import { petNamed, petOf } from '../drafts/family.ts';
import { type Rule, says } from '../rule.ts';

/** The animals that the user lives with. */
export const petRules: readonly Rule[] = [
  {
    pattern: says`
      {My}(?:[a-z]+ )?{pet} (?:'s name (?:is|was|'s)|(?:is|'s) (?:called|named)|named|called
      |, (?!is|who|has|and|she|he)(?=[a-z]+ ,)|)(?: now)? ?{name}
      (?=$| [,.;!]| and| but| who| is| has| was| likes| loves| because| she| he| keeps| ,| needs| sleeps
      | hates| always| just)`,
    yields: ({ pet = '', name = '' }, said) => petNamed(pet, name, said),
    examples: [
      ["My dog's name is Luna.", "pet.dog.name: The user's dog is called Luna."],
      ["My cat's called Sushi.", "pet.cat.name: The user's cat is called Sushi."],
      ['My dog is named Biscuit.', "pet.dog.name: The user's dog is called Biscuit."],
    ],
    counterExamples: ['My dog is barking.', 'My dog food order is late.'],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|own|adopted|rescued|got|just got|recently adopted|are getting|keep)
      (?: an?| {My}?| one| another)? (?:[a-z-]+ ){0,2}?{pet} (?:called|named|whose name is|by the name of
      |, named|, called|,) {name}(?=$| [,.;!]| and| but| who| from| yesterday| last| in| so)`,
    yields: ({ pet = '', name = '' }, said) => petNamed(pet, name, said),
    examples: [
      ['i have a dog called rufus', "pet.dog.name: The user's dog is called rufus."],
      ['We have a parrot named Kiwi.', "pet.parrot.name: The user's parrot is called Kiwi."],
      ['We got a puppy called Waffle.', "pet.puppy.name: The user's puppy is called Waffle."],
    ],
    counterExamples: ['I have a function called getUser.', 'I have a dog called upstairs.'],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|own|adopted|rescued|keep|foster)(?: got)? (?<count>
      (?:{count}) (?:[a-z-]+ ){0,2}?(?:dogs?|cats?|puppy|puppies|kittens?|hamsters?|rabbits?|bunn(?:y|ies)
      |parrots?|horses?|pon(?:y|ies)|goldfish|fish|turtles?|tortoises?|snakes?|guinea pigs?|ferrets?
      |chickens|hens|goats?|budgies|bees|bee hives|labradors?|poodle|corgi|beagle|husky|retriever
      |golden retriever|dachshund|greyhounds?|german shepherd))
      (?=$| [,.;!]| and| but| who| so| at| that| named| called| in| from| last| with| yesterday)`,
    yields: ({ count = '' }) =>
      /^no\b/.test(count)
        ? undefined
        : { slot: `pet.${petOf(count)}`, value: count, text: `The user has ${count}.` },
    examples: [
      ['I have a horse.', 'pet.horse: The user has a horse.'],
      ['I own two cats.', 'pet.cat: The user has two cats.'],
      ['We have three cats.', 'pet.cat: The user has three cats.'],
    ],
    counterExamples: ["I don't have a dog.", 'I used to have a cat.'],
  },
];
