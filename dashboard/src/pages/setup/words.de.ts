import type { SetupWords } from './words.en.ts';

const words: SetupWords = {
  title: 'Einrichtung',
  about: 'Drei Schritte. Jeden kann man überspringen, später tun und noch einmal tun.',
  ready: 'Alles ist eingerichtet.',
  left: 'Kein Schritt ist offen. Übersprungenes geht jederzeit.',
  toChat: 'Einen Chat beginnen',
  states: { open: 'offen', done: 'getan', skipped: 'übersprungen' },
  steps: {
    model: 'Ein Modell, das antwortet',
    memory: 'Etwas, das im Gedächtnis bleibt',
    reach: 'Wer hark erreicht',
  },
  notYours: 'Dieser Browser darf die Einrichtung nicht ändern',
  notYoursNext:
    'Öffnen Sie die Adresse, die hark beim Start ausgegeben hat, auf dem Gerät, auf dem es läuft, oder rufen Sie dort „npx hark setup“ auf.',
  skip: 'Diesen Schritt überspringen',
  reset: 'Alle Schritte wieder öffnen',
  resetTitle: 'Alle Schritte wieder öffnen?',
  resetText: 'Übersprungene und entschiedene Schritte sind wieder offen. Was eingerichtet ist, bleibt.',
  wasReset: 'Die Schritte sind wieder offen',
  next: 'Weiter zum nächsten Schritt',
  model: {
    about:
      'Bevor etwas behalten wird, beantwortet das Modell eine wirkliche Frage, und Sie sehen seinen Preis.',
    done: 'Ein Modell antwortet.',
    provider: 'Anbieter',
    providers: {
      'cloud-a': 'Anthropic',
      'cloud-b': 'OpenAI',
      gateway: 'OpenRouter',
      'local-runner': 'Ollama auf diesem Gerät',
    },
    key: 'Sein Schlüssel',
    keyFrom: (place) => `Es gibt ihn bei ${place}.`,
    keyHint: 'Bleibt das leer, gilt der Schlüssel, den hark schon hat.',
    model: 'Modell',
    modelHint: 'Bleibt das leer, wählt hark ein gutes und günstiges.',
    noKey: (label) => `hark hat noch keinen Schlüssel von ${label}: Geben Sie einen ein.`,
    tryIt: 'Ausprobieren',
    trying: 'Eine kurze Frage wird gestellt …',
    use: 'Verwenden',
    inUse: (model) => `${model} antwortet von jetzt an.`,
    without: 'Ohne Modell weitermachen',
    free: 'Es läuft auf Ihrem Gerät und kostet nichts.',
    unpriced: 'Der Anbieter nennt keinen Preis.',
    price: (input, output) => `Eine Million Token kosten ${input} hinein und ${output} heraus.`,
  },
  memory: {
    about:
      'Sagen Sie etwas über sich: Sie sehen, was hark daraus glaubt und warum, und können es wieder löschen.',
    done: 'hark glaubt etwas über Sie und kann sagen, warum.',
    sentence: 'Etwas über Sie',
    placeholder: 'I live in Lisbon',
    remember: 'Behalten',
    working: 'Wird gelesen …',
    nothing: 'Davon blieb nichts. Versuchen Sie einen Satz wie „I live in Lisbon“.',
    episode: 'Was gesagt wurde',
    belief: 'Was geglaubt wird',
    noBelief: 'Das sagt nichts Bleibendes über Sie, also wird daraus nichts geglaubt.',
    why: 'Warum',
    forget: 'Wieder löschen',
    forgotten: 'Gelöscht: Niemand kann es mehr lesen.',
  },
  reach: {
    about:
      'Zunächst erreicht nur dieses Gerät hark. Für andere braucht es einen Schlüssel, eine Adresse und ein Zertifikat.',
    done: 'Das ist geregelt.',
    stay: 'Dieses Gerät genügt',
    others:
      'Für andere Geräte rufen Sie dies im Ordner von hark auf; es schreibt Schlüssel und Adresse nach .env:',
    command: 'npx hark setup',
    keyed: 'Ein Schlüssel ist gesetzt: wer ihn hat, erreicht hark.',
  },
};

export default words;
