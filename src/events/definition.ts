import { z } from 'zod';
import { lazily } from '../lazily.ts';

/**
 * An event is a past fact. Its definition says what it looks like today, how older shapes become today's,
 * whose text it carries and, where it records an erasure, which subjects end with it.
 */
export interface EventDefinition<Type extends string = string, Data extends z.ZodType = z.ZodType> {
  readonly type: Type;
  /** Version of the shape of `data`; a log may hold older ones, which `upcasts` lift one step at a time. */
  readonly version: number;
  readonly data: Data;
  /** The subject under whose key the personal fields are sealed; the user's own key when it is not given. */
  subject(data: z.output<Data>): string;
  /** Whether its subject is as good as always new with it, and so has no key yet: the log need not look for one. */
  readonly beginsSubject: boolean;
  /** Subjects whose keys are destroyed together with this event; `*` means all that the user has. */
  readonly forgets: ((data: z.output<Data>) => readonly string[]) | undefined;
  readonly upcasts: Readonly<Record<number, (old: unknown) => unknown>>;
  readonly personal: PersonalFields | undefined;
}

/** What a decider returns: the fact alone, before the log gives it a place. */
export type EventOf<D extends EventDefinition> =
  D extends EventDefinition<infer Type, infer Data>
    ? { readonly type: Type; readonly data: z.output<Data> }
    : never;

export interface NewEvent {
  readonly type: string;
  readonly data: unknown;
}

/** A fact, and when it became one. */
export interface PastEvent extends NewEvent {
  readonly at: number;
  /** From the log: whether its data has been opened before, so that to look at it takes no time. */
  readonly isOpen?: boolean;
  /** From the log: whether the key to its personal text is gone, and its data with nulls for that, unopened. */
  readonly sealed?: { readonly erased: boolean; readonly data: unknown };
}

/*
 * An event of the log is typed by its definition alone: its data was held against the schema by the log, when it was
 * written or when it was read back.
 */

export function isEvent<Definition extends EventDefinition, Event extends NewEvent>(
  event: Event,
  { type }: Definition,
): event is Event & EventOf<Definition> {
  return event.type === type;
}

/** Tells the events of some definitions from all others. */
export function readerOf<Definition extends EventDefinition>(
  definitions: readonly Definition[],
): <Event extends NewEvent>(event: Event) => (Event & EventOf<Definition>) | undefined {
  const types: ReadonlySet<string> = new Set(definitions.map(({ type }) => type));
  const isOne = <Event extends NewEvent>(event: Event): event is Event & EventOf<Definition> =>
    types.has(event.type);
  return (event) => (isOne(event) ? event : undefined);
}

interface EventOptions<Data extends z.ZodType> {
  /** Built when it is first asked for: a start reads events of a few types. */
  data: () => Data;
  version?: number;
  subject?: (data: z.output<Data>) => string;
  beginsSubject?: boolean;
  forgets?: (data: z.output<Data>) => readonly string[];
  upcasts?: Record<number, (old: unknown) => unknown>;
}

/** The subject of personal text that belongs to the user as a whole. */
const USER_SUBJECT = 'user';

export function defineEvent<Type extends string, Data extends z.ZodType>(
  type: Type,
  { data, version = 1, subject, beginsSubject = false, forgets, upcasts }: EventOptions<Data>,
): EventDefinition<Type, Data> {
  const schema = lazily(data);
  const personalOnes = lazily(() => personalFieldsOf(schema()));
  return {
    type,
    version,
    get data() {
      return schema();
    },
    subject: subject ?? (() => USER_SUBJECT),
    beginsSubject,
    forgets,
    upcasts: upcasts ?? {},
    get personal() {
      return personalOnes();
    },
  };
}

/** A registry rather than a set: it knows a schema also after `describe`, `refine` and the like cloned it. */
const personalMarks = z.registry<{ personal: true }>();

/**
 * Marks a field as personal text. The store seals it under the key of the event's subject; once that key is
 * destroyed the field reads as `null`, which is why every reader has to reckon with it.
 */
export function personal<Schema extends z.ZodType>(schema: Schema): z.ZodNullable<Schema> {
  const marked = schema.nullable();
  personalMarks.add(marked, { personal: true });
  return marked;
}

/** Where in `data` the personal values lie: here, in some fields, or in each element or entry. */
export type PersonalFields =
  | { readonly kind: 'value' }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [string, PersonalFields])[] }
  | { readonly kind: 'each'; readonly element: PersonalFields };

function personalFieldsOf(schema: z.core.$ZodType): PersonalFields | undefined {
  if (personalMarks.get(schema)) return { kind: 'value' };
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
      const inner = personalFieldsOf(field);
      return inner ? [[name, inner] as const] : [];
    });
    return fields.length > 0 ? { kind: 'fields', fields } : undefined;
  }
  if (schema instanceof z.ZodArray) return eachOf(schema.element);
  if (schema instanceof z.ZodRecord) return eachOf(schema.valueType);
  const inside = schemasIn(schema);
  if ('innerType' in schema._zod.def && inside[0]) return personalFieldsOf(inside[0]);
  // Whatever is not understood must not hold personal text: it would go into the log as it is.
  if (inside.some((inner) => personalFieldsOf(inner)))
    throw new TypeError(`personal() inside a ${schema._zod.def.type} is not supported: mark the whole of it`);
  return undefined;
}

/** The schemas that a schema is made of, of whatever kind it is. */
function schemasIn(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodLazy) throw new TypeError('Lazy schemas are not supported in events');
  return Object.values(schema._zod.def).flat().filter(isSchema);
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function eachOf(schema: z.core.$ZodType): PersonalFields | undefined {
  const element = personalFieldsOf(schema);
  return element && { kind: 'each', element };
}
