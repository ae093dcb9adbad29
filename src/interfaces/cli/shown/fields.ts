import { showTime } from '../output.ts';
import type { Fields } from './shown.ts';

export function showField(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' && name.endsWith('At')) return showTime(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** On one line: a lone value as it is, several by name. */
export function showFields(fields: Fields): string {
  const [first, ...others] = Object.entries(fields);
  if (first && others.length === 0) return showField(...first);
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${showField(name, value)}`)
    .join(', ');
}
