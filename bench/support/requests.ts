import { FOLDED } from './folded.ts';

/*
 * What people ask an assistant for, with something of themselves said in passing: kept back at first, and then
 * looked at while search was made better, so that its figures flatter. What is told, what the assistant answers, a
 * question somebody would ask weeks later, and one in words of its own.
 */
export const requests: readonly (readonly string[])[] = `
I'd like some ideas for weeknight dinners. By the way, my air fryer from Costco finally arrived and I've been
    using it nearly every evening. | Sheet-pan gnocchi, crispy chickpeas and salmon with broccoli are all done in
    twenty minutes. | Where did I get my air fryer? | Which kitchen appliance have I been using a lot?
Can you help me plan a study schedule? I'm taking the bar exam on July 29th and I still work full time at the
    library. | Start with the subjects that carry most points, two hours before work, and keep Sundays for mock
    questions. | When am I taking the bar exam? | Which test am I studying for?
I need a polite e-mail to my landlord. The dishwasher has leaked three times since we moved in last November and
    the parquet is warping. | Dear landlord, I am writing about a recurring leak. Please let me know when a
    technician can come. | How many times has the dishwasher leaked? | What happened to the wooden floor of my
    rented place?
Recommend me some podcasts for the commute, I spend fifty minutes each way on the ferry to Bremerton these days.
    | For the crossing, try a history series, a storytelling show and a short daily news digest. | How long is my
    commute on the ferry? | How do I travel to my job?
What should I know before adopting a greyhound? The rescue called me and a retired racer named Domino is waiting
    for me. | Greyhounds are gentle sprinters who sleep most of the day; keep them on a leash near small animals. |
    What's the name of the greyhound I want to adopt? | What pet am I getting from the rescue?
I'm thinking of repainting my bedroom, right now it's a gloomy olive that the previous tenants chose. Any
    suggestions? | Warm white, dusty pink or a light clay would brighten the room; test two samples by the window. |
    What color is my bedroom now? | Which hue of my walls do I find depressing?
How do I get red wine out of linen? My cousin Beatriz spilled a whole glass on the tablecloth that I inherited
    from my grandmother. | Blot, sprinkle salt, then pour boiling water from a height; a paste of peroxide helps
    with old marks. | Who spilled wine on my tablecloth? | Which heirloom of mine got stained?
My knee clicks when I climb the stairs. I stopped playing squash two months ago because of it. What could it be?
    | A click without pain is mostly harmless, but swelling or locking should be looked at. | Why did I stop playing
    squash? | Which sport did I give up because of a joint?
Help me write a toast for my brother's wedding, they met when she towed his broken Vespa across half of Naples.
    | To a love that began with a rope and a broken engine: may you always pull each other along. | How did my
    brother meet his bride? | What vehicle had broken down when the couple got to know each other?
I'm looking for a good beginner's telescope under 300 dollars, my daughter turns nine on the twelfth and she's
    obsessed with Saturn. | A tabletop Dobsonian shows the rings and needs no alignment; add a moon filter. | How
    old will my daughter be? | What is my girl crazy about?
What's a good stretch after long hours of driving? I deliver flowers for a shop in Tacoma since March. | A
    doorway chest stretch, a figure four and a slow twist in the seat at each stop. | What do I deliver? | What do I
    do for a living?
Could you explain compound interest? I put 4,200 dollars into an index fund last week, my very first investment.
    | Interest is earned on the interest as well, so that time does more than the rate. | How much did I put into
    the index fund? | What sum did I first put on the stock market?
I need a packing list for Iceland. We land in Reykjavik on September 3rd and rent a camper for eight days. |
    Layers, a waterproof shell, wool socks, swimwear for the hot springs, and an eye mask. | For how many days do we
    rent the camper? | When does my Nordic vacation start?
My sourdough won't rise. I named the starter Clint Yeastwood, and he was fine until I moved him to the garage. |
    A cold garage slows him down; bring him back to a warm shelf and feed him twice a day. | What did I name my
    sourdough starter? | Where was the dough culture kept when it went flat?
Suggest questions for a book club on Middlemarch. I host it this time, and there will be seven of us on my tiny
    balcony. | Ask whether Dorothea's ideals were wasted, and who in the novel truly changes. | What book will we
    discuss at the book club? | How many people are coming to my reading circle?
I can't decide between a violin and a viola. I used to play the violin as a child with Mrs Halloran, who had a
    parrot on her shoulder. | The viola is darker and larger; try both for a week with a rented instrument. | Who
    taught me the violin? | What creature did my old music teacher have?
Give me tips for a job interview at a museum. I've got an art history degree from Leeds, but I've only worked in
    call centres so far. | Speak of what calls have taught you: patience, clear words and a way with any visitor. |
    What did I study at Leeds? | What kind of work experience do I have?
How do I stop a toddler from biting? Mateo bit two kids in daycare this week and the director wants to see us on
    Thursday. | Name the feeling, offer a teether and praise gentle hands; biting fades with words. | When does the
    director of the daycare want to see us? | What trouble is my little boy in?
Which houseplants survive with little light? My new office is in the basement of the courthouse, I've got one
    window the size of a book. | A snake plant, a ZZ plant and pothos live on almost nothing. | Where is my new
    office? | In what sort of building do I work?
I want to learn some Swahili, since my fiancé's parents only speak that. We fly to Mombasa in December so that
    they can meet me. | Begin with greetings: hujambo, shikamoo for elders, and asante sana. | Why do I want to
    learn Swahili? | Who am I going to meet in Kenya?
What can I do with forty kilos of apples? The old tree behind our cottage went wild this autumn. | Press cider,
    dry rings, cook butter with cinnamon and freeze pie fillings. | How many kilos of apples do I have? | Which
    fruit did our garden yield in abundance?
My phone keeps dropping calls since I switched to Lumo Mobile in May. Should I reset it? | Reset the network
    settings first, and ask the provider for a new SIM card. | Which provider did I switch to in May? | Why am I
    unhappy with my cell carrier?
Can you make a training plan for a half marathon? I'm 52 and I only began running after my divorce, five
    kilometres is my longest so far. | Twelve weeks, three runs each: easy, hills and a long one that grows by a
    kilometre. | What's the longest distance I've run? | What life event made me take up jogging?
I'd like a crochet pattern for a blanket. The last thing I made was a lobster for my nephew and it took me
    eleven evenings. | A granny-square throw in six colours is forgiving and grows with each evening. | What did I
    crochet for my nephew? | How long did it take me to make the stuffed sea creature?
What's the etiquette at a Japanese tea ceremony? My boss Mr Tanabe invited our whole team for the opening of the
    Osaka branch. | Bow when the bowl is handed to you, turn it twice and praise it before you drink. | Who invited
    our team to the tea ceremony? | What is the company celebrating?
How much protein do I need? I've been vegetarian since I watched a film on fishing nets, and the gym trainer
    says that I'm losing muscle. | About 1.6 grams a kilo: lentils, tofu, eggs and yogurt get you there. | What does
    the gym trainer say about me? | Why don't I eat meat any more?
I need help with a eulogy. My uncle Desmond was a lighthouse keeper and taught all of us to whistle with two
    fingers. | Begin with the whistle; let the room try it once, and then speak of the light he kept. | What did
    uncle Desmond teach us? | What was the profession of my late relative?
Is it worth repairing a 2009 Corolla? The shop quoted 1,850 for the clutch, and I've promised the car to my
    niece for college. | If the body is sound, a clutch is cheaper than another car; ask for a second quote. | What
    did the shop quote for the clutch? | Who is going to have my old Toyota?
What board games work for two? Since my flatmate Ayo moved to Lagos, it's only my girlfriend and me on Friday
    nights. | Patchwork, Jaipur and Azul are quick, and Spirit Island if you like to think together. | Where did my
    flatmate Ayo move? | On which evening do my partner and I play?
I'm scared of going to the dentist. They have to take out two wisdom teeth on Monday, and the last time I
    fainted in the chair. | Tell them at once, ask for a signal to pause, and bring headphones with a long album. |
    How many wisdom teeth will be taken out? | What embarrassing thing happened to me at the dental practice?
Could you proofread my cover letter? I apply as a sound engineer at the opera, and I mention the two years that
    I mixed for a circus. | Lead with the circus: no other applicant has mixed sound under a trapeze. | Which
    position do I apply for at the opera? | For whom did I handle the audio before?
My tomatoes have black spots at the bottom. I planted them in old bathtubs on the roof of our building. | That
    is blossom-end rot: water evenly and give them calcium. | Where did I plant my tomatoes? | What do I use as
    containers for my vegetables?
I'd love a weekend itinerary for Ghent, my pen friend Margriet lives there and we've been writing to each other
    for nineteen years. | See the altarpiece early, the canals at dusk, and eat waterzooi with your friend. | How
    long have Margriet and I been writing to each other? | Which acquaintance of mine lives in Belgium?
How do I sleep better? The tenants above us got a drum kit, and I've been living on four hours a night. |
    Earplugs, pink noise and a friendly note with quiet hours would be a beginning. | How many hours a night have I
    been sleeping? | What disturbs my rest at home?
Write a short bio for my pottery website. I throw pots in an old fire station in Duluth and sell mostly to
    restaurants. | In a fire station where engines once slept, she turns clay into plates for chefs. | Where do I
    throw my pots? | Who are my main customers?
Which camera strap is comfortable for long days? I shot my first wedding last Saturday, eleven hours, and my
    neck is done. | A cross-body sling or a two-point harness takes the weight off your neck. | How long was the
    wedding that I shot? | Which paid assignment hurt my spine?
`
  .trim()
  .replace(FOLDED, ' ')
  .split('\n')
  .map((line) => line.split('|').map((part) => part.trim()));

/** What an assistant is asked besides, of which nothing is asked later. */
export const besides: readonly string[] = `
Can you explain how tides work?
What's a good name for a lemonade stand?
How do I convert a recipe from cups to grams?
Give me five facts about octopuses.
What's the difference between a crocodile and an alligator?
Could you suggest a few stretches for the morning?
Which documentaries on the ocean are worth watching?
How do I keep basil alive in the kitchen?
What should I cook with leftover rice?
Tell me how to remove a splinter.
How does a dishwasher work?
Please translate 'good evening' into six languages.
What are good questions for a job interview?
Is it better to rent or to buy a car for a year?
How do vaccines work, in simple words?
Which museums in Europe are free?
How do I write a polite reminder?
What's the best way to learn vocabulary?
Suggest a few novels set on an island.
How do I clean a camera lens?
What's a healthy breakfast for a runner?
How do I teach a dog to fetch?
Why do cats purr?
How long does sourdough take to rise?
`
  .trim()
  .replace(FOLDED, ' ')
  .split('\n');

/** What an assistant says to anything. */
export const remarks: readonly string[] = `
It depends on what matters most to you, so think about your budget and your time first.
Here are a few points to consider before you decide.
Start small, keep a record of what works, and change one thing at a time.
Many people find that a simple routine in the morning helps them most.
If you have children or pets at home, keep that in mind as well.
A friend or a member of your family may be able to help with the first steps.
You could also ask a professional, such as a doctor, a teacher or a mechanic, for a second opinion.
Remember to drink enough water and to get a good night's sleep.
There are books, videos and online courses on the subject for every level.
Prices vary a lot by city and season, so compare at least three shops.
Do it step by step, and take a break when it becomes too much.
Let me know if you would like more detail, a shopping list or a plan for the week.
For a garden or a balcony, choose what suits the light and the weather.
On a trip, pack light and keep your passport and your tickets close.
In the kitchen, a sharp knife and a heavy pan are worth their money.
Music, a walk or a hot bath can make the evening calmer.
`
  .trim()
  .replace(FOLDED, ' ')
  .split('\n');
