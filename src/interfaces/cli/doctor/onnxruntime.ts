import {
  fetchedOnnxruntime,
  isOnnxruntimeHere,
  loadOnnxruntime,
  lookForOnnxruntime,
} from '../../../onnxruntime.ts';
import { type Check, ok, type Patient, warn } from './check.ts';

const WITHOUT =
  'no model judges contradictions, voices are told from silence by how loud they are, and large sweeps take longer';

/** What runs models on this machine: the package of hark leaves it out, since it brings every platform along. */
export const onnxruntimeCheck: Check = {
  name: 'onnxruntime',
  async run({ config }: Patient) {
    lookForOnnxruntime(config.SERVICE_DATA_DIR);
    if (!isOnnxruntimeHere())
      return [
        {
          ...warn(
            `it is not here: ${WITHOUT}`,
            'hark doctor --fix fetches it with npm: 114 MB, of which about 50 stay in the data directory',
          ),
          repair: () => repair(config.SERVICE_DATA_DIR),
        },
      ];
    const runtime = await loadOnnxruntime().catch(() => undefined);
    if (!runtime)
      return [warn(`it does not load on this machine: ${WITHOUT}`, 'It needs glibc, on x64 or arm64')];
    return [ok(`onnxruntime ${runtime.env.versions.node ?? ''} runs models here`)];
  },
};

async function repair(dataDirectory: string): Promise<string> {
  const { fetchOnnxruntime } = await import('../../../gateways/onnxruntime/fetching.ts');
  await fetchOnnxruntime(fetchedOnnxruntime(dataDirectory));
  await loadOnnxruntime();
  return 'onnxruntime is here';
}
