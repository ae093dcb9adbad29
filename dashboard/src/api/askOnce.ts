import { ask, type Input, type OperationName, type Output, Refusal } from './ask.ts';
import { newId } from './newId.ts';

/** The keys of what was asked for and is not known to have been done or refused. */
const open = new Map<string, string>();

/**
 * Asks for something to be added. Where the answer is lost, it may have been: asked for once more, it goes under the
 * same key, by which the service adds it once.
 */
export async function askOnce<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  const asked = JSON.stringify([name, input]);
  const key = open.get(asked) ?? newId();
  open.set(asked, key);
  try {
    const answer = await ask(name, input, { headers: { 'idempotency-key': key } });
    open.delete(asked);
    return answer;
  } catch (error) {
    if (error instanceof Refusal && !error.mayPass) open.delete(asked);
    throw error;
  }
}
