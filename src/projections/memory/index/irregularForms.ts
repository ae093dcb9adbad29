/* English forms that no rule brings together: the base first. */
const families = `be is are was were been being, beat beaten, begin began begun, bend bent, bite bit bitten,
  blow blew blown, break broke broken, bring brought, build built, burn burnt, buy bought, catch caught,
  choose chose chosen, cling clung, cost costs, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt,
  drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought,
  find found, fly flew flown, forget forgot forgotten, forgive forgave forgiven, freeze froze frozen,
  grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew known,
  lay laid, lead led, learn learnt, leave left, lend lent, lose lost, mean meant, meet met, pay paid,
  ride rode ridden, ring rang rung, rise rose risen, run ran, seek sought, sell sold, send sent, sew sewn,
  shake shook shaken, shine shone, shoot shot, show shown, shrink shrank, sing sang sung, sink sank sunk,
  sit sat, sleep slept, slide slid, speak spoke spoken, spend spent, spin spun, stand stood, steal stole stolen,
  stick stuck, sting stung, strike struck, swear swore sworn, sweep swept, swim swam swum, swing swung,
  teach taught, tear tore torn, think thought, throw threw thrown, understand understood, wake woke woken,
  wear wore worn, weave wove woven, weep wept, win won, wind wound, withdraw withdrew, write wrote written,
  child children, foot feet, goose geese, knife knives, leaf leaves, life lives, loaf loaves, man men, mouse mice,
  person people, shelf shelves, tooth teeth, wife wives, wolf wolves, woman women,
  colour color colors colours colored coloured, favourite favorite favorites favourites, grey gray,
  neighbour neighbor neighbors neighbours, theatre theater theaters theatres, centre center centers centres,
  travel travelled travelling traveled traveling traveller traveler, organize organise organised organising,
  realize realise realised, mum mom mommy mummy moms mums, grandma granny grandmother, grandpa granddad grandfather,
  dad daddy father fathers, photo photos photograph photographs, fridge refrigerator, bike bicycle bicycles,
  phone telephone smartphone, tv television, exam exams examination, gym gymnasium, vet veterinarian veterinary,
  math maths mathematics, ad advert advertisement`;

const bases: ReadonlyMap<string, string> = new Map(
  families.split(',').flatMap((family) => {
    const [base = '', ...forms] = family.trim().split(/\s+/);
    return forms.map((form) => [form, base] as const);
  }),
);

export function baseForm(word: string): string {
  return bases.get(word) ?? word;
}
