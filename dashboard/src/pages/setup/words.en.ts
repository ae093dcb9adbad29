const words = {
  title: 'Setup',
  about: 'Three steps. Each can be skipped, done later and done again.',
  ready: 'Everything is set up. What was skipped can be done at any time.',
  toChat: 'Begin a chat',
  states: { open: 'open', done: 'done', skipped: 'skipped' },
  steps: {
    model: 'A model that answers',
    memory: 'Something that is remembered',
    reach: 'Who can reach hark',
  },
  notYours: 'This browser may not change the setup',
  notYoursNext:
    'Open the address that hark printed when it started, on the machine that it runs on, or run “npx hark setup” there.',
  skip: 'Skip this step',
  next: 'Go on with the next step',
  model: {
    about: 'Before anything is kept, the model answers one real question, and you see its price.',
    done: 'A model answers.',
    provider: 'Provider',
    providers: {
      'cloud-a': 'Anthropic',
      'cloud-b': 'OpenAI',
      gateway: 'OpenRouter',
      'local-runner': 'Ollama on this machine',
    },
    key: 'Its key',
    keyHint: 'Left empty, the key counts that hark has already.',
    model: 'Model',
    modelHint: 'Left empty, hark chooses one that is good and cheap.',
    tryIt: 'Try it',
    trying: 'Asking one short question…',
    use: 'Use it',
    inUse: (model: string) => `${model} answers from now on.`,
    without: 'Go on without a model',
    free: 'It runs on your machine and costs nothing.',
    unpriced: 'The provider names no price.',
    price: (input: string, output: string) => `A million tokens cost ${input} in and ${output} out.`,
  },
  memory: {
    about:
      'Say one thing about yourself: you see what hark believes from it, and why, and can forget it again.',
    done: 'hark believes something about you, and can say why.',
    sentence: 'One thing about yourself',
    placeholder: 'I live in Lisbon',
    remember: 'Remember it',
    working: 'Reading it…',
    nothing: 'Nothing was kept of that. Try a sentence like “I live in Lisbon”.',
    episode: 'What was said',
    belief: 'What is believed',
    noBelief: 'It says nothing lasting about you, so nothing is believed from it.',
    why: 'Why',
    forget: 'Forget it again',
    forgotten: 'Forgotten: nothing of it can be read again.',
  },
  reach: {
    about:
      'At first this machine alone reaches hark. For other devices it needs a key, an address and a certificate.',
    done: 'That is settled.',
    stay: 'This machine is enough',
    others: 'For other devices, run this in the folder of hark; it writes a key and an address to .env:',
    command: 'npx hark setup',
    keyed: 'A key is set: who has it reaches hark.',
  },
};

export type SetupWords = typeof words;
export default words;
