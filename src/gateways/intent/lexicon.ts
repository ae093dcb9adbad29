/*
 * Words of one kind, so that what was learned of "lamp" counts for "chandelier" too. A word may be of several
 * kinds. Singular only: a plural "s" is taken off when a word is looked up.
 */
const kinds: Readonly<Record<string, string>> = {
  device: `light lamp lightbulb bulb chandelier lantern spotlight downlight sconce nightlight led switch plug socket
    outlet thermostat heater heating radiator boiler furnace ac aircon conditioner conditioning fan humidifier
    dehumidifier purifier blind shade shutter curtain drape awning lock deadbolt doorbell garage gate alarm siren
    camera cam sensor detector vacuum roomba robot mop mower sprinkler irrigation tv telly television soundbar
    speaker sonos projector receiver oven stove hob kettle toaster microwave dishwasher washer dryer fridge freezer
    refrigerator coffeemaker espresso sauna jacuzzi pool pump charger wallbox solar inverter battery hub bridge
    chromecast roku subwoofer stereo fireplace aquarium feeder intercom skylight dimmer hood extractor ventilation`,
  room: `kitchen bedroom bathroom livingroom lounge hallway hall corridor basement cellar attic loft garage garden
    yard backyard patio porch terrace balcony nursery office study den pantry laundry stairs staircase upstairs
    downstairs room house home apartment flat driveway shed conservatory foyer entryway indoors inside outside`,
  switching: `turn switch dim brighten toggle activate deactivate open close shut lock unlock raise lower increase
    decrease mute unmute pause resume start stop arm disarm enable disable heat cool warm vacuum mow water preheat
    adjust crank roll draw pull kill hit boost charge`,
  degree: `degree celsius fahrenheit percent brightness warmer cooler colder hotter brighter darker dimmer louder
    quieter humidity temperature volume bright dark cosy chilly stuffy freezing hot`,
  scene: `scene mode routine ambience mood eco vacation away guest party movie`,
  music: `music song playlist track album radio podcast spotify volume tune jazz audiobook shuffle skip`,
  language_of_code: `python javascript typescript java kotlin swift rust golang go ruby php perl haskell scala
    clojure elixir erlang lua julia matlab fortran cobol c++ c# f# cpp csharp bash zsh powershell sql html css scss
    sass r dart ocaml lisp scheme prolog assembly wasm solidity vba graphql yaml json xml toml latex markdown groovy`,
  tool_of_code: `git github gitlab docker kubernetes k8s npm yarn pnpm pip conda maven gradle webpack vite eslint
    prettier babel react vue angular svelte nextjs nuxt django flask fastapi rails laravel spring springboot express
    nestjs node nodejs deno bun numpy pandas pytorch tensorflow keras postgres postgresql mysql sqlite mongodb
    mongo redis kafka rabbitmq elasticsearch terraform ansible jenkins aws azure gcp lambda s3 nginx apache linux
    ubuntu ssh vim neovim emacs vscode intellij xcode jest pytest junit cypress playwright selenium tailwind
    bootstrap jquery flutter android unity unreal arduino esp32 raspberry prisma sqlalchemy hibernate grpc helm
    cmake make gcc clang llvm gdb valgrind cargo homebrew homeassistant wordpress firebase supabase`,
  code: `code coding program programming programmer function method class variable array list dict dictionary hashmap
    string integer int float boolean bool struct enum interface inheritance polymorphism recursion recursive loop
    iterator iterate generator closure callback promise async await thread mutex semaphore deadlock pointer heap
    stack queue tree graph node algorithm complexity compiler compile interpreter runtime debug debugger debugging
    bug breakpoint exception stacktrace traceback segfault null undefined nan syntax parser parse regex lint linter
    refactor refactoring unittest mock api endpoint rest http https request response json schema query database
    table column index join migration orm transaction backend frontend fullstack server client websocket socket
    middleware auth oauth jwt token cookie cors cache deploy deployment container image cluster pod pipeline ci cd
    commit branch merge rebase pull repo repository diff patch script snippet library package dependency module
    import export framework component prop state hook dom div selector flexbox grid stylesheet viewport button
    constructor decorator annotation type typing generic lambda operator overload template macro kernel daemon cli
    terminal shell command stdin stdout argument parameter return encode decode serialize deserialize hash encrypt
    crash error warning webhook microservice monolith singleton factory crud localhost port firewall dns vm
    implementation implement unit test testing app website webpage html5 crawler scraper scrape bot plugin`,
  creative_form: `poem poetry haiku limerick sonnet ode ballad verse rhyme stanza lyric song rap story tale fable
    fairytale novel novella fiction fanfiction plot character protagonist villain hero heroine dialogue monologue
    scene screenplay script play skit sketch joke pun riddle slogan tagline motto jingle caption toast eulogy speech
    letter card diary memoir essay blog blogpost headline advert ad commercial brochure trailer logline synopsis
    blurb title name nickname lullaby anthem chorus hymn myth legend saga epic parody satire comic cartoon acrostic
    tanka villanelle metaphor simile prompt worldbuilding backstory campaign invitation dedication vow pitch tweet
    copy narrative anecdote chapter paragraph ghost dragon wizard mermaid unicorn vampire pirate knight princess
    fairy elf goblin witch werewolf alien robot kingdom castle spaceship galaxy enchanted`,
  creative_act: `write compose invent imagine brainstorm draft create craft pen rhyme improvise pretend roleplay
    dream describe narrate sing rap pitch design suggest come`,
  time: `second minute hour day week weekend month year morning noon afternoon evening night midnight tonight today
    tomorrow yesterday am pm oclock quarter half daily weekly monthly yearly hourly nightly weekday later soon
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    january february march april june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec dawn dusk sunrise sunset fortnight biweekly`,
  appointment: `appointment meeting event calendar schedule agenda reminder alarm timer countdown stopwatch pomodoro
    deadline due task todo standup sync retro interview conference call webinar lunch dinner brunch breakfast
    dentist doctor haircut checkup vet birthday anniversary party wedding class lesson lecture exam practice
    rehearsal workout gym yoga flight checkin slot availability available booked invite invitation rsvp conflict
    vacation holiday timesheet cron job recurring shift session kickoff demo review`,
  scheduling_act: `remind schedule reschedule book postpone cancel move shift push snooze wake ping nudge alert notify
    plan organise organize block delay repeat invite set add put`,
  math: `plus minus times divided multiply multiplied divide sum difference product quotient percent percentage ratio
    fraction decimal square root cube squared cubed equation solve integral integrate derivative differentiate
    matrix determinant vector eigenvalue polynomial quadratic prime factor factorial divisor multiple remainder
    modulo probability odd chance dice coin permutation combination variance deviation mean median average theorem
    proof prove lemma induction triangle circle rectangle radius diameter perimeter area volume angle hypotenuse
    slope parabola logarithm log exponent sine cosine tangent calculate compute calculation arithmetic algebra
    geometry calculus digit integer sequence series interest discount profit margin speed mph kmh distance`,
  reasoning: `logic logical logically deduce infer inference premise conclusion fallacy syllogism argument
    counterargument hypothesis puzzle riddle paradox dilemma strategy strategic tradeoff pro con decide decision
    option alternative compare comparison evaluate weigh assess analyse analyze analysis critique reason reasoning
    rational optimal optimize optimise scenario consequence implication assumption evidence correlation causation
    cause effect step carefully consider justify rigorous estimate worth versus should cheaper efficient better
    contradiction likely likelihood rank prioritize investigate diagnose knight knave liar truth suspect culprit`,
  tongue: `english german french spanish italian portuguese dutch swedish norwegian danish finnish polish czech
    russian ukrainian turkish greek arabic hebrew hindi urdu bengali tamil chinese mandarin cantonese japanese korean
    thai vietnamese indonesian malay swahili latin welsh irish gaelic hungarian romanian bulgarian serbian croatian
    catalan basque icelandic persian farsi tagalog esperanto`,
  wording: `translate translation spell spelling grammar grammatical proofread rephrase paraphrase reword rewrite
    summarise summarize summary tldr tl synonym antonym pronounce pronunciation conjugate decline plural tense comma
    punctuation sentence paragraph text wording formal informal tone concise shorten condense bullet idiom phrase
    typo transcript article document email abstract vocabulary accent`,
  question: `what whats who whos whom whose when where which why how`,
  science: `planet star galaxy atom molecule electron proton neutron gene dna cell protein virus bacteria bacterium
    enzyme evolution gravity energy physics chemistry biology geology astronomy physicist chemist element metal acid
    oxygen hydrogen carbon nitrogen gas liquid mineral rock volcano earthquake climate ocean sea river lake mountain
    island continent desert forest species mammal reptile bird insect fish dinosaur fossil brain heart lung liver
    kidney blood bone muscle nerve vitamin hormone disease symptom vaccine antibiotic diabetes cancer allergy
    photosynthesis radiation magnet magnetic electricity nuclear quantum relativity light wavelength telescope
    satellite rocket orbit moon sun eclipse comet`,
  history: `king queen emperor empress pharaoh president minister chancellor pope saint prophet philosopher
    philosophy war battle revolution empire dynasty treaty constitution parliament senate congress election
    democracy monarchy republic colony independence ancient medieval renaissance century era civilization
    civilisation inventor invented discovered founded founder explorer painter painted composer composed author
    novelist sculptor architect director actor actress singer band nobel oscar olympic championship league religion
    buddhism islam christianity hinduism judaism bible quran temple cathedral pyramid`,
  place: `country capital city town population currency border europe asia africa america australia antarctica
    france germany spain italy portugal england britain scotland ireland wales netherlands belgium switzerland
    austria poland hungary romania greece turkey russia ukraine sweden norway finland denmark iceland canada mexico
    brazil argentina chile peru colombia china japan korea india pakistan thailand vietnam indonesia philippines
    egypt morocco nigeria kenya ethiopia ghana zealand israel iran iraq syria paris london berlin madrid rome
    lisbon vienna prague amsterdam brussels athens tokyo beijing moscow delhi cairo sydney toronto york chicago`,
  animal: `dog cat horse cow pig sheep goat chicken duck goose rabbit mouse rat hamster elephant lion tiger bear wolf
    fox deer monkey ape gorilla giraffe zebra whale dolphin shark octopus squid crab spider bee ant butterfly snake
    lizard turtle frog owl eagle penguin parrot crow swan flamingo kangaroo koala panda camel bat hedgehog`,
  greeting: `hi hello hey hiya howdy morning evening goodnight bye goodbye cheers thanks thank thx welcome sorry
    congrats sup yo greetings farewell cya ciao`,
  feeling: `happy sad tired bored lonely angry excited nervous anxious stressed worried scared proud grateful hungry
    exhausted depressed upset annoyed love hate miss feel feeling mood awesome amazing great terrible awful cool
    nice funny sweet lovely wonderful horrible sick grumpy jealous`,
  reply: `yes no yeah yep nope nah ok okay sure alright right fine exactly indeed really wow haha lol hmm maybe
    perhaps agreed true false correct wrong never nevermind whatever`,
  remembering: `remember recall remembered memory memories memorize memorise forget forgot forgotten mentioned told
    said know note noted store stored save keep mind recollect reminisce preference favourite favorite allergic
    prefer hobby profile discussed talked`,
  self: `i im ive id my me mine myself we our us`,
  assistant: `you your youre yourself hark assistant bot`,
  machinery: `model llm gpt claude llama qwen mistral gemini ollama provider slot runner openrouter anthropic openai
    token context uptime version log logs status health service server restart reboot shutdown api key config
    configuration setting session device backup restore retention microphone mic voice speech websocket mcp tool
    cache queue index embedding credential credit quota metrics telemetry diagnostic doctor cpu ram disk gpu update
    event capture consent port`,
  outside_world: `weather forecast rain snow temperature wind storm umbrella news headline traffic stock share price
    bitcoin crypto exchange rate score match game restaurant hotel flight train bus taxi uber ticket delivery parcel
    package order buy purchase pay transfer bank account invoice nearby nearest open website online web internet
    google search browse download upload file folder pdf document photo screenshot spreadsheet slack whatsapp
    telegram twitter facebook instagram linkedin youtube notion jira gmail outlook inbox mail email sms message text
    send reply forward call phone dial post publish share shopping grocery cart list subscribe unsubscribe`,
  commanding: `add remove delete create make send show list check find get give tell run stop start cancel change
    rename update open close clear install download upload print scan sign join post share publish subscribe fetch
    launch trigger execute connect reconnect look pay transfer log track record reply forward archive zip submit`,
  author_of_code: `write implement fix debug refactor optimise optimize port convert parse sort reverse flatten merge
    filter iterate compile deploy install import mock profile configure setup rename validate serialize cast
    allocate initialize instantiate override inherit subclass fork clone push rollback migrate`,
  term_of_code: `boilerplate codebase config env environment variable flag verbose kwargs args stdout printf println
    console npx sdk ide repl gui orm mvc oop tdd dns tcp udp tls ssl ip subnet vpc cdn cname proxy nat sudo chmod
    chown grep awk sed curl wget cron crontab systemd bashrc makefile dockerfile readme changelog semver monorepo
    submodule subquery primary foreign varchar timestamp uuid guid utf ascii unicode base64 hex binary bitwise byte
    buffer malloc free garbage collector thread goroutine coroutine asyncio asynchronous synchronous concurrency
    parallelism race lock atomic immutable mutable readonly static const let var def void public private protected
    abstract final super self instance object prototype mixin trait enum tuple slice map set hash trie bst dfs bfs
    dijkstra quicksort mergesort bubble memoization dynamic greedy backtracking regexp tokenizer lexer ast bytecode
    opcode jit vectorized dataframe csv parquet xlsx notebook jupyter tensor gradient epoch backprop overfitting
    embedding transformer shader opengl vulkan webgl canvas sprite hitbox physics mesh css3 media query breakpoint
    margin padding navbar dropdown modal tooltip checkbox textarea form submit onclick listener event handler
    reducer redux context usestate useeffect router ssr csr hydration bundler transpile minify polyfill sourcemap`,
  story_world: `adventure quest hero magic magical spell curse prophecy moonlight moon stars sea forest ocean castle
    robot alien astronaut detective murder mystery thriller romance horror fantasy noir western steampunk cyberpunk
    dystopia dystopian utopia whimsical melancholic humorous hilarious witty funny poetic lyrical heartfelt romantic
    spooky scary surreal epic dramatic tragic bedtime once lonely brave tiny talking lost forgotten ancient secret
    hidden twist ending opening chorus refrain stanza imagery mood voice perspective narrator style shakespeare
    shakespearean tolkien hemingway poe dickinson seuss rowling kafka wilde austen dickens orwell whitman neruda
    rumi basho frost plath`,
  occasion: `birthday wedding anniversary farewell retirement graduation christmas valentine easter halloween baptism
    funeral housewarming newborn engagement bachelor bachelorette reunion`,
  product: `brand startup company bakery cafe restaurant shop store studio salon brewery podcast channel newsletter
    business campaign product app game band team club perfume cocktail candle`,
  chore: `laundry trash bin garbage dishes groceries medicine medication pill tablet vitamin plant rent bill invoice
    tax passport homework essay assignment report presentation slides parcel package prescription insurance
    subscription oil tire battery filter permission present gift card milk pasta rice egg pizza cake roast tea`,
  family: `mum mom mother mama dad father papa wife husband partner girlfriend boyfriend son daughter kid child
    children baby brother sister sibling aunt uncle cousin niece nephew grandma grandpa grandmother grandfather
    granny friend neighbour neighbor colleague coworker boss manager landlord teacher roommate flatmate`,
  name: `anna ben peter paul tom tim lisa maria max john mary bob alice sarah david michael emma lena jonas clara
    karin marta julia laura sophie lucas leon felix mark steve james kate jane susan linda emily olivia noah liam
    mia ella jack harry george sam alex chris nick dan joe mike kevin rachel hannah amy lucy priya raj wei chen ahmed
    omar fatima carlos juan pedro luis sofia elena ivan olga sven lars ingrid bruno oscar hugo leo`,
  thing_counted: `apple orange pear banana coin ball marble card dice box bag jar bucket jug bottle tile brick worker
    machine car train bus boat cyclist runner farmer sheep cow chicken student book page ticket shirt sock glove
    candle rope ladder clock weight litre liter gallon metre meter kilometre kilometer mile inch foot feet gram
    kilogram kg pound ounce euro dollar cent penny pence minute hour mph km/h`,
  wondering: `explain describe define meaning difference origin history fact cause effect purpose role function
    definition biggest largest smallest tallest longest oldest highest deepest fastest most famous first last called
    known invented discovered born died happen happened work works mean means stand consist contain made`,
  food: `bread cheese milk butter egg sugar salt pepper flour yeast rice pasta noodle potato tomato onion garlic
    carrot spinach lettuce pea bean lentil chickpea mushroom beef pork lamb chicken turkey ham bacon salmon tuna
    shrimp sushi curry soup salad sauce pizza burger sandwich cake cookie pie chocolate honey coffee tea wine beer
    whisky vodka juice water fruit vegetable berry strawberry grape lemon lime mango avocado nut almond walnut peanut
    cinnamon ginger basil parsley recipe calorie protein carbohydrate fat fibre fiber vegan vegetarian gluten bake
    boil fry roast grill simmer cook marinate`,
  body: `head neck shoulder back knee ankle foot hand finger toe skin hair eye ear nose mouth tooth teeth tongue throat
    stomach belly pain ache headache fever cough cold flu infection pregnant pregnancy diet exercise sleep weight
    blood pressure cholesterol heart doctor hospital medicine surgery asthma arthritis migraine insomnia anxiety
    depression adhd autism`,
  culture: `movie film book novel series show season episode song album opera symphony painting sculpture museum
    theatre theater play musical ballet dance festival sport football soccer basketball tennis cricket baseball
    rugby golf chess boxing hockey swimming marathon tournament champion championship trophy medal player coach goal
    beatles mozart beethoven bach chopin picasso gogh rembrandt vinci monet einstein newton darwin curie tesla
    galileo napoleon caesar cleopatra hitler stalin churchill lincoln washington gandhi mandela columbus magellan
    aristotle plato socrates nietzsche freud marx homer dante shakespeare`,
  society: `law court judge crime police prison tax economy economic inflation recession currency bank stock bond
    budget debt trade market capitalism socialism communism fascism feminism racism slavery immigration human right
    vote voting party policy government state federal union nato eu un who imf culture tradition custom holiday
    festival ritual christmas easter ramadan hanukkah diwali passport visa`,
  engineering: `engine motor turbine battery transistor semiconductor circuit processor cpu gpu computer internet wifi
    bluetooth gps radar sonar laser led airplane plane aircraft helicopter submarine ship bridge tunnel dam skyscraper
    elevator refrigerator microwave camera lens vaccine printing telegraph telephone television radio bicycle steam
    wind turbine solar panel hydrogen fuel diesel petrol nuclear reactor fission fusion blockchain encryption`,
  opinion: `think opinion prefer believe favorite favourite agree disagree love like enjoy feel honest secret chat talk
    game play bored joke lonely company friend buddy mate pal dude bro`,
  reaction: `great good bad nice cool awesome amazing perfect excellent brilliant fantastic wonderful lovely sweet
    terrible awful horrible crazy weird strange interesting boring funny hilarious sad wow oh ah ugh yay hooray oops
    ouch whoa damn gosh omg lol lmao rofl haha hehe yikes meh nah yup okey okie`,
  vague: `something anything nothing everything someone thing stuff whatever somehow somewhere`,
  politeness: `please could would can kindly pls plz mind may might`,
};

/** Every kind by name; what a word is of is given as places in this list. */
export const kindNames: readonly string[] = Object.keys(kinds);

const kindsOfWord = new Map<string, number[]>();
for (const [place, words] of Object.values(kinds).entries()) {
  for (const word of words.split(/\s+/)) {
    const places = kindsOfWord.get(word);
    if (places) places.push(place);
    else kindsOfWord.set(word, [place]);
  }
}

const NONE: readonly number[] = [];

export function kindsOf(word: string): readonly number[] {
  const places = kindsOfWord.get(word);
  if (places || word.length < 4 || !word.endsWith('s')) return places ?? NONE;
  return kindsOfWord.get(word.slice(0, -1)) ?? kindsOfWord.get(word.slice(0, -2)) ?? NONE;
}
