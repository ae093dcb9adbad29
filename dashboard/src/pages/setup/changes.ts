import { ask, type Input, type OperationName, type Output, Refusal } from '../../api/ask.ts';
import { claimHeaders, forgetClaim } from '../../state/claim.ts';

export type Status = Output<'GET /api/setup/status'>;
export type StepId = Status['steps'][number]['id'];

/** This browser showed nothing that lets it change the setup. */
export class NotYours extends Error {}

/** Asks with the claim where the setup wants one, else with the key as everywhere. */
export async function change<Name extends OperationName>(
  { claimRequired }: Pick<Status, 'claimRequired'>,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  if (!claimRequired) return ask(name, input);
  const headers = await claimHeaders();
  if (!headers) throw new NotYours();
  try {
    return await ask(name, input, { headers, withoutKey: true });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
    forgetClaim();
    throw new NotYours();
  }
}
