type AttributeValue = string | number | boolean | readonly string[];

/** Something that took its time, with names of OpenTelemetry's conventions for generative AI. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'client' | 'server';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** `error.type`, where it failed. */
  readonly error?: string | undefined;
}

type Maybe = Readonly<Record<string, AttributeValue | null | undefined>>;

/** Without those that are not known. */
export function attributesOf(maybe: Maybe): Span['attributes'] {
  const known: Record<string, AttributeValue> = {};
  for (const [key, value] of Object.entries(maybe))
    if (value !== null && value !== undefined) known[key] = value;
  return known;
}
