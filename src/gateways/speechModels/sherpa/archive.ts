import type { ModelType, SpeechModel } from '../model.ts';

/*
 * Models of the sherpa-onnx project's releases. Their tags are moved along when a file is put in place of another, so
 * each archive is pinned by its sum: those that several independent public projects pin for the same file, with its
 * exact size. They were compared in November 2026.
 */

const HOST = 'https://github.com';
export const RELEASES = 'k2-fsa/sherpa-onnx/releases/download';
export const DOCUMENTS = 'https://k2-fsa.github.io/sherpa/onnx';

export interface Archive
  extends Pick<SpeechModel, 'id' | 'name' | 'description' | 'family' | 'licence' | 'languages'> {
  readonly type: ModelType;
  readonly release: 'asr-models' | 'tts-models' | 'kws-models';
  /** Its name without `.tar.bz2`, and of the folder in it. */
  readonly archive: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly homepage: string;
  /** Below the folder in it. */
  readonly parts: Readonly<Record<string, string>>;
}

export function packed({ archive, release, bytes, sha256, parts, ...model }: Archive): SpeechModel {
  const file = { path: `${RELEASES}/${release}/${archive}.tar.bz2`, mostBytes: bytes, sha256 };
  return {
    ...model,
    format: 'tar.bz2',
    folder: `${model.type}/${model.id}`,
    host: HOST,
    files: [{ name: archive, ...file, unpack: Object.values(parts) }],
    parts: Object.fromEntries(Object.entries(parts).map(([part, path]) => [part, `${archive}/${path}`])),
  };
}

/** Understands while it hears: three networks, of which two are quantised. */
export function transducer(suffix: string, decoder = suffix): Archive['parts'] {
  return {
    encoder: `encoder${suffix}.onnx`,
    decoder: `decoder${decoder}.onnx`,
    joiner: `joiner${suffix}.onnx`,
    tokens: 'tokens.txt',
  };
}
