/** What can be used at the moment. */
export interface WyomingCatalog {
  readonly stt: readonly Named[];
  readonly voices: readonly Named[];
  readonly wakeWords: readonly string[];
}

interface Named {
  readonly name: string;
  /** Undefined for all that there are. */
  readonly languages?: readonly string[] | undefined;
}

const OURS = { name: 'hark', url: '' };
/** Where any will do: some clients take it for none where none is named. */
const LANGUAGES = (
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lb lo ' +
  'lt lv mk ml mn mr ms nb ne nl pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh'
).split(' ');

/** The answer to `describe`: only what can be used at the moment. */
export function infoOf({ stt, voices, wakeWords }: WyomingCatalog, version: string): Record<string, unknown> {
  const artifact = (name: string, description: string) => ({
    name,
    description,
    attribution: OURS,
    installed: true,
    version,
  });
  const asr = {
    ...artifact('hark', 'Speech to text'),
    models: stt.map((model) => ({ ...artifact(model.name, model.name), languages: languagesOf(model) })),
    supports_transcript_streaming: false,
  };
  const tts = {
    ...artifact('hark', 'Text to speech'),
    voices: voices.map((voice) => ({
      ...artifact(voice.name, voice.name),
      languages: languagesOf(voice),
      speakers: null,
    })),
    supports_synthesize_streaming: true,
  };
  const handle = {
    ...artifact('hark', 'An agent that acts and remembers'),
    models: [{ ...artifact('hark', 'hark'), languages: LANGUAGES }],
    supports_handled_streaming: false,
    supports_home_control: false,
  };
  const wake = {
    ...artifact('hark', 'Wake words'),
    models: wakeWords.map((phrase) => ({ ...artifact(phrase, phrase), languages: ['en'], phrase })),
  };
  return {
    asr: stt.length > 0 ? [asr] : [],
    tts: voices.length > 0 ? [tts] : [],
    handle: [handle],
    intent: [],
    wake: wakeWords.length > 0 ? [wake] : [],
    mic: [],
    snd: [],
  };
}

function languagesOf({ languages }: Named): readonly string[] {
  return languages === undefined || languages.includes('*') ? LANGUAGES : languages;
}
