import { termOf } from './terms.ts';

/* Everyday words for one thing, or for things that are asked about by one another's names. */
const groups = `mum mother parent, dad parent, child kid kiddo son daughter, brother sister sibling,
  husband wife spouse partner, boyfriend girlfriend partner, grandma grandpa grandparent, aunt uncle,
  job work career occupation profession employer, boss manager supervisor, coworker colleague,
  salary pay wage income, hire recruit, quit resign, retire retirement, promotion promote,
  home house apartment flat, move relocate, live reside, hometown birthplace, neighbour neighbourhood,
  car vehicle automobile truck, drive ride, trip travel journey vacation holiday visit, flight plane fly,
  hike trek trail, camp camping tent, beach sea ocean coast, mountain peak summit,
  dog puppy pet, cat kitten pet, animal pet, vet animal, adopt adoption,
  ill sick disease unwell, doctor physician, hospital clinic, medicine medication drug pill, pain ache hurt sore,
  injure injury hurt wound, allergy allergic, diet eat food, exercise workout gym fitness train, jog run,
  therapy therapist counsel counselor, stress anxiety anxious worry, happy glad joy, sad upset unhappy,
  scare afraid fear frighten, angry mad furious,
  meal dinner lunch breakfast supper, restaurant cafe diner eatery, cook bake recipe dish, drink beverage,
  dessert cake sweet, vegetable veggie vegetarian vegan,
  buy purchase shop, gift present, price cost expense money, sell sale, cheap inexpensive affordable, pricey expensive,
  film movie cinema, show series tv, book novel read author, song music track, band concert gig musician,
  instrument guitar piano violin, paint painting artwork art draw, photo picture image, dance dancing ballet,
  game play, sport team match, win award prize medal, hobby interest pastime activity,
  school class course, university college degree, study learn, student pupil, teacher professor tutor instructor,
  exam test, graduate graduation, wedding marry marriage, engage fiance propose proposal, divorce separate,
  pregnant baby birth newborn, birthday anniversary, party celebrate celebration, festival event,
  friend buddy pal mate, meet meetup, charity volunteer donate donation fundraise, church religion faith,
  begin start, finish end complete, create build, fix repair mend, lose misplace, find discover, choose pick select,
  plan intend goal, hope wish dream, recommend suggest recommendation suggestion advice, help assist support,
  like love enjoy favourite prefer, hate dislike, large big huge, small little tiny, fast quick, old age,
  garden plant flower grow, rain storm weather snow, phone call mobile, laptop computer pc, email mail message,
  photo camera, country nation, city town, nickname name call, company business firm startup, money fund budget`;

const related = new Map<string, Set<string>>();
for (const group of groups.split(',')) {
  const terms = new Set(
    group
      .trim()
      .split(/\s+/)
      .flatMap((word) => termOf(word) ?? []),
  );
  for (const term of terms) {
    const others = related.get(term) ?? new Set();
    for (const other of terms) if (other !== term) others.add(other);
    related.set(term, others);
  }
}

/** What may be said instead of this term. */
export function relatedTerms(term: string): Iterable<string> {
  return related.get(term) ?? [];
}
