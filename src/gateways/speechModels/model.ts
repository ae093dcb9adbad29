import type { ModelFile } from '../modelFiles/modelFile.ts';

export const modelTypes = ['stt', 'tts', 'vad', 'wake', 'embedding', 'nli'] as const;
export type ModelType = (typeof modelTypes)[number];

/** A model that can be had: what it is, and which files it consists of. */
export interface SpeechModel {
  /** Stays the same for the same files: another version is another model. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: ModelType;
  /** Those of one family are opened in the same way: see `parts`. */
  readonly family: string;
  readonly format: string;
  readonly licence: string;
  /** As in BCP 47; `*` for any. */
  readonly languages: readonly string[];
  /** Where it is described. */
  readonly homepage: string;
  /** Comes with hark, or undefined. */
  readonly builtIn?: { readonly bytes: number; readonly sha256: string | null };
  /** Below the folder of all models. */
  readonly folder: string;
  readonly host: string;
  readonly files: readonly ModelFile[];
  /** By what an engine calls it, the files and folders that it opens: below `folder`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** What has to come: exact where a sum is pinned. */
export function sizeOf({ builtIn, files }: SpeechModel): number {
  return builtIn?.bytes ?? files.reduce((sum, { mostBytes }) => sum + mostBytes, 0);
}

/** Of the largest file, which is nearly all there is; null where none is publicly known. */
export function checksumOf({ builtIn, files }: SpeechModel): string | null {
  if (builtIn) return builtIn.sha256;
  const [largest] = files.toSorted((one, other) => other.mostBytes - one.mostBytes);
  return largest?.sha256 ?? null;
}
