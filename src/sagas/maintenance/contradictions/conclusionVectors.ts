import { setImmediate as breath } from 'node:timers/promises';
import { keepConclusionVectors } from '../../../commands/memory/keepVectors.ts';
import type { CommandRunner } from '../../../commands/runner.ts';
import { conclusionEmbedded } from '../../../events/conclusions.ts';
import { isEvent } from '../../../events/definition.ts';
import { modelName } from '../../../events/providers.ts';
import { directionOf } from '../../../projections/memory/index/vectors/direction.ts';
import { packed, unpacked } from '../../../projections/memory/index/vectors/packed.ts';
import type { EventReader } from '../../../store/port.ts';
import type { MeaningModel, WorkGuard } from './ports.ts';

const TEXTS_AT_ONCE = 64;
const OPENED_AT_ONCE = 64;
const types: ReadonlySet<string> = new Set([conclusionEmbedded.type]);

interface Wanted {
  readonly userId: string;
  readonly conclusions: readonly { readonly id: string; readonly text: string }[];
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

interface ConclusionVectorsOptions {
  readonly context: () => {
    readonly store: Pick<EventReader, 'readAll'>;
    readonly runner: Pick<CommandRunner, 'run'>;
  };
  readonly embedder: MeaningModel;
  readonly guard: WorkGuard;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** What conclusions mean, as the model of the `embedding` slot says it. It is asked once for each of them. */
export class ConclusionVectors {
  readonly #options: ConclusionVectorsOptions;

  constructor(options: ConclusionVectorsOptions) {
    this.#options = options;
  }

  /** By conclusion; not of all, where the model is not there or somebody else needs the machine. */
  async of(wanted: Wanted): Promise<ReadonlyMap<string, Float32Array>> {
    const { embedder, onFailure } = this.#options;
    const { model } = embedder;
    if (model === undefined) return new Map();
    const vectors = await this.#kept(wanted, model);
    try {
      await this.#make(wanted, model, vectors);
    } catch (error) {
      wanted.signal.throwIfAborted();
      onFailure('conclusion vectors', error);
    }
    return vectors;
  }

  async #kept({ userId, signal }: Wanted, model: string): Promise<Map<string, Float32Array>> {
    const kept = new Map<string, Float32Array>();
    for await (const { events } of this.#options.context().store.readAll({ after: 0, userId, types })) {
      signal.throwIfAborted();
      for (const [index, event] of events.entries()) {
        // Opening and decoding a whole page would hold up everybody else.
        if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await breath();
        if (!isEvent(event, conclusionEmbedded)) continue;
        const { conclusionId, vector, ...made } = event.data;
        if (vector !== null && modelName(made) === model) kept.set(conclusionId, unpacked(vector));
      }
    }
    return kept;
  }

  async #make(wanted: Wanted, model: string, vectors: Map<string, Float32Array>): Promise<void> {
    const { context, embedder, guard } = this.#options;
    const { userId, correlationId, signal } = wanted;
    const missing = wanted.conclusions.filter(({ id }) => !vectors.has(id));
    for (let from = 0; from < missing.length; from += TEXTS_AT_ONCE) {
      if (embedder.isResting || !(await guard.mayWork(['embedding'])).safe) return;
      const some = missing.slice(from, from + TEXTS_AT_ONCE);
      const answer = await embedder.embed(
        some.map(({ text }) => text),
        signal,
      );
      // Another model stood in, and would do so for all the others.
      if (modelName(answer) !== model) return;
      const made = some.flatMap(({ id }, index) => {
        const vector = answer.vectors[index];
        // One that says nothing is asked for again: it may be a fault of the moment.
        return vector && directionOf(vector) ? [{ id, vector }] : [];
      });
      for (const { id, vector } of made) vectors.set(id, vector);
      const { provider, model: named } = answer;
      const kept = made.map(({ id: conclusionId, vector }) => ({
        conclusionId,
        provider,
        model: named,
        vector: packed(vector),
      }));
      await context().runner.run(keepConclusionVectors, kept, { userId, correlationId });
    }
  }
}
