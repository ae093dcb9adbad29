import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/*
 * What runs models in the format of ONNX is for each platform another library, and its package has all of them. So
 * the package of hark leaves it out: `hark doctor --fix` fetches that of this machine into the data directory.
 */

export type Onnxruntime = typeof import('onnxruntime-node');

/** Of the version that was tested, in whatever folder of data. */
export function fetchedOnnxruntime(dataDirectory: string): string {
  return join(dataDirectory, 'onnxruntime-1.30.0');
}

const KEY = 'hark:onnxruntime';
const ENTRY = 'node_modules/onnxruntime-node/dist/index.js';
let isHere = false;

/** Threads that begin from now on look there too. */
export function lookForOnnxruntime(dataDirectory: string): void {
  setEnvironmentData(KEY, join(fetchedOnnxruntime(dataDirectory), ENTRY));
}

/** Whether it was installed or fetched; not whether it loads. */
export function isOnnxruntimeHere(): boolean {
  isHere ||= isInstalled() || fetchedEntry() !== undefined;
  return isHere;
}

export async function loadOnnxruntime(): Promise<Onnxruntime> {
  const fetched = isInstalled() ? undefined : fetchedEntry();
  const runtime: Onnxruntime = await import(
    fetched === undefined ? 'onnxruntime-node' : pathToFileURL(fetched).href
  );
  return runtime;
}

function isInstalled(): boolean {
  try {
    return import.meta.resolve('onnxruntime-node') !== '';
  } catch {
    return false;
  }
}

function fetchedEntry(): string | undefined {
  const entry = getEnvironmentData(KEY);
  return typeof entry === 'string' && existsSync(entry) ? entry : undefined;
}
