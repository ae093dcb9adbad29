import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { eventCatalog } from '../src/events/catalog.ts';
import type { EventDefinition, PersonalFields } from '../src/events/definition.ts';

const page = join(import.meta.dirname, '../docs/events.md');

/** Above this many rows a sealed field is one row: what is in it is not for those who read events. */
const MOST_ROWS_SEALED = 8;

/**
 * The page with the tables as the schemas have them. What people wrote stays: all that comes before the first event,
 * and the text between the heading of an event and its table.
 */
export function pageOfEvents(written: string, events: readonly EventDefinition[]): string {
  const [intro = '', ...sections] = written.split(/^## /m);
  const texts = new Map(sections.flatMap((section) => section.split(/^### /m).slice(1)).map(headingAndText));
  const missing = events.filter(({ type }) => !texts.get(`\`${type}\``)).map(({ type }) => type);
  if (missing.length > 0)
    throw new Error(
      `docs/events.md: write "### \`type\`" and below it when it is appended: ${missing.join(', ')}`,
    );
  const areas = Map.groupBy(events, ({ type }) => areaOf(type));
  const parts = [...areas]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([area, own]) => {
      const tables = own.map(
        (event) => `### \`${event.type}\`\n\n${texts.get(`\`${event.type}\``)}\n${tableOf(event)}`,
      );
      return `## ${area}\n\n${tables.join('\n')}`;
    });
  return `${intro}${parts.join('\n')}`;
}

function headingAndText(section: string): readonly [string, string] {
  const [heading = '', ...lines] = section.split('\n');
  const table = lines.findIndex((line) => line.startsWith('|'));
  return [heading.trim(), (table < 0 ? lines : lines.slice(0, table)).join('\n').trim()];
}

function areaOf(type: string): string {
  const area = type.split(/[.:]/)[0] ?? type;
  return area === 'sessionEnded' ? 'chat' : area;
}

function tableOf({ data, personal }: EventDefinition): string {
  const rows = rowsOf('', data, personal);
  if (rows.length === 0) return '';
  const lines = rows.map((row) => `| \`${row.path}\` | ${row.type} | ${row.sealed ? 'sealed' : ''} |`);
  return `\n| Field | Type | |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
}

interface Row {
  readonly path: string;
  readonly type: string;
  readonly sealed: boolean;
}

/** A row for each value; of objects in objects and in lists, for what is in them. */
function rowsOf(
  path: string,
  schema: z.core.$ZodType,
  personal: PersonalFields | 'inside' | undefined,
  notes: readonly string[] = [],
): Row[] {
  const sealed = personal === 'inside' || personal?.kind === 'value';
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional)
    return rowsOf(path, schema.unwrap(), personal, [...notes, 'optional']);
  if (schema instanceof z.ZodReadonly) return rowsOf(path, schema.unwrap(), personal, notes);
  if (schema instanceof z.ZodNullable) {
    if (personal === 'inside' || personal?.kind !== 'value')
      return rowsOf(path, schema.unwrap(), personal, [...notes, 'or null']);
    const rows = rowsOf(path, schema.unwrap(), 'inside', notes);
    return rows.length > MOST_ROWS_SEALED ? [row(path, 'object', notes, true)] : rows;
  }
  if (schema instanceof z.ZodObject) {
    const inside = Object.entries(schema.shape).flatMap(([name, field]) =>
      rowsOf(path === '' ? name : `${path}.${name}`, field, within(personal, name)),
    );
    return notes.length > 0 ? [row(path, 'object', notes, sealed), ...inside] : inside;
  }
  if (schema instanceof z.ZodArray && holdsObject(schema.element))
    return [row(path, 'list', notes, sealed), ...rowsOf(`${path}[]`, schema.element, within(personal))];
  return [row(path, typeName(schema), notes, sealed || personal !== undefined)];
}

function row(path: string, type: string, notes: readonly string[], sealed: boolean): Row {
  return { path, type: [type, ...notes].join(', ').replace(', or null', ' or null'), sealed };
}

function within(
  personal: PersonalFields | 'inside' | undefined,
  name?: string,
): PersonalFields | 'inside' | undefined {
  if (personal === undefined || personal === 'inside') return personal;
  if (personal.kind === 'fields') return personal.fields.find(([field]) => field === name)?.[1];
  return personal.kind === 'each' ? personal.element : 'inside';
}

function holdsObject(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject || (schema instanceof z.ZodReadonly && holdsObject(schema.unwrap()));
}

/** In one line. Objects in objects are not taken apart: those of workflows hold themselves. */
function typeName(schema: z.core.$ZodType, isInside = false): string {
  const of = (inner: z.core.$ZodType) => typeName(inner, isInside);
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => `\`${value}\``).join(', ');
  if (schema instanceof z.ZodArray) return `list of ${typeName(schema.element, true)}`;
  if (schema instanceof z.ZodReadonly) return of(schema.unwrap());
  if (schema instanceof z.ZodNullable) return `${of(schema.unwrap())} or null`;
  if (schema instanceof z.ZodExactOptional) return `${of(schema.unwrap())}, optional`;
  if (schema instanceof z.ZodRecord) return `map of ${of(schema.valueType)}`;
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map(of))].join(' or ');
  if (schema instanceof z.ZodObject && !isInside) {
    const fields = Object.entries(schema.shape).map(([name, field]) => `${name}: ${typeName(field, true)}`);
    return `{ ${fields.join('; ')} }`;
  }
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'integer' : 'number';
  const { type } = schema._zod.def;
  return type === 'unknown' ? 'any' : type;
}

if (import.meta.main) {
  const written = readFileSync(page, 'utf8');
  const fresh = pageOfEvents(written, eventCatalog);
  if (process.argv.includes('--write')) writeFileSync(page, fresh);
  else if (fresh !== written) {
    console.log('docs/events.md is not what the schemas say: run npm run format');
    process.exitCode = 1;
  }
}
