import { FOLDED } from './folded.ts';

/*
 * Two friends over four months, a session a line, and questions as somebody would ask who read it: some with the words
 * that were used, some not. Written when search stood as it did, and measured before anything was learnt from it.
 */
export const talks: readonly (readonly (readonly [speaker: string, text: string])[])[] = `
Maya: Guess who finally got the keys to the food truck! | Theo: No way! What are you going to serve? | Maya:
    Arepas, my abuela's recipes. The truck is painted bright orange so nobody can miss it. | Theo: I'm flying in for
    the opening. | Maya: It's on the 20th, bring an empty stomach. | Theo: Speaking of stomachs, mine has been a
    mess, the doctor put me on a low-FODMAP thing.
Theo: I did something reckless, I entered a salsa competition with my sister Lia. | Maya: You? The man who steps
    on his own feet? | Theo: We've got rehearsals on Wednesdays and Sundays. Lia is merciless. | Maya: I need
    videos. | Theo: Never. How was the truck's first week? | Maya: We sold out three days in a row, and then the
    generator blew up.
Maya: I'm writing to you from the emergency room, nothing dramatic. | Theo: What happened?! | Maya: I sliced my
    thumb open on a tin of black beans. Four stitches. | Theo: Ouch. Who's running the truck? | Maya: Cousin Rafa
    took over, he burns everything but the customers adore him. | Theo: Give him a medal.
Theo: We came in fourth! Out of thirty couples! | Maya: That's incredible, what did you wear? | Theo: A purple
    shirt with sequins that Lia sewed herself. I looked like a disco grape. | Maya: I'd frame that. | Theo: Work's
    less shiny, they're moving my whole department to Rotterdam. | Maya: Will you go?
Theo: I've decided, I'm not going to Rotterdam. I handed in my notice today. | Maya: Wow. And now? | Theo: I
    want to restore old furniture. I rented a shed behind the bakery. | Maya: You did love that rocking chair. |
    Theo: It's my first paid job, in fact: a widow wants hers mended. | Maya: Send me pictures.
Maya: The health inspector came by. | Theo: And? | Maya: Ninety-eight points! She only complained about a loose
    tile. | Theo: Proud of you. | Maya: I celebrated with a tattoo, a little chili pepper behind my ear. | Theo:
    Your mother will faint.
Theo: My grandfather's ninety now, we threw him a party in the village. | Maya: Aw, how was it? | Theo: He
    danced with every neighbour, and then he fell asleep under the walnut tree with his hat on. | Maya: That's how I
    want to be. | Theo: He gave me his pocket watch. It doesn't run, but still. | Maya: Treasure it.
Maya: I adopted a senior greyhound, her name's Paprika. | Theo: Of course it is. | Maya: She sleeps twenty hours
    a day and steals socks. | Theo: Is she good with the truck? | Maya: She has a bed under the counter, kids come
    just to pet her. | Theo: Best marketing ever.
Theo: I had a scare this week, the shed flooded. | Maya: Oh no, the furniture! | Theo: I lost two dressers, the
    rest was on pallets. The insurance won't pay a cent. | Maya: That's so unfair. | Theo: The baker let me dry
    things next to his oven, everything smells of cinnamon rolls now. | Maya: That's a selling point.
Maya: Big news, a magazine wants to feature us, next to that fancy sushi place. | Theo: Which magazine? | Maya:
    Harbor Bites. The photographer made me climb on the roof of the truck at dawn. | Theo: For the light, I suppose.
    | Maya: I nearly slid off. Paprika made it onto the cover, not me. | Theo: As it should be.
Theo: I've been seeing someone. | Maya: Tell me everything! | Theo: Her name's Annika, she tunes church organs.
    We met when she brought in a wobbly piano stool. | Maya: That is the most you thing ever. | Theo: She took me up
    into an organ in Delft, I got stuck between the pipes. | Maya: Marry her.
Maya: I can't sleep, the noise from the bar downstairs is killing me. | Theo: Have you talked to them? | Maya:
    Twice. So now I'm looking at a houseboat, believe it or not. | Theo: With a greyhound? | Maya: She's got sea
    legs, I tested her on a pedal boat. | Theo: What does it cost? | Maya: Sixty thousand, and I've saved forty.
Theo: My hands have been numb in the mornings. | Maya: From sanding? | Theo: Carpal tunnel, says the
    physiotherapist. I've got to wear splints at night and rest for a month. | Maya: A month without sawing, how
    will you survive? | Theo: Annika's teaching me to read music. | Maya: Good plan.
Maya: We got the houseboat! The bank gave me the loan in the end. | Theo: Congratulations, captain! | Maya: The
    previous owner left a stuffed pike on the wall, I've named him Gary. | Theo: Is there heating? | Maya: A wood
    stove, it eats logs like crazy. | Theo: I'll make you a rack for them.
Theo: I proposed. In the organ loft, with the wrong ring size. | Maya: And she said?? | Theo: She laughed so
    hard that she pressed a key with her elbow, the whole church heard it. Yes, she said yes. | Maya: I'm crying
    into the dough. | Theo: We want a tiny wedding in spring, by the canal. | Maya: On my boat! I'll cater.
Maya: I'm learning Dutch for the customers, three evenings a week. | Theo: Hoe gaat het? | Maya: Slecht! My
    teacher is a retired opera singer, she makes us sing the vocabulary. | Theo: I'd pay for a ticket. | Maya: I
    dream of verbs. How is the shop? | Theo: I hired an apprentice, Joris, he's seventeen and afraid of the band
    saw.
`
  .trim()
  .replace(FOLDED, ' ')
  .split('\n')
  .map((line) =>
    line.split(' | ').map((turn): readonly [string, string] => {
      const [speaker = '', ...said] = turn.split(': ');
      return [speaker, said.join(': ')];
    }),
  );

/** Each with the session that answers it, and what only the turn that does has in it. */
export const asked: readonly (readonly [question: string, session: number, words: string])[] = `
What kind of food does Maya sell? | 0 | Arepas
What color is Maya's food truck? | 0 | orange
When is the opening of Maya's truck? | 0 | 20th
What diet did Theo's doctor recommend? | 0 | FODMAP
Who is Theo's dance partner? | 1 | Lia
On which days does Theo practice dancing? | 1 | Wednesdays
What piece of equipment broke in the first week of Maya's business? | 1 | generator
How did Maya hurt herself? | 2 | thumb
How many stitches did Maya need? | 2 | stitches
Who filled in for Maya at the truck while she was injured? | 2 | Rafa
What place did Theo get in the dance contest? | 3 | fourth
What did Theo wear at the competition? | 3 | purple
Where is Theo's company relocating his team? | 3 | Rotterdam
Why did Theo resign from his job? | 4 | notice
What new career is Theo pursuing? | 4 | furniture
Where is Theo's workshop? | 4 | shed
What was Theo's first commission? | 4 | widow
What score did Maya receive from the inspection? | 5 | Ninety
What tattoo did Maya get? | 5 | chili
How old is Theo's grandpa? | 6 | ninety
What heirloom did Theo receive from his grandfather? | 6 | pocket watch
Where did Theo's grandfather doze off at his birthday? | 6 | walnut
What is the name of Maya's dog? | 7 | Paprika
What bad habit does Maya's pet have? | 7 | steals
Where does Maya's dog rest while she works? | 7 | counter
What happened to Theo's workshop? | 8 | flooded
What did Theo lose because of the water damage? | 8 | dressers
Who helped Theo after the flood? | 8 | baker let
Which publication wrote about Maya's business? | 9 | Harbor Bites
Who appeared on the cover of the magazine? | 9 | cover
What does Theo's girlfriend do for a living? | 10 | organs
How did Theo and Annika meet? | 10 | stool
Where did Theo get stuck? | 10 | Delft
Why does Maya want to move out of her apartment? | 11 | noise
How much money has Maya put aside for the boat? | 11 | forty
How did Maya find out whether her dog can handle water? | 11 | pedal boat
What medical condition does Theo have with his hands? | 12 | Carpal
What is Theo learning from Annika? | 12 | read music
What does Theo have to wear while sleeping? | 12 | splints
How did Maya finance her new home? | 13 | loan
What did the former owner of the boat leave behind? | 13 | pike
How does Maya heat her houseboat? | 13 | wood stove
Where did Theo ask Annika to marry him? | 14 | loft
What went wrong when Theo proposed? | 14 | ring size
When do Theo and Annika plan to get married? | 14 | spring
Who will provide the food at Theo's wedding? | 14 | cater
What language is Maya studying? | 15 | Dutch
Who teaches Maya's language class? | 15 | opera
Who works for Theo in his shop? | 15 | Joris
What is Theo's apprentice scared of? | 15 | band saw
`
  .trim()
  .replace(FOLDED, ' ')
  .split('\n')
  .map((line) => {
    const [question = '', session = '', words = ''] = line.split(' | ');
    return [question, Number(session), words];
  });
