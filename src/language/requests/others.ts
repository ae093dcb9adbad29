import { piece } from '../../regExp.ts';
import { asks, END, type RequestTable } from './row.ts';

const germanSays = asks(piece`
  bitte|und|aber|also|ok|okay|hey|hallo|hark|ach|nein|ja|so|übrigens|kannst du|könntest du|du kannst|du sollst`);

export const german: RequestTable = {
  told: (what) => `Der Nutzer sagt, dass ${what}.`,
  rows: [
    {
      kind: 'remember',
      pattern: germanSays`
        (?:(?:merke?|notiere?) dir(?: bitte)?|(?:vergiss|vergesst)(?: bitte)? nicht|denke?(?: bitte)? daran
        |erinnere? dich(?: bitte)? daran|dir(?: bitte)? merken)(?:, ?dass| dass|:) (?<what>\S.*)`,
      examples: [
        ['Merk dir, dass meine Schwester Mia in Bergen wohnt.', 'meine Schwester Mia in Bergen wohnt'],
        ['Bitte vergiss nicht, dass ich Veganer bin.', 'ich Veganer bin'],
        ['Kannst du dir merken, dass ich montags arbeite', 'ich montags arbeite'],
      ],
      counterExamples: [
        'Merk dir das.',
        'Ich merke mir, dass du da bist.',
        'Erinnere mich daran, dass ich einkaufe.',
      ],
    },
    {
      kind: 'forget-all',
      pattern: germanSays`
        (?:vergiss|lösche?)(?: bitte)? (?:mich|alles(?: über mich)?(?:,? was du (?:(?:über|von) mir? |über mich )?weißt)?
        (?: über mich)?|dein gedächtnis) ?(?:$|[,.;!…])`,
      examples: [
        ['Lösche alles, was du über mich weißt.', ''],
        ['Vergiss bitte alles!', ''],
      ],
      counterExamples: ['Vergiss alles über Kaffee.', 'Lösche alles im Ordner.', 'Ich vergesse alles.'],
    },
    {
      kind: 'forget',
      pattern: germanSays`
        (?:vergiss|vergesst)(?: bitte)?(?:(?: das)${END}|(?:, ?| )dass (?<what>\S.*)
        |(?: alles)? über (?<topic>(?!mich\b)\S.*)|,? (?<thing>(?:wo|wie|wann|was|wen) ich \S.*|(?:mein|unser)\w* \S.*))`,
      examples: [
        ['Vergiss, dass ich Kaffee liebe.', 'ich Kaffee liebe'],
        ['Bitte vergiss meine Adresse!', 'meine Adresse'],
        ['Vergiss alles über meinen Ex', 'meinen Ex'],
        ['Vergiss das.', ''],
      ],
      counterExamples: [
        'Vergiss es.',
        'Vergiss nicht, dass ich Kaffee liebe.',
        'Ich vergesse meine Schlüssel.',
      ],
    },
    {
      kind: 'correct',
      pattern: germanSays`
        (?:das (?:stimmt(?: so)? nicht|ist(?: leider)? (?:falsch|nicht (?:richtig|wahr)))|falsch)${END}(?<what>.*)`,
      examples: [['Das stimmt nicht, ich wohne in Bergen.', 'ich wohne in Bergen']],
      counterExamples: ['Das stimmt nicht ganz überein.', 'Stimmt das nicht?'],
    },
    {
      kind: 'about',
      pattern: germanSays`was weißt du(?: alles| noch)? (?:über|von) (?:mich|mir|uns|(?<what>\S.*?))${END}`,
      examples: [
        ['Was weißt du über mich?', ''],
        ['Was weißt du über meine Schwester?', 'meine Schwester'],
      ],
      counterExamples: ['Was weißt du schon?', 'Weißt du, was er über mich sagt?'],
    },
  ],
};

const frenchSays = asks(
  "s'il te plaît|stp|et|mais|alors|ok|salut|bonjour|hark|non|oui|peux-tu|tu peux|au fait",
);

export const french: RequestTable = {
  told: (what) => `L'utilisateur dit que ${what}.`,
  rows: [
    {
      kind: 'remember',
      pattern: frenchSays`
        (?:souviens-toi|rappelle-toi|n'oublie pas|retiens|note)(?: bien)?(?: que | qu'|: ?)(?<what>\S.*)`,
      examples: [
        ['Souviens-toi que ma sœur Mia habite à Bergen.', 'ma sœur Mia habite à Bergen'],
        ["N'oublie pas que je suis végane", 'je suis végane'],
      ],
      counterExamples: [
        "N'oublie pas d'acheter du lait.",
        'Je me souviens que tu viens.',
        'Tu te souviens ?',
      ],
    },
    {
      kind: 'forget-all',
      pattern: frenchSays`
        (?:oublie|efface|supprime) (?:moi|tout(?: sur moi)?(?: ce que tu sais(?: (?:de|sur) moi)?)?|ta mémoire) ?(?:$|[,.;!…])`,
      examples: [['Efface tout ce que tu sais de moi.', '']],
      counterExamples: ['Efface tout le tableau.', "J'oublie tout."],
    },
    {
      kind: 'forget',
      pattern: frenchSays`
        (?:oublie)(?:(?: ça| cela)${END}|(?: que | qu')(?<what>\S.*)|(?: tout)?(?: ce que)? sur (?<topic>\S.*)
        | (?<thing>(?:où je|ce que j(?:e|'ai)|mon|ma|mes|notre|nos) \S.*))`,
      examples: [
        ["Oublie que j'aime le café.", "j'aime le café"],
        ['oublie mon adresse', 'mon adresse'],
      ],
      counterExamples: ["N'oublie pas que j'aime le café.", "J'oublie mon sac."],
    },
    {
      kind: 'correct',
      pattern: frenchSays`(?:c'est faux|ce n'est pas (?:vrai|juste|correct|exact)|faux)${END}(?<what>.*)`,
      examples: [["C'est faux, j'habite à Bergen.", "j'habite à Bergen"]],
      counterExamples: ["C'est faux depuis toujours.", 'Est-ce faux ?'],
    },
    {
      kind: 'about',
      pattern: frenchSays`
        (?:que sais-tu|qu'est-ce que tu sais|tu sais quoi) (?:de|sur|à propos de) (?:moi|nous|(?<what>\S.*?))${END}`,
      examples: [
        ['Que sais-tu de moi ?', ''],
        ['Que sais-tu sur ma sœur ?', 'ma sœur'],
      ],
      counterExamples: ['Que sais-tu faire ?'],
    },
  ],
};

const spanishSays = asks('por favor|y|pero|entonces|ok|vale|hola|hark|no|sí|puedes|podrías|por cierto');

export const spanish: RequestTable = {
  told: (what) => `El usuario dice que ${what}.`,
  rows: [
    {
      kind: 'remember',
      pattern: spanishSays`
        (?:recuerda|acuérdate de|no (?:te )?olvides(?: de)?|ten en cuenta|anota|recordar)(?: que |: ?)(?<what>\S.*)`,
      examples: [
        ['Recuerda que mi hermana Mia vive en Bergen.', 'mi hermana Mia vive en Bergen'],
        ['Por favor, no olvides que soy vegano', 'soy vegano'],
      ],
      counterExamples: [
        'No olvides comprar leche.',
        'Recuerdo que vives en Oslo.',
        '¿Recuerdas que vivo en Oslo?',
      ],
    },
    {
      kind: 'forget-all',
      pattern: spanishSays`
        (?:olvida|borra|elimina)(?:me| todo(?: sobre mí)?(?: lo que sabes(?: (?:de|sobre) mí)?)?| tu memoria) ?(?:$|[,.;!…])`,
      examples: [['Borra todo lo que sabes de mí.', '']],
      counterExamples: ['Borra todo el texto.', 'Olvido todo.'],
    },
    {
      kind: 'forget',
      pattern: spanishSays`
        (?:olvida)(?: eso${END}| que (?<what>\S.*)|(?: todo)?(?: lo que sabes)? sobre (?<topic>\S.*)
        | (?<thing>(?:dónde|lo que|mi|mis|nuestr[oa]s?) \S.*))`,
      examples: [
        ['Olvida que me encanta el café.', 'me encanta el café'],
        ['olvida mi dirección', 'mi dirección'],
      ],
      counterExamples: ['No olvides que me encanta el café.', 'Siempre olvido mi llave.'],
    },
    {
      kind: 'correct',
      pattern: spanishSays`
        (?:(?:eso )?(?:no es (?:cierto|verdad|correcto)|está mal|es falso)|falso)${END}(?<what>.*)`,
      examples: [['Eso no es cierto, vivo en Bergen.', 'vivo en Bergen']],
      counterExamples: ['No es verdad que llueva.', '¿Es falso?'],
    },
    {
      kind: 'about',
      pattern: spanishSays`[¿]?qué sabes (?:de|sobre|acerca de) (?:mí|nosotros|(?<what>\S.*?))${END}`,
      examples: [
        ['¿Qué sabes de mí?', ''],
        ['qué sabes sobre mi hermana', 'mi hermana'],
      ],
      counterExamples: ['¿Qué sabes hacer?'],
    },
  ],
};
