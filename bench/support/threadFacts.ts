import { FOLDED } from './folded.ts';

/*
 * What two friends tell one another over the months: each thread comes back several times, so that what is asked for
 * has much in common with what is not. A lead, what is told, what the other says to it, a question as somebody would
 * ask it who knows the words, and one in words of its own.
 */
export const threads: readonly (readonly (readonly string[])[])[] = `
How's the studio? | Busy! I finally fired the big vase that I'd been working on since spring. It came out with a
    crack right down the side, but {other}, I kind of love it anyway. | Cracks let the light in, they say. I'd put
    it in the hallway. | What happened to the vase that {who} fired? | What flaw did {who}'s pottery piece have?
Still throwing clay on Tuesdays? | Always. We had a guest from Japan last time who showed us how to mend broken
    plates with gold. I bought a little kit to try it at home. | That sounds like meditation with glue. | What did
    the guest from Japan show {who}? | Which repair technique did {who} learn from a visitor?
Did you end up selling anything at the fair? | Eleven mugs and one teapot! A woman bought the teapot for her
    mother's ninetieth. I nearly cried when she told me. | You should open a shop. | Who did the woman at the fair
    buy the teapot for? | How much of {who}'s crockery was sold at the market?
You said the kiln was acting up? | It died. The repairman wants eight hundred for a new heating element, so I'm
    borrowing oven time from the school down the road until Christmas. | Eight hundred! Maybe the school can adopt
    you. | Why is {who} using the school's kiln? | What would it cost {who} to get the broken oven working?

What's new with the pup? | Chester ate a sock. A whole sock! The emergency vet had to give him something to
    bring it up again, and he looked so offended. | Poor Chester. And poor sock. | What did Chester eat? | Why did
    {who}'s dog need urgent treatment?
Did you sign up for that obedience course? | We did, and he's top of the class at sitting and bottom at
    everything else. The trainer says that he's too clever to be bored. | A gifted child, then. | What is Chester
    good at in obedience class? | What does the instructor think of {who}'s pet's intelligence?
Is he any better with other animals? | He made a friend! There's a grey cat called Fern next door, and they nap
    in the same patch of sun through the fence. | Please send a picture of that. | Who is Fern? | What creature has
    {who}'s pet become companions with?
How did the move go for the dog? | He hid under the bath for a day. Then he found out that the new garden has
    squirrels, and now he won't come in. | Squirrels fix everything. | How did Chester take the move? | What
    wildlife distracts {who}'s puppy at the new house?

How did your first week go? | Exhausting. I'm on the children's ward, mostly with kids who've had their tonsils
    out, and I've never eaten so much ice cream in my life. | That can't be the worst job. | On which ward does
    {who} work? | What kind of patients does {who} look after?
Are they treating you well at the hospital? | My supervisor, Doctor Amara, is strict but fair. She told me off
    for skipping lunch, not for a mistake. | I like her already. | Who is {who}'s supervisor? | What was {who}
    scolded for by the boss?
You look worn out. | Four nights in a row. I've started wearing earplugs and a mask to sleep in the day, and I
    put foil on the windows like a vampire. | Count {who}, nice to meet you. | How does {who} sleep after the night
    shifts? | What does {who} do to get rest when it's light outside?
Did they say anything about a permanent place? | They did! From the first of next month I'm staff, with pension
    and everything. We had cake on the ward and the kids drew me a card. | I'm so proud of you! | How was {who}'s
    new position celebrated? | When does {who} become a regular employee?

Have you decided about the race? | I'm in. Ten kilometres through the old town at the end of the month, for the
    hospice that looked after grandpa. | I'll stand at the finish with a banner. | What is {who} running the ten
    kilometres for? | Which cause is {who} raising money for?
How's training? | My shin's been killing me. The physio says it's my shoes, so I spent a fortune on a pair that
    looks like marshmallows. | Marshmallow feet! Send me a picture. | What did the physio say about {who}'s shin? |
    What footwear did {who} purchase because of an injury?
So? How was it? | Fifty-eight minutes! It poured the entire time and I lost a contact lens at the bridge, but I
    didn't stop once. | You're made of iron. | What did {who} lose at the bridge? | What was the weather like during
    {who}'s run?
What's next after the run? | A triathlon, believe it or not. I can't really swim, so I've got a coach at the
    pool on Wednesdays who yells at me in Italian. | Avanti! | What is {who}'s coach at the pool like? | Which
    competition is {who} preparing for?

Tell me about the kids! | Leo lost both front teeth in one day, one at breakfast and one in a fight over a
    scooter. He's asking the tooth fairy for a raise. | A born negotiator. | How did Leo lose his front teeth? |
    What does {who}'s boy want from the tooth fairy?
Is Ines still dancing? | She swapped ballet for judo! She came home with an orange belt and threw me onto the
    sofa to show me. | I'd pay to see that. | Which sport did Ines swap ballet for? | What martial art does {who}'s
    daughter practise?
How was the school play? | Leo was a tree. He had one line, and he said it twice because people laughed the
    first time. | A star is born. | What was Leo's role in the school play? | Why did {who}'s son repeat himself on
    stage?
What are you doing for the holidays with them? | Camping by the lake in Annecy again. Ines wants to learn to
    sail, and Leo wants to eat only cheese for two weeks. | Both are valid ambitions. | What does Ines want to learn
    at the lake? | Where will {who}'s family spend the vacation?

Any news from the landlord? | He's selling. We've got until June to find something, and everything with two
    bedrooms is double what we pay. | That's brutal. Do you need help looking? | Until when does {who} have to find
    a new flat? | Why must {who} leave the apartment?
Seen anything nice? | One with a roof terrace, but the kitchen was a cupboard with a stove in it. Another had a
    bathtub in the bedroom. Who does that? | Romantics with wet floors. | What was wrong with the kitchen {who} saw?
    | What outdoor space did one of the places {who} visited have?
Did you hear back about the yellow house? | We got it! The old lady liked that I asked about her roses. She's
    leaving us the greenhouse and a very old radio. | The roses did it! | Why did {who} get the yellow house? | What
    is the previous owner leaving behind for {who}?
How's the renovation? | There were newspapers from 1931 under the floor. I framed one with an advert for a
    talking parrot. | I'd have framed that too. | What did {who} find under the floor? | What old item did {who}
    hang on the wall?

Have you spoken to your dad? | On Sunday. He's taken up baking since he retired, and he sends me photographs of
    every loaf as if they were grandchildren. | That's the sweetest thing. | What has {who}'s dad taken up? | What
    hobby does {who}'s father have now?
How's your mum after the fall? | Her wrist's in plaster for six weeks and she's bossing the whole house around
    with the other hand. My aunt Rita moved in to help. | Then she's fine. | Who moved in to help {who}'s mum? |
    What bone did {who}'s mother break?
Did you get hold of your brother? | Finally. He's in Chile, counting penguins for a research station, and
    there's internet for one hour on Fridays. | Counting penguins! What a life. | What is {who}'s brother doing in
    Chile? | How often is {who}'s sibling online?
Was it a big party for your parents? | Forty years married! I made a speech and forgot the middle part, but
    grandma sang and nobody noticed. | I bet she stole the show. | What did {who} forget at the party? | Which
    anniversary did {who}'s parents have?

What are you reading? | A novel about a lighthouse keeper who writes letters to a whale. I picked it only for
    the cover, and now I read it on the bus and miss my stop. | Judging by the cover works sometimes. | What is the
    novel about that {who} is reading? | Where does {who} read the book?
Did your book club like it? | Half of us hated it! Marta threw hers across the room, for real. Next month it's a
    cookbook, to calm everyone down. | A cookbook with no plot. | What did Marta do with her book? | What will
    {who}'s reading group discuss next?
Are you still writing? | I sent three poems to a magazine in Dublin and they took one, the one about the broken
    umbrella! They pay in copies. | A published poet! | Which of {who}'s poems did the magazine take? | What does
    {who} earn for the verse that was accepted?
Didn't you want to read in public? | I did it, at the open mic in the cellar bar. My hands shook so hard that
    the paper rattled in the microphone. | And? Did they clap? | Where did {who} read in public? | How did nerves
    show when {who} performed?

How was the trip? | Lisbon was a dream. We got lost on purpose each morning, and on the last day a pickpocket
    got my wallet on tram 28. | Oh no! Were your cards in it? | What happened to {who} on tram 28? | In which city
    was {who} robbed?
Where did you stay in the end? | With a beekeeper on a hill, in a caravan with no electricity. He gave us honey
    for breakfast and told ghost stories in three languages. | Better than any hotel. | Who did {who} stay with on
    the hill? | What sort of accommodation did {who} have?
Do you have your next one planned? | The night train to Stockholm in February, to see the northern lights. I've
    bought trousers that could stand up on their own. | Frozen trousers, I can hear them. | How is {who} going to
    Stockholm? | What natural wonder does {who} hope to see?
How did you like the north? | No lights, only clouds, for five nights. But we met a man with forty huskies, and
    I steered a sled into a snowdrift. | That beats the lights. | What did {who} steer into a snowdrift? | Did {who}
    get to watch the aurora?

You mentioned a lump? | It's a cyst, nothing bad. They'll take it out on the nineteenth and I can go home on the
    same day. | What a relief! | When will {who}'s cyst be taken out? | What was the diagnosis of {who}'s swelling?
How are you feeling about the sugar thing? | Borderline diabetic, the doctor said, so no more fizzy drinks. I've
    switched to water with cucumber, and I hate it less every day. | Cucumber is the new cola. | What does {who}
    drink now instead of fizzy drinks? | Which illness is {who} at risk of?
Are the headaches gone? | It was my eyes! I need glasses for the screen. I chose round green ones and look like
    an owl. | A wise one. | What do {who}'s new glasses look like? | What caused the pain in {who}'s head?
How's the no-smoking going? | A hundred days on Thursday. I chew liquorice and snap at people, and I put what I
    save into a jar for a hammock. | A hundred! I'll buy you the hammock myself. | What is {who} saving up for with
    the jar? | Which bad habit has {who} given up?

How's the allotment? | The slugs won. They ate all the lettuce and half of the strawberries, so I'm building a
    copper fence like a tiny fortress. | Castle Lettuce. | What did the slugs eat? | How does {who} want to protect
    the crops?
Is anything growing? | Pumpkins, one of them bigger than a football already. I've named it Gerald and I talk to
    it when nobody's around. | Say hello to Gerald. | What did {who} name the pumpkin? | Which vegetable does {who}
    chat with?
Who looks after it when you're away? | An old man called Mister Okafor on the next plot. He waters mine, I dig
    his, and he pays me in hot pepper sauce. | The best currency. | What does Mister Okafor pay {who} in? | What
    does the neighbour do for {who}'s garden?
Did you go to the harvest contest? | Gerald came second! A pumpkin from the fire station beat it by two kilos. I
    suspect that they watered it with the truck. | Scandal! Demand a recount. | What place did Gerald come in? | Who
    beat {who} in the competition?

What happened with the band? | Our drummer left for a ship, he'll play on cruises. So we've been rehearsing with
    a machine that never smiles. | And never drinks your beer. | Why did the drummer leave {who}'s band? | What
    replaced the musician who quit {who}'s group?
Have you found a name yet? | The Lost Umbrellas. We voted, and it beat Soup of the Day by one. | I'd have voted
    for the soup. | What's the name of {who}'s band? | What were the options when {who}'s group took a vote?
How was the gig? | Sixty people came, and the power went out in the middle of our second song. We finished
    without amps, everyone sang, and it was the best night in years. | I got goosebumps just now. | What happened in
    the middle of the second song? | How large was the audience of {who}'s concert?
Recording anything? | Two songs at a friend's barn. I play the accordion on one of them, which I learned from
    videos in three weeks, so be kind. | I'm always kind to accordions. | Where did {who} record the two songs? |
    What instrument did {who} teach themselves?

Is work any better? | They've put me onto a project about wind farms, and for the first time I like Mondays. I
    make the maps that show where birds fly. | Maps of birds, that's so you. | What does {who} make the maps of? |
    What environmental project is {who} employed on?
Did you talk to them about money? | I did, I'd practised on the cat. They offered six percent and Fridays from
    home, and I said yes before they could change their minds. | The cat is a good coach. | How much of a raise was
    {who} offered? | On what day does {who} work remotely?
Who's the new person in your office? | Bartek, he's from Gdansk and he whistles while he codes. I thought that
    I'd mind, but he knows all of Bach. | There are worse whistlers. | What does Bartek do while he codes? | What
    music does {who}'s colleague know?
How did the presentation go? | My laptop decided to update in front of ninety people. So I drew everything on
    the whiteboard, and afterwards the director asked for a photo of it. | Saved by a marker! | What did {who}'s
    laptop do in front of ninety people? | How did {who} cope when the computer failed?
`
  .trim()
  .replace(FOLDED, ' ')
  .split('\n\n')
  .map((thread) => thread.split('\n').map((line) => line.split('|').map((part) => part.trim())));
