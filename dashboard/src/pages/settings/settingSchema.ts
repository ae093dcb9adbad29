/** One setting, as the schema of the service describes it. */
export interface SettingSchema {
  readonly name: string;
  readonly description: string;
  readonly variable: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'choice';
  readonly choices: readonly string[];
  readonly isWhole: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly pattern: string | undefined;
}

export function settingsOf(properties: Readonly<Record<string, unknown>>): readonly SettingSchema[] {
  return Object.entries(properties).map(([name, property]) => {
    const { anyOf, description, 'x-variable': variable, ...plain } = record(property);
    const of = Array.isArray(anyOf) ? record(anyOf.find((part) => record(part).type !== 'null')) : plain;
    const choices = Array.isArray(of.enum) ? of.enum.map(String) : [];
    return {
      name,
      description: String(description ?? ''),
      variable: String(variable ?? ''),
      kind: kindOf(String(of.type), choices),
      choices,
      isWhole: of.type === 'integer',
      minimum: numberIn(of.minimum),
      maximum: numberIn(of.maximum),
      pattern: typeof of.pattern === 'string' ? of.pattern : undefined,
    };
  });
}

function kindOf(type: string, choices: readonly string[]): SettingSchema['kind'] {
  if (choices.length > 0) return 'choice';
  if (type === 'boolean') return 'boolean';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
