import { keepRelationshipVectors } from '../../commands/entities/keepRelationshipVectors.ts';
import { keepConclusionVectors, keepProfileVectors } from '../../commands/memory/keepVectors.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { conclusionDrawn, conclusionRestored } from '../../events/conclusions.ts';
import { entityChanged, entityMerged, entityUnmerged, relationshipStated } from '../../events/entities.ts';
import { type Profile, profileChanged } from '../../events/memory.ts';
import { type ModelRef, modelName } from '../../events/providers.ts';
import { directionOf } from '../../projections/memory/index/vectors/direction.ts';
import { packed } from '../../projections/memory/index/vectors/packed.ts';
import { inRows } from '../../projections/memory/index/vectors/vectorRows.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Embedder } from './embedder.ts';
import type { BackgroundGuard } from './ports.ts';
import type { Belief, Statements } from './statements.ts';

/** What says something new. */
export const stating = [
  conclusionDrawn,
  conclusionRestored,
  profileChanged,
  relationshipStated,
  entityChanged,
  entityMerged,
  entityUnmerged,
] as const;

const TEXTS_AT_ONCE = 64;

interface StatementVectorsOptions {
  readonly runner: () => Pick<CommandRunner, 'run'>;
  readonly statementsOf: (userId: string) => Promise<Statements>;
  readonly embedder: Pick<Embedder, 'model' | 'embed'>;
  readonly guard: BackgroundGuard;
}

interface Making {
  readonly userId: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

interface Whose {
  readonly userId: string;
  readonly model: string;
}

/** What has to be as it was when the sentences were drawn up. */
interface Basis {
  readonly erasures: number;
  readonly profile: Profile;
}

interface Meant {
  readonly by: ModelRef;
  readonly of: readonly (readonly [statement: Belief, vector: Float32Array])[];
}

/** Has the model of the `embedding` slot say what is believed: conclusions, the profile and relationships. */
export class StatementVectors {
  readonly #options: StatementVectorsOptions;

  constructor(options: StatementVectorsOptions) {
    this.#options = options;
  }

  /** Whether all that is believed can be found by what it means. */
  async areWhole(userId: string, model: string): Promise<boolean> {
    return (await this.#options.statementsOf(userId)).withoutVector(model).length === 0;
  }

  /** Whether none is to be made of what this event says. With the first of many that need one go all. */
  async isMadeOf({ type, subject }: Pick<StoredEvent, 'type' | 'subject'>, of: Whose): Promise<boolean> {
    if (type !== conclusionDrawn.type || subject === null) return this.areWhole(of.userId, of.model);
    return (await this.#options.statementsOf(of.userId)).needsNoVector(subject, of.model);
  }

  /** Makes what is missing. False when that is for another time: somebody needs the machine, or another model. */
  async make(making: Making): Promise<boolean> {
    const { embedder, statementsOf } = this.#options;
    const { model } = embedder;
    if (model === undefined) return false;
    const statements = await statementsOf(making.userId);
    // As they are now: the states go on.
    const basis = { erasures: statements.entities.erasures, profile: statements.memory.profile };
    for (const part of inParts(statements.withoutVector(model))) {
      const meant = await this.#ask(part, model, making.signal);
      if (!meant) return false;
      await this.#keep(part, meant, { ...basis, ...making });
    }
    return true;
  }

  async #ask(part: Part, model: string, signal: AbortSignal): Promise<Meant | undefined> {
    const { embedder, guard } = this.#options;
    signal.throwIfAborted();
    if (embedder.model !== model || !(await guard.mayWork(['embedding'])).safe) return undefined;
    const texts = part.statements.map(({ text }) => text);
    const { provider, model: named, vectors } = await embedder.embed(texts, signal);
    const by = { provider, model: named };
    // Another model stood in, and would do so for all the others.
    if (modelName(by) !== model) return undefined;
    const of = part.statements.flatMap((statement, index) => {
      const vector = vectors[index];
      // What has no direction, or another length than the rest, is found by its words.
      const isGood = vector && vector.length === vectors[0]?.length && directionOf(vector);
      return isGood ? [[statement, vector] as const] : [];
    });
    return { by, of };
  }

  async #keep(
    { kind, statements }: Part,
    { by, of }: Meant,
    { erasures, profile, userId, correlationId }: Making & Basis,
  ): Promise<void> {
    const runner = this.#options.runner();
    const context = { userId, correlationId };
    const entries = of.map(([{ id }, vector]) => ({ id, vector }));
    const [rows] = inRows(entries, TEXTS_AT_ONCE);
    if (!rows) return;
    const { ids, dimensions } = rows;
    const vectors = packed(rows.numbers);
    if (kind === 'conclusion') {
      const made = entries.map(({ id, vector }) => ({ ...by, conclusionId: id, vector: packed(vector) }));
      await runner.run(keepConclusionVectors, made, context);
    }
    if (kind === 'relationship') {
      const texts = of.map(([{ text }]) => text);
      const made = { ...by, relationshipIds: ids, texts, dimensions, vectors };
      await runner.run(keepRelationshipVectors, { made, erasures }, context);
    }
    // Lines are known by their place.
    if (kind === 'profile' && ids.length === statements.length) {
      const made = { ...by, dimensions, vectors };
      await runner.run(keepProfileVectors, { made, profile }, context);
    }
  }
}

interface Part {
  readonly kind: Belief['kind'];
  readonly statements: readonly Belief[];
}

/** Of one kind each, as many as go into one call; a longer profile is found by its words from there on. */
function* inParts(missing: readonly Belief[]): Generator<Part> {
  for (const [kind, statements] of Map.groupBy(missing, (one) => one.kind)) {
    const most = kind === 'profile' ? 1 : Math.ceil(statements.length / TEXTS_AT_ONCE);
    for (let part = 0; part < most; part++)
      yield { kind, statements: statements.slice(part * TEXTS_AT_ONCE, (part + 1) * TEXTS_AT_ONCE) };
  }
}
