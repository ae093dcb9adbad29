/* Small words by which it is told whether somebody goes on (goingOn.ts), in the languages that hark reads. */

export interface EndingTable {
  /** Nothing ends with these, but for what is asked about them. */
  readonly open: ReadonlySet<string>;
  /** Words and phrases after which whoever said them thinks on. */
  readonly openPhrases: readonly string[];
  /** Verbs that end what is said when they answer, and nothing else. */
  readonly auxiliaries: ReadonlySet<string>;
  readonly subjects: ReadonlySet<string>;
  /** What questions begin with. */
  readonly questions: ReadonlySet<string>;
  /** Begins what has a second half. */
  readonly conditions: ReadonlySet<string>;
  /** What commands begin with. */
  readonly commands: ReadonlySet<string>;
  /** Before all of that. */
  readonly polite: readonly (readonly string[])[];
  /** After these it is over. */
  readonly closing: readonly string[];
  /** Whole by themselves. */
  readonly whole: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
}

export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const phrases = (list: string): readonly string[] => list.split('|').map((phrase) => ` ${phrase}`);
const beginnings = (list: string) => list.split('|').map((phrase) => phrase.split(' '));

export const FILLERS = wordSet(
  'um umm uhm uh er erm hm hmm mm äh ähm öh hmm tja euh heu eh ehm allora dunque eeh hum eum',
);
export const english: EndingTable = {
  open: wordSet(
    'a an the my your our their its every each some another and but or nor because cause if whether than as unless until' +
      ' although whereas plus except of to for with from at by into onto about between during against without within' +
      ' towards toward per via very quite just almost rather such mister mr mrs so like and/or',
  ),
  openPhrases: phrases(
    "i mean|you know|let me|let me see|let me think|let's" +
      "|let's see|hold on|one moment|what about|how about|sort of|kind of|i think|i guess|i believe|i wonder|i was wondering" +
      '|for example|such as|as well as|in order|due to|the thing is|i want|i need|i would like|i wanna|i gotta|remind me|tell me' +
      '|show me|give me|send me|ask him|ask her|tell him|tell her|send him|send her|there is|there are',
  ),
  auxiliaries: wordSet(
    "is are was were am be been being will would can could should shall may might must do does did has have had isn't aren't" +
      " wasn't don't doesn't didn't won't can't couldn't shouldn't wouldn't haven't hasn't i'm i'll i'd i've it's that's there's" +
      " you're we're they're he's she's what's who's where's",
  ),
  subjects: wordSet('i he she we they'),
  questions: wordSet(
    "what who where when why how which whose what's who's where's when's how's is are was were do does did can could will would" +
      " should have has am may isn't aren't don't doesn't didn't can't",
  ),
  conditions: wordSet('if because although whenever unless once since after before while'),
  commands: wordSet(
    'turn switch play stop pause start set put add remove delete cancel call open close lock unlock show tell give send read' +
      ' write remind wake find search look make create order buy book schedule move change repeat skip mute dim raise lower' +
      ' increase decrease remember forget note save go take bring check translate help let ring text mark',
  ),
  polite: beginnings(
    "please|hey|hi|okay|ok|hark|so|well|and|now|then|yes|no|can you|could you|would you|will you|i want to|i need to|i'd like to" +
      "|i would like to|i want you to|let's|just",
  ),
  closing: phrases(
    'please|thanks|thank you|right now|for me|as well|too|instead|again|anymore|either|tonight',
  ),
  whole: wordSet(
    'yes no yeah yep nope okay ok sure thanks stop cancel hello hi bye goodbye continue next pause play repeat help louder quieter' +
      ' nothing right exactly maybe correct really nobody everything',
  ),
  numbers: wordSet(
    'zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen' +
      ' nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand double triple point',
  ),
};
export const endingTables: Readonly<Record<string, EndingTable>> = {
  english,
  german: {
    open: wordSet(
      'der die den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine deinen ihr ihre ihren sein' +
        ' seine seinen unser unsere euer eure kein keine keinen und oder aber sondern denn weil dass ob wenn als damit obwohl bis' +
        ' sowie sehr ganz ziemlich zum zur vom beim im ins am für von bei zu nach mit ohne gegen durch über unter zwischen wegen' +
        ' während trotz in an aus seit jeder jede jedes jeden herr frau so wie',
    ),
    openPhrases: phrases(
      'kannst du|könntest du|würdest du|kannst du mir|könntest du mir|ich möchte|ich will|ich brauche|ich hätte gern|ich meine' +
        '|weißt du|ich glaube|ich denke|moment|moment mal|warte mal|zum beispiel|erinnere mich|sag mir|zeig mir|gib mir|gibt es|es gibt',
    ),
    auxiliaries: wordSet(
      'ist sind war waren bin bist wird werden wurde kann können konnte soll sollte muss müssen will möchte darf hat habe haben hatte',
    ),
    subjects: wordSet('ich er wir'),
    questions: wordSet(
      'was wer wo wann warum wieso wie welche welcher welches wohin woher wem wen ist sind war hat hast haben kannst können könntest' +
        ' soll sollte gibt wird wirst weißt kennst darf muss',
    ),
    conditions: wordSet('wenn weil falls obwohl sobald bevor nachdem während'),
    commands: wordSet(
      'mach mache schalte stell stelle spiel spiele stopp stoppe zeig zeige sag sage gib schick schicke lies schreib schreibe erinnere' +
        ' weck wecke such suche finde rufe ruf öffne schließe lösche ändere erhöhe dimme merke vergiss',
    ),
    polite: beginnings('bitte|hey|hallo|okay|ok|hark|also|und|jetzt|dann|ja|nein|na'),
    closing: phrases('bitte|danke|vielen dank|sofort|nochmal|noch mal|wieder|heute abend|an|aus|ein'),
    whole: wordSet(
      'ja nein doch okay ok klar danke stopp stop halt hallo tschüss weiter pause lauter leiser nichts genau vielleicht richtig',
    ),
    numbers: wordSet(
      'null eins zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert tausend komma',
    ),
  },
  french: {
    open: wordSet(
      'le la les un une des du de au aux mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces et ou mais' +
        ' donc car ni que qui quand lorsque puisque si comme parce à dans en sur sous pour par avec sans chez vers entre depuis' +
        ' pendant très trop plus moins chaque quelques monsieur madame',
    ),
    openPhrases: phrases(
      "est-ce que|est ce que|peux-tu|tu peux|pouvez-vous|vous pouvez|je veux|je voudrais|j'aimerais|il faut|je pense|je crois|tu sais" +
        "|par exemple|rappelle-moi|dis-moi|montre-moi|donne-moi|il y a|y a-t-il|c'est|attends",
    ),
    auxiliaries: wordSet(
      'est sont était suis es êtes ai as a avons avez ont peut peux doit dois va vais veut veux',
    ),
    subjects: wordSet('je tu il elle on nous ils elles'),
    questions: wordSet(
      "qui que quoi où quand pourquoi comment combien quel quelle quels quelles est-ce qu'est-ce peux-tu pouvez-vous as-tu es-tu",
    ),
    conditions: wordSet('si quand lorsque puisque comme dès'),
    commands: wordSet(
      'allume éteins mets joue arrête montre dis donne envoie lis écris rappelle réveille cherche trouve appelle ouvre ferme ajoute' +
        ' supprime annule change monte baisse note',
    ),
    polite: beginnings("s'il te plaît|s'il vous plaît|hé|bonjour|salut|ok|hark|alors|et|oui|non"),
    closing: phrases("s'il te plaît|s'il vous plaît|merci|maintenant|tout de suite|encore|aussi"),
    whole: wordSet("oui non si ok d'accord merci stop arrête bonjour salut continue encore rien exactement"),
    numbers: wordSet(
      'zéro un deux trois quatre cinq six sept huit neuf dix onze douze vingt trente quarante cinquante soixante cent mille virgule',
    ),
  },
  spanish: {
    open: wordSet(
      'el la los las un una unos unas mi mis tu tus su sus nuestro nuestra y e o u pero sino porque que si cuando como aunque mientras' +
        ' de del a al en con sin por para sobre entre desde hasta hacia muy más menos cada algunos señor señora',
    ),
    openPhrases: phrases(
      'puedes|podrías|quiero|quisiera|me gustaría|necesito|creo que|o sea|por ejemplo|recuérdame|dime|' +
        'muéstrame|dame|hay|es que|un momento|tengo que',
    ),
    auxiliaries: wordSet('es son era está están estoy soy eres he has ha han puede pueden debe voy va van'),
    subjects: wordSet('yo él ella nosotros ellos'),
    questions: wordSet(
      'qué quién quiénes dónde cuándo cómo cuánto cuánta cuántos cuántas cuál cuáles hay puedes podrías',
    ),
    conditions: wordSet('si cuando aunque mientras porque'),
    commands: wordSet(
      'enciende apaga pon para reproduce muestra dime dame envía lee escribe recuérdame despiértame busca encuentra llama abre cierra' +
        ' añade borra cancela cambia sube baja apunta',
    ),
    polite: beginnings('por favor|oye|hola|vale|ok|hark|bueno|y|pues|sí|no'),
    closing: phrases('por favor|gracias|ahora|ahora mismo|otra vez|también|esta noche'),
    whole: wordSet('sí no vale ok gracias para hola adiós sigue nada exacto claro'),
    numbers: wordSet(
      'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cuarenta cincuenta cien mil coma',
    ),
  },
  italian: {
    open: wordSet(
      'il lo la i gli le un uno una mio mia miei mie tuo tua suo sua nostro e ed o ma però perché che se quando come anche mentre di del' +
        ' della dei delle a al alla ai in nel nella con senza per su sul sulla tra fra da dal dalla molto più meno ogni signor signora',
    ),
    openPhrases: phrases(
      'puoi|potresti|voglio|vorrei|mi piacerebbe|ho bisogno|penso che|credo che|cioè|per esempio|' +
        'ricordami|dimmi|mostrami|dammi|un attimo|aspetta',
    ),
    auxiliaries: wordSet('è sono era sei ho hai ha hanno può possono deve devo vado va sta sto'),
    subjects: wordSet('io tu lui lei noi loro'),
    questions: wordSet(
      'che chi cosa dove quando perché come quanto quanta quanti quante quale quali puoi potresti hai',
    ),
    conditions: wordSet('se quando anche mentre siccome'),
    commands: wordSet(
      'accendi spegni metti ferma mostra dimmi dammi manda leggi scrivi ricordami svegliami cerca trova chiama apri chiudi aggiungi' +
        ' cancella annulla cambia alza abbassa segna',
    ),
    polite: beginnings('per favore|per piacere|ehi|ciao|ok|hark|allora|e|sì|no'),
    closing: phrases('per favore|grazie|adesso|subito|ancora|anche|stasera'),
    whole: wordSet('sì no ok grazie basta ferma ciao continua niente esatto certo'),
    numbers: wordSet(
      'zero uno due tre quattro cinque sei sette otto nove dieci venti trenta quaranta cinquanta cento mille virgola',
    ),
  },
  dutch: {
    open: wordSet(
      'de het een mijn jouw zijn haar ons onze hun en of maar want omdat dat als terwijl hoewel tot dan van voor met zonder bij naar in' +
        ' op te aan uit door over onder tussen tegen heel erg zeer elke meneer mevrouw',
    ),
    openPhrases: phrases(
      'kun je|kan je|zou je|wil je|ik wil|ik zou|ik heb nodig|ik denk|weet je|bijvoorbeeld|herinner me|zeg me|laat me|geef me|er is|is er',
    ),
    auxiliaries: wordSet('is zijn was waren ben bent wordt kan kunnen moet zal zou heeft heb hebben had'),
    subjects: wordSet('ik hij wij we'),
    questions: wordSet('wat wie waar wanneer waarom hoe welke welk is zijn heeft kun kan zou wil'),
    conditions: wordSet('als omdat hoewel zodra voordat nadat terwijl'),
    commands: wordSet(
      'zet doe speel stop toon zeg geef stuur lees schrijf herinner wek zoek vind bel open sluit voeg verwijder annuleer verander',
    ),
    polite: beginnings('alsjeblieft|hé|hallo|oké|ok|hark|dus|en|ja|nee'),
    closing: phrases('alsjeblieft|alstublieft|bedankt|dank je|nu|nog een keer|ook|vanavond|aan|uit'),
    whole: wordSet('ja nee oké ok bedankt stop hallo doei verder niets precies misschien'),
    numbers: wordSet(
      'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig veertig vijftig honderd duizend komma',
    ),
  },
  portuguese: {
    open: wordSet(
      'o a os as um uma uns umas meu minha meus minhas teu tua seu sua nosso nossa e ou mas porque' +
        ' que se quando como embora enquanto de do' +
        ' da dos das em no na nos nas ao à com sem por para pelo pela sobre entre até desde muito mais menos cada senhor senhora',
    ),
    openPhrases: phrases(
      'podes|pode|poderia|quero|queria|gostaria|preciso|acho que|quer dizer|por exemplo|lembra-me|' +
        'diz-me|mostra-me|dá-me|há|tenho que|espera',
    ),
    auxiliaries: wordSet('é são era está estão estou sou és tem tenho têm vai vou deve'),
    subjects: wordSet('eu tu ele ela nós eles'),
    questions: wordSet('que quem onde quando como quanto quantos quantas qual quais porquê há podes pode'),
    conditions: wordSet('se quando embora enquanto porque'),
    commands: wordSet(
      'liga desliga põe toca para mostra diz dá envia lê escreve lembra acorda procura encontra chama' +
        ' abre fecha adiciona apaga cancela muda',
    ),
    polite: beginnings('por favor|olá|oi|ok|hark|então|e|sim|não'),
    closing: phrases('por favor|obrigado|obrigada|agora|outra vez|também|hoje à noite'),
    whole: wordSet('sim não ok obrigado obrigada para olá adeus continua nada exato claro'),
    numbers: wordSet(
      'zero um dois três quatro cinco seis sete oito nove dez vinte trinta quarenta cinquenta cem mil vírgula',
    ),
  },
};
const byCode: Readonly<Record<string, string>> = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  nl: 'dutch',
  pt: 'portuguese',
};

/** Undefined for languages of which nothing is known here. As in BCP 47. */
export function tableOf(language: string): EndingTable | undefined {
  return endingTables[byCode[language.slice(0, 2).toLowerCase()] ?? ''];
}
