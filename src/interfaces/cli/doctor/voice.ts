import { z } from 'zod';
import { type Check, type CheckResult, ok, type Patient, warn } from './check.ts';
import { keyOf, walk, whyAway } from './walk.ts';

const part = z
  .looseObject({
    engine: z.string(),
    model: z.string().nullable(),
    status: z.string(),
    note: z.string().optional(),
  })
  .nullable();
const statusShape = z.looseObject({
  available: z.boolean(),
  pipeline: z.looseObject({ stt: part, tts: part }).optional(),
});

type Part = z.output<typeof part>;

/** Whether it hears and speaks. Changes nothing. */
export const voiceCheck: Check = {
  name: 'voice',
  async run({ service }: Patient) {
    if ((await whyAway(service.url)) !== undefined) return [];
    const { status, body } = await walk(service.url, '/api/voice/status', { headers: keyOf(service) });
    const parsed = statusShape.safeParse(body);
    // What keeps this key out is told by the check of the service.
    if (status !== 200 || !parsed.success) return [];
    const { stt = null, tts = null } = parsed.data.pipeline ?? {};
    return [told('understands speech', 'stt', stt), told('speaks', 'tts', tts)];
  },
};

/** Nobody has to talk: what is not there is no fault. */
function told(does: string, type: string, found: Part): CheckResult {
  const list = `hark models list --type ${type}`;
  if (found === null) return ok(`nothing here ${does}; what could: ${list}`);
  const { engine, model, status, note } = found;
  const by = model === null || model === engine ? engine : `${engine}, ${model}`;
  return status === 'failed'
    ? warn(
        `what ${does} does not work (${by}${note === undefined ? '' : `: ${note}`})`,
        `See what else could: ${list}`,
      )
    : ok(`it ${does} (${by})`);
}
