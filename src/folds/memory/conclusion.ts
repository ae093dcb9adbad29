import type { Standing } from '../../events/conclusions.ts';
import type { MemoryDataOf } from '../../events/memory.ts';

/** Something that is, or was, believed about a user. */
export interface Conclusion
  extends Omit<MemoryDataOf<'memory.conclusion.drawn'>, 'conclusionId' | 'saidAt' | 'standing'>,
    Omit<Standing, 'tended'> {
  readonly id: string;
}

/** Another one in its place, so that what is known of the one does not count for the other. */
export function change(
  conclusions: Record<string, Conclusion>,
  id: string,
  at: number,
  changes: Partial<Conclusion>,
): void {
  const conclusion = conclusions[id];
  if (conclusion) conclusions[id] = { ...conclusion, ...changes, updatedAt: at };
}

export function activeOnes({
  conclusions,
}: {
  readonly conclusions: Readonly<Record<string, Conclusion>>;
}): readonly Conclusion[] {
  return Object.values(conclusions).filter(({ status }) => status === 'active');
}
