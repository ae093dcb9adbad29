import type { Output } from '../../api/ask.ts';

export type Entity = Output<'GET /api/entities'>['entities'][number];
export type OneEntity = Output<'GET /api/entities/:id'>;

export const entityTypes = ['person', 'place', 'organization', 'event', 'thing'] as const;

/** What changes entities, or what is known of them. */
export const entityTopics = ['entities.*', 'memory.*'];

export function pathOf(id: string): string {
  return `/entities/${encodeURIComponent(id)}`;
}
