import { piece, regExp } from '../../regExp.ts';

const FIRST_NAMES = wordsOf(`
  adam adrian ahmed aisha alan alana albert alejandro alex alexander alexandra alexis ali alice alicia
  alina allison amanda amber amelia amir amy ana andrea andrew andy angela anita ann anna anne anthony
  anton antonio arjun arthur ashley aurora ava barbara becca becky ben benjamin beth bianca bill bob
  brad brandon brenda brian bruno caleb camila carl carla carlos carmen carol caroline catherine
  charles charlie charlotte chen chloe chris christian christina christine christopher claire clara
  claudia connor craig daisy dan dana daniel daniela danny dave david dean deborah dennis derek diana
  diego dmitri dominic donna doug dylan ed eddie edward elena eli elias elizabeth ella ellen elliot
  emil emily emma eric erica erik erin ethan eva evan eve evelyn fatima felix fiona frank fred freya
  gabriel gary gavin george georgia gina giulia grace greg gus hamza hana hannah harold harry hassan
  hazel heather helen henry holly hugo ian ibrahim ines ingrid irene isaac isabel isabella ivan jack
  jacob jake james jamie jan jane janet jared jasmine jason javier jay jean jeff jen jenna jennifer
  jenny jeremy jess jesse jessica jill jim jimmy joan joanna joe joel johannes john johnny jon jonas
  jonathan jordan jorge jose joseph josh joshua juan judy julia julian julie justin karen karim karl
  kate katherine kathy katie keith kelly ken kenji kevin khalid kim kyle lara laura lauren lea leah
  lena leo leon leonardo lewis liam lily linda lisa liz logan louis louise luca lucas lucia lucy luis
  lukas luke luna mackenzie maddie madison marco marcus margaret maria marie mario marta martha martin
  mary mateo matt matthew maya meera megan mei melanie melissa mia michael michelle miguel mike mila
  miriam mohamed mohammed molly monica muhammad nadia nancy naomi natalia natalie natasha nathan neil
  nia nick nicole nina noah noor nora oliver olivia omar oscar owen pablo pam patricia patrick paul
  paula pedro peter phil philip pierre piotr priya quinn rachel rahul raj ralph ravi raymond rebecca
  richard rick rita rob robert robin roger rohan ron rosa rosie ruby rupert russell ruth ryan sabrina
  sally sam samantha samir samuel sandra sara sarah scott sean sebastian sergei seth shane shannon
  sharon simon sofia sonia sophia sophie stefan stella stephanie stephen steve steven stuart sue susan
  sven sylvia tanya tara tariq ted teresa terry theo theresa thomas tim timothy tina toby todd tom
  tony tracy travis trevor tyler valentina vanessa vera veronica victor victoria vincent viktor walter
  wei wendy will william xavier yara yasmin yuki yusuf zach zara zoe`);
const DEMONYMS = wordsOf(`
  american british english scottish irish welsh french german dutch italian spanish portuguese swedish
  norwegian danish finnish icelandic polish czech slovak hungarian romanian bulgarian greek turkish
  russian ukrainian belarusian serbian croatian bosnian slovenian albanian swiss austrian belgian
  canadian mexican brazilian argentinian argentine chilean peruvian colombian venezuelan cuban
  dominican jamaican australian kiwi chinese japanese korean vietnamese thai indian pakistani
  bangladeshi nepali filipino filipina indonesian malaysian singaporean taiwanese iranian persian
  iraqi syrian lebanese israeli palestinian jordanian saudi egyptian moroccan algerian tunisian
  nigerian ghanaian kenyan ethiopian somali ugandan tanzanian zimbabwean cameroonian senegalese
  maltese cypriot estonian latvian lithuanian armenian georgian kazakh afghan catalan basque european
  asian african latino latina hispanic scandinavian scot brit aussie`);
const TRAITS = new Set(
  piece`
  introvert|ambivert|night owl|early bird|morning person|evening person|introvert|extrovert
  |extroverted|introverted|left-handed|right-handed|left handed|ambidextrous|atheist|agnostic
  |christian|catholic|protestant|muslim|jewish|buddhist|hindu|sikh|mormon|orthodox|lutheran|gay
  |lesbian|bisexual|queer|trans|transgender|nonbinary|non-binary|asexual|pansexual|straight|dog person
  |cat person|people person|homebody|perfectionist|minimalist|feminist|vegan|pescatarian|only child
  |lefty|bookworm|night person|twin|veteran|immigrant|expat|refugee|libra|virgo|aries|taurus|gemini
  |leo|scorpio|sagittarius|capricorn|aquarius|pisces|morning lark|workaholic|smoker|non-smoker|foodie
  |gamer|photographer by passion|teetotaler|teetotaller|shy|night-owl|tall|practicing catholic
  |practising catholic|digital nomad|socialist|liberal|conservative|libertarian|visual learner
  |amateur astronomer`.split('|'),
);
const INVENTED = regExp('i')`
  ^(?:batman|superman|spider-?man|spiderman|iron man|santa(?: claus)?|god|jesus|satan|groot|legend|death
  |darth vader|gandalf|sherlock(?: holmes)?|dracula|frodo|harry potter|siri|alexa|chatgpt|claude|legion
  |spartacus|hamlet|nobody|cinderella|zeus|thor|joker|loki|neo|yoda|robin hood|king arthur|blackbeard|barbie
  |ken)$`;

export const isFirstName = (name: string): boolean => FIRST_NAMES.has(name.toLowerCase());
export const isDemonym = (word: string): boolean =>
  DEMONYMS.has(
    word
      .toLowerCase()
      .replace(/^(?:half|part|born)[ -]/, '')
      .replace(/s$/, ''),
  );
export const isTrait = (words: string): boolean => TRAITS.has(words);
export const isInvented = (name: string): boolean => INVENTED.test(name);

const JOBS = wordsOf(`
  nurse chef cook pilot vet veterinarian doctor surgeon dentist lawyer attorney paralegal judge coach
  priest pastor rabbi monk nun au pair clerk butcher barista mechanic plumber electrician carpenter
  architect programmer developer dev swe engineer consultant accountant auditor analyst economist
  biologist chemist physicist scientist researcher postdoc professor lecturer teacher tutor librarian
  journalist reporter editor writer author novelist poet blogger photographer designer illustrator
  artist painter sculptor musician singer composer actor actress dancer director producer manager ceo
  cto cfo coo founder co-founder cofounder entrepreneur freelancer contractor builder welder machinist
  technician farmer gardener florist baker bartender waiter waitress server hairdresser barber
  beautician cleaner janitor housekeeper nanny babysitter carer caregiver paramedic firefighter
  policeman policewoman cop detective soldier officer sailor marine captain driver trucker courier
  cashier salesman saleswoman salesperson realtor broker banker trader recruiter secretary
  receptionist assistant intern trainee apprentice pharmacist psychologist psychiatrist therapist
  physiotherapist midwife radiologist cardiologist anesthesiologist optician translator interpreter
  tailor blacksmith potter jeweler pm sysadmin admin principal headmaster civil servant diplomat
  politician activist social worker stay-at-home homemaker housewife stay-at-home dad mom streamer
  youtuber statistician mathematician historian archaeologist geologist astronomer geographer
  philosopher linguist sociologist anthropologist meteorologist zoologist botanist tester qa surveyor
  planner plasterer roofer bricklayer miner fisherman lumberjack flight attendant steward stewardess
  conductor dispatcher controller buyer notary bookkeeper underwriter actuary strategist marketer
  copywriter retiree pensioner handyman bouncer guard lifeguard trainer instructor referee athlete
  footballer boxer umpire model`);
const NO_JOB = regExp()`
  ^(?:(?:big|huge|long-?time|avid|total|real|complete|heavy|light|fast|slow|good|bad|great|terrible|quick
  |keen|proud|regular|frequent|happy|new|first|returning|paying|loyal|active|native|fluent|former|ex|past
  |future|aspiring|wannabe|would-be|potential|prospective|hopeful|hobby|amateur) )*
  (?:user|customer|beginner|newcomer|member|fan|lover|believer|learner|reader|listener|winner|loser|survivor
  |owner|mother|father|brother|sister|daughter|number|minor|monster|outsider|stranger|foreigner|teenager
  |senior|junior|person|parent|giant|immigrant|applicant|human|woman|man|visitor|follower|subscriber
  |supporter|drinker|eater|sleeper|swimmer|runner|walker|hiker|cyclist|climber|player|speaker|traveler
  |traveller|thinker|procrastinator|hoarder|sucker|killer|starter|sleepover|christian|vegetarian|disaster
  |failure|adult|patient|resident|tenant|renter|participant|holder|candidate|bother|master|character|robot
  |computer|docker|server|leader of the pack|debtor|neighbor|neighbour|partner|client|investor|spectator
  |dreamer|overthinker|collector|gamer|smoker|twin)\b`;

/** "Still can't cook" ends with a job, and is none. */
const DOES_SOMETHING =
  /\b(?:can|can't|cannot|could|will|won't|would|must|never|not|n't|still|do|don't|does|did|am|is|are|was|want|need|have|had)\b/;

const NO_JOB_ENDING = regExp()`
  (?:list|buddhist|atheist|theist|baptist|methodist|feminist|perfectionist|minimalist|socialist|communist
  |capitalist|pessimist|optimist|racist|sexist|egoist|tourist|activist at heart|realist|idealist)$`;

const JOB_ENDING = regExp()`
  (?:ologist|ographer|trician|smith|wright|keeper|maker|worker|monger|herd|dresser|fighter|attendant
  |engineer|scientist|officer|operator|inspector|supervisor|administrator|coordinator|organizer|organiser
  |specialist|therapist|counselor|counsellor|advisor|adviser|executive|representative|grapher|ician|eer|ist)
  $`;

/** Whether one can be it for a living. The last word before a preposition decides. */
export function isJob(written: string): boolean {
  const role = written
    .toLowerCase()
    .replace(
      / (?:at|for|in|from|with|by|of|on|and|specialising|specializing|based|who|turned|working|to)\b.*$/s,
      '',
    );
  if (NO_JOB.test(role) || DOES_SOMETHING.test(role)) return false;
  const head = role.split(' ').at(-1) ?? '';
  if (JOBS.has(head) || JOBS.has(role) || /^stay-at-home/.test(role)) return true;
  return head.length > 5 && JOB_ENDING.test(head) && !NO_JOB_ENDING.test(head);
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
