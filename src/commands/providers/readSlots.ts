import type { ModelRef, Slot } from '../../events/providers.ts';
import type { Issue } from '../../schemas/jsonSchema.ts';
import { providerIds, providerNamed, providerNames, type SlotName, slotNames } from '../../vocabulary.ts';

export type SlotChanges = ReadonlyMap<SlotName, Slot | null>;

/** Longer chains make the user wait for more failures than any answer is worth. */
const MOST_FALLBACKS = 5;
const MOST_OF_A_MODEL = 200;
/** Of a name that is not ours, as much as tells which one it was. */
const MOST_OF_A_NAME = 64;

/** What a change of slots says, and everything that is wrong with how it says it. Never throws. */
export function readSlots(given: Readonly<Record<string, unknown>>): {
  readonly changes: SlotChanges;
  readonly issues: readonly Issue[];
} {
  const changes = new Map<SlotName, Slot | null>();
  const issues: Issue[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = slotNames.find((one) => one === key);
    const path = ['slots', key.slice(0, MOST_OF_A_NAME)];
    const slot = value === null ? null : readSlot(value, path, issues);
    if (!name) issues.push({ path, message: `Unknown slot; choose from ${slotNames.join(', ')}` });
    else if (slot === null && name === 'chat')
      issues.push({ path, message: 'chat is required and cannot be removed' });
    else if (slot !== undefined) changes.set(name, slot);
  }
  return { changes, issues };
}

type Path = readonly (string | number)[];

function readSlot(value: unknown, path: Path, issues: Issue[]): Slot | undefined {
  const first = readModel(value, path, issues);
  if (!first || !isObject(value)) return undefined;
  const { fallbacks: given = [] } = value;
  if (!Array.isArray(given) || given.length > MOST_FALLBACKS) {
    issues.push({ path: [...path, 'fallbacks'], message: `Expected a list of at most ${MOST_FALLBACKS}` });
    return undefined;
  }
  const read = given.map((entry: unknown, at) => readModel(entry, [...path, 'fallbacks', at], issues));
  const fallbacks = read.filter((entry) => entry !== undefined);
  refuseCycles([first, ...fallbacks], path, issues);
  return { ...first, fallbacks };
}

function readModel(value: unknown, path: Path, issues: Issue[]): ModelRef | undefined {
  const { provider: givenProvider, model } = isObject(value) ? value : {};
  const provider = providerNamed(givenProvider);
  if (!provider)
    issues.push({
      path: [...path, 'provider'],
      message: `Unknown provider; choose from ${[...providerIds, ...providerNames].join(', ')}`,
    });
  const isNamed =
    typeof model === 'string' && /^[\x21-\x7e]+$/.test(model) && model.length <= MOST_OF_A_MODEL;
  if (!isNamed) issues.push({ path: [...path, 'model'], message: 'Expected the id of a model' });
  return provider && isNamed ? { provider, model } : undefined;
}

/** Who failed a moment ago is not asked again in the same turn. */
function refuseCycles(chain: readonly ModelRef[], path: Path, issues: Issue[]): void {
  const seen = new Set<string>();
  for (const { provider, model } of chain) {
    if (seen.has(`${provider} ${model}`))
      issues.push({ path: [...path, 'fallbacks'], message: `${provider}/${model} is in the chain twice` });
    seen.add(`${provider} ${model}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
