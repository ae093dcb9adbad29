import { ask, type Input, type Output } from '../../api/ask.ts';
import { attempt, tell } from '../../parts/toasts.tsx';
import { words } from './words.ts';

export type Pair = Output<'GET /api/memory/contradictions'>['contradictions'][number];
export type Side = Pair['conclusions'][number];
type Decision = Input<'PUT /api/memory/contradictions/:id/:contradicts'>['decision'];

/** Says what is so of a pair, the first of which is meant, and whether that was taken; `u` takes it back. */
export async function settle(
  id: string,
  contradicts: string,
  decision: Decision,
  onUndone?: () => void,
): Promise<boolean> {
  const put = (decision: Decision) =>
    ask('PUT /api/memory/contradictions/:id/:contradicts', { id, contradicts, decision });
  if (!(await attempt(() => put(decision)))) return false;
  const says = {
    keep: words.kept,
    'in-their-time': words.inTime,
    'no-contradiction': words.noneNow,
    open: words.reopened,
  }[decision];
  const reopen = async () => {
    const open = await put('open');
    onUndone?.();
    return open;
  };
  tell(says, decision === 'open' ? undefined : reopen);
  return true;
}
