import { FOLDED } from './folded.ts';

/*
 * What people tell one another: what the other says before, what is told, a question that asks for it in words
 * of its own, and one that has some of the words. {braces} are filled in, each time otherwise; {who} is whoever told it.
 */
export const facts: readonly (readonly [lead: string, told: string, otherwise: string, question: string])[] =
  `
So what have you been up to lately? | I finally signed up for a pottery class in {city}. My first bowl came out
    completely crooked, but I was so proud of it! | Where does {who} take ceramics lessons? | Where did {who} sign
    up for a pottery class?
You look exhausted, is everything ok? | Yeah, I was up until three with {name}'s baby. She's teething and nobody
    in that house sleeps. | Why was {who} tired after helping {name}? | Why was {who} up so late at {name}'s?
Did the interview go well? | It did! They called me back yesterday and I start at the {city} office in {month}.
    | When does {who} begin the new position? | When will {who} start at the {city} office?
How's the new place? | Smaller than the last one, but the balcony faces the river and the rent is {n} less every
    month. | What can be seen from {who}'s balcony? | What does the balcony of {who}'s new place face?
Any plans for the long weekend? | We're driving up to {city} to see my cousin {name}. She just opened a bakery
    there. | What kind of shop did {who}'s cousin open? | What did {who}'s cousin {name} open in {city}?
How did the race end up? | I finished the half marathon in just under two hours, even though my knee hurt from
    the tenth kilometre on. | How fast did {who} run the half marathon? | How long did {who} need for the half
    marathon?
What did the vet say? | It turns out that {pet} is allergic to chicken, so we have to switch to a salmon diet. |
    What food must {pet} avoid? | What is {pet} allergic to?
I saw the photos, they were gorgeous! | Thank you! That was the lake near {city}. We put up our tent right on
    the shore and woke up to a moose. | What animal did {who} see while camping? | What did {who} see when camping
    at the lake?
You always have something on your nightstand, what is it now? | I'm halfway through a biography of Marie Curie
    that {name} lent me. I can't put it down. | Which book did {who} borrow from {name}? | Whose biography did
    {name} lend to {who}?
Are you still doing the guitar lessons? | I gave those up last spring. I switched to the cello, because I fell
    in love with the sound at a concert in {city}. | Which instrument does {who} play now? | When did {who} give up
    the guitar for the cello?
How is your mother doing? | Better, thank you. Her hip operation went well and she walked {n} steps on her own
    this morning. | What surgery did {who}'s mom have? | How did the operation of {who}'s mother go?
What should I bring on Saturday? | Just yourself! Oh, but nothing with peanuts, please. They send me straight to
    the hospital. | Is there anything {who} can't eat? | What kind of food sends {who} to the hospital?
Did you two decide on a date? | We did, we're getting married on the {n}th of {month}, in my grandparents'
    garden. | On what date is {who}'s wedding? | When is {who} getting married?
What happened to your hand? | I burned it taking a lasagna out of the oven. {name} drove me to urgent care and
    they wrapped it up. | How did {who} get hurt? | What did {who} burn the hand on?
I heard that you started something of your own? | I did! I'm selling candles online. I got {n} orders in the
    first week, I was speechless. | How many orders did {who}'s shop receive at the start? | How many orders did
    {who} get for the candles in the first week?
You used to hate flying. | I still do. But I took a course for nervous passengers, and last month I made it to
    {city} without a single panic. | How did {who} deal with the fear of airplanes? | How did {who} manage to fly to
    {city}?
What are you growing this year? | Mostly tomatoes and chillies. The zucchini died in the frost, all {n} of them.
    | Which of {who}'s vegetables froze? | What happened to the zucchini that {who} was growing?
Is that a new bracelet? | My sister {name} made it for me. The blue stone stands for courage, she says. | What
    does the stone in {who}'s bracelet mean? | Who made the bracelet of {who}?
How was the reunion? | Strange and lovely. {name}, who sat next to me in chemistry, is a pilot now and lives in
    {city}. | What became of {who}'s classmate {name}? | What does {name}, who sat next to {who} in chemistry, do
    now?
Do you still volunteer at the shelter? | Every Thursday evening. Last week I cooked soup for {n} people there
    and we ran out of bowls. | On which day of the week does {who} help at the shelter? | What did {who} cook for
    the people at the shelter?
And what about your thesis? | Handed in! It's about how bees find their way home in cities. {name} read all of
    it twice. | What is {who}'s dissertation about? | What did {who} write the thesis about?
You sounded upset on the phone. | I was. Someone stole my bicycle from in front of the library, and it was the
    one dad gave me. | What was taken from {who}? | What did someone steal from {who} at the library?
What's the plan for your birthday? | I want to go karaoke singing with the whole team, and {name} promised to
    sing a duet with me. | How does {who} want to celebrate the birthday? | What has {name} promised to sing on
    {who}'s birthday?
Have you tried the new restaurant? | The Ethiopian one? Yes, with {name}. The coffee ceremony alone was worth
    it. | What cuisine did {who} enjoy with {name}? | What did {who} think of the Ethiopian restaurant?
How are the kids settling in? | The little one cried for two days, but now she has a best friend called {name}
    and won't come home. | Who is the best friend of {who}'s youngest? | Who is {name} to {who}'s daughter?
What's that tattoo you were talking about? | It's a swallow on my left shoulder, for my grandfather, who was a
    sailor. | What does {who}'s tattoo show? | What is the tattoo on {who}'s shoulder?
Did the doctor find anything? | My iron is low, so I have to take tablets for {n} weeks and eat more lentils. |
    What deficiency was {who} diagnosed with? | For how many weeks does {who} have to take iron tablets?
Any luck with the apartment hunt? | We made an offer on a loft in {city} and they accepted! There's even a
    reading nook. | In which town did {who} find a new home? | Where did {who} make an offer on a loft?
Still at the bank? | No, I quit in {month}. I'm training to be a nurse, the night shifts are brutal. | What
    profession is {who} learning? | When did {who} quit the job at the bank?
What did you get {name} in the end? | A telescope! We spent the whole night on the roof looking for Saturn. |
    What present did {who} give {name}? | Who got a telescope from {who}?
How did the exhibition go? | Really well, I sold {n} paintings, and the one with the red door went to a
    collector from {city}. | Who bought {who}'s picture of the red door? | How many paintings did {who} sell at the
    exhibition?
Do you speak any languages besides English? | My Portuguese is decent, since I spent a year in Lisbon as an au
    pair. Now I'm learning sign language for {name}. | Where did {who} work as an au pair? | Where did {who} spend a
    year as an au pair?
What are you listening to these days? | A lot of old jazz. {name} gave me a record player and a box of Coltrane.
    | What kind of music does {who} like at the moment? | Who gave {who} a record player?
Did your car survive the winter? | Barely. The gearbox broke on the motorway near {city} and the repair cost {n}
    hundred. | What went wrong with {who}'s vehicle? | What did the repair of {who}'s gearbox cost?
How's the choir? | We're rehearsing for a concert in the cathedral of {city}. I have a tiny solo and I'm
    terrified. | Where will {who} perform with the choir? | Where does {who}'s choir have its concert?
You were going to tell me about the trip. | Oh yes! We rented a houseboat in the canals for {n} days, and {name}
    fell into the water twice. | What sort of boat did {who} stay on? | Who fell into the water on {who}'s houseboat
    trip?
What's your brother doing now? | {name} joined the fire brigade in {city}. Mum is worried sick, of course. |
    What is the occupation of {who}'s brother? | When did {who}'s brother join the fire brigade?
Are you sleeping any better? | A bit. My therapist told me to write down three good things every night, and it
    honestly helps. | What advice did {who} get from the therapist? | What did the therapist tell {who} to write
    down every night?
What was the highlight of the summer? | Swimming with sea turtles near {city}. I cried into my mask. | Which
    creatures did {who} swim with? | Where did {who} go swimming with sea turtles?
How come you don't drink coffee any more? | It gave me terrible headaches, so I've been on peppermint tea since
    {month}. | What does {who} drink instead of coffee? | Since when has {who} been drinking peppermint tea?
Is the dog behaving? | {pet} ate one of my leather boots and half of the sofa. We're going to a trainer on
    Monday. | What did {pet} destroy? | What did {pet} do to {who}'s leather boots?
How did the job fair go? | I talked to a lady from a wind energy company, and she wants me to send a portfolio
    by {month}. | What industry is interested in hiring {who}? | Which company asked {who} for a portfolio at the
    job fair?
You're tanned! | We hiked along the coast for {n} days. My favourite was the lighthouse at the very end. | What
    did {who} like most about the coastal walk? | How many days did {who} hike along the coast?
What happened with the neighbours? | They finally apologised for the noise and brought us a basket of plums.
    {name} made jam of them. | What was made from the neighbours' fruit? | What did the neighbours bring {who} to
    apologise?
What are you saving up for? | A camper van. I want to drive all the way to {city} before I turn forty. | What
    does {who} want to purchase? | What does {who} need a camper van for?
Did you ever finish that quilt? | I did, after {n} months! It's hanging in my niece {name}'s room now. | Where
    is the quilt that {who} sewed? | How many months did it take {who} to finish the quilt?
Have you got any siblings? | Two. {name} is the eldest and teaches physics, and the other one plays in a metal
    band. | What subject does {who}'s sibling {name} teach? | What band does {who}'s sibling play in?
How was the theatre? | The play was odd, but {name} was brilliant as the ghost. Standing ovation! | Which role
    did {name} act? | Who was brilliant as the ghost in the play that {who} saw?
What's wrong with your phone? | I dropped it off the pier in {city} while I was taking a picture of a seal. |
    How did {who} lose the phone? | Where did {who} drop the phone into the sea?
What made you become vegetarian? | A documentary on slaughterhouses that I watched with {name} in {month}. I
    haven't touched meat since. | What persuaded {who} to stop eating meat? | When did {who} watch the documentary
    on slaughterhouses?
Where do you get your energy from? | Honestly, cold showers and the rowing club. We're on the water at six, {n}
    of us. | What club did {who} join? | How many people are in {who}'s rowing club?
Have you set any goals for next year? | I want to run for the town council. Somebody has to do something about
    the bus lines. | What political plans does {who} have? | Does {who} want to run for the council?
Did you manage to fix the roof? | Not me, but {name} did, for a crate of beer. The attic is finally dry. | Who
    repaired {who}'s roof? | Who fixed the roof for {who} for a crate of beer?
How's the podcast going? | We have {n} thousand listeners now! The episode about lost cities was the most
    popular. | Which podcast episode was heard most? | How many listeners does {who}'s podcast have?
What did you have to give up when you moved? | My piano. It wouldn't fit through the door, so it's at {name}'s
    house now. | Where did {who} leave the piano? | Why did {who} have to leave the piano at {name}'s house?
Are you ready for the exam? | I failed the first driving test because I ran over a cone, the next one is on the
    {n}th of {month}. | Why did {who} not pass the driving exam? | When is {who}'s next driving test?
What was it like growing up there? | Quiet. My parents kept {n} goats near {city}, and I milked them before
    school. | What livestock did {who}'s family have? | How many goats did {who} milk as a child?
What are you scared of, then? | Spiders, and deep water. I nearly drowned in {city} when I was seven. | What
    traumatic thing happened to {who} as a child? | Where did {who} nearly drown?
How did {name} take the news? | She hugged me for about five minutes. She's going to be the godmother. | Who
    will be godparent for {who}'s child? | What did {name} do when {who} told her the news of the baby?
What's your favourite thing about the city? | The flea market by the station. I found a lamp from the fifties
    there for {n} dollars. | What did {who} find at the flea market? | How much did {who} pay for the lamp at the
    flea market?
`
    .trim()
    .replace(FOLDED, ' ')
    .split('\n')
    .map((line) => {
      const [lead = '', told = '', otherwise = '', question = ''] = line
        .split('|')
        .map((part) => part.trim());
      return [lead, told, otherwise, question];
    });

/** Said now and then, about nothing that is asked for; some of it sounds as if it were. */
export const chatter: readonly string[] = `
Hey {other}! It's been a while, how are you?
Good to hear from you, {other}! I'm doing fine, just busy with work.
Haha, that sounds just like you.
Wow, that's amazing! I'm so happy for you.
Oh no, I'm sorry to hear that. Is there anything I can do?
Same here. The days just fly by at the moment.
That reminds me, I really need to call my sister.
The weather has been awful, hasn't it? Rain for two weeks.
I've been thinking about taking up a new hobby myself.
We should go camping together some time, like in the old days.
My boss wants that report by Friday, so I'll be at the office late.
I made pasta last night and it was a disaster.
Did you see the match on Sunday? What a finish.
I love that! You always find the best places.
My dog kept me awake half of the night.
Music really gets me through the week.
I went for a run this morning and it cleared my head.
Being outside in nature always helps me calm down.
Family is everything, isn't it?
I'd love to travel more, but the money is tight this year.
I've started reading again before I go to bed.
Thanks for always listening, {other}. It means a lot.
You deserve it, you worked so hard.
Let's catch up again soon. Say hi to everyone!
What a story! Tell me more when we meet.
My car makes a strange noise again, I should have it looked at.
I'm trying to eat more vegetables, but it's hard.
The kids are fine, school is keeping them busy.
Did I tell you about the concert I missed?
I painted the kitchen yellow. It looks like a lemon now.
Birthdays make me a little sad these days.
I was at the doctor's for a check-up, all good.
Sometimes I wonder whether I should change jobs.
I'm watching a series about a detective, it's quite good.
My plants are all dying, I don't know what I do wrong.
Do you remember our trip to the mountains? Those were the days.
I've got a wedding to go to next month and nothing to wear.
My brother is visiting this weekend, the flat is a mess.
I had the best coffee of my life at that little place on the corner.
Take care, {other}! Talk to you soon.
`
  .trim()
  .replace(FOLDED, ' ')
  .split('\n');
