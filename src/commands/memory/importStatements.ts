import { entryOf } from '../../entryOf.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { defineMemoryCommand } from './state.ts';

/** One thing that the user wrote down for another tool. */
export interface WrittenStatement {
  /** Made from what it says, so that the same again is known, also when it is no longer believed. */
  readonly conclusionId: string;
  readonly text: string;
}

/** Written for another tool, some time ago: less certain than what the user says to us. */
const CONFIDENCE = 0.8;

export const importStatements = defineMemoryCommand<{ readonly statements: readonly WrittenStatement[] }>({
  name: 'memory.importStatements',
  decide: ({ conclusions }: Conclusions, { statements }): MemoryEvent[] =>
    statements
      .filter(({ conclusionId }) => !entryOf(conclusions, conclusionId))
      .map(({ conclusionId, text }) => ({
        type: 'memory.conclusion.drawn',
        data: {
          conclusionId,
          text,
          type: 'explicit',
          confidence: CONFIDENCE,
          sources: [],
          turnIds: [],
          about: null,
          by: 'import',
        },
      })),
});
