import { place, ROW } from './place.ts';

/** Where memory is looked at and put right. */
export const memory = {
  memory: [
    place('search what is believed', 'pages/memory/conclusions.tsx', [], 'GET /api/memory/conclusions'),
    place('add a conclusion', 'parts/correction.ts', ['Add'], 'POST /api/memory/conclusions'),
    place(
      'forget one',
      'pages/memory/conclusion.ts',
      ['What can be done', 'Forget'],
      'POST /api/memory/conclusions/dismiss',
    ),
    place(
      'restore one',
      'pages/memory/conclusion.ts',
      ['What can be done', 'Restore'],
      'POST /api/memory/conclusions/restore',
    ),
    place(
      'erase one for good',
      'parts/forgetting/erasure.ts',
      ['What can be done', 'Erase for good…'],
      'DELETE /api/memory/conclusions/:id',
      'GET /api/memory/extent',
    ),
    place(
      'search conversations by meaning',
      'pages/memory/episodes.tsx',
      ['Episodes'],
      'GET /api/memory/episodes',
      'GET /api/memory/search',
    ),
    place(
      'erase a conversation from memory',
      'parts/forgetting/erasure.ts',
      ['Episodes', 'Erase for good…'],
      'DELETE /api/memory/episodes/:id',
    ),
    place(
      'see and change the profile',
      'pages/memory/profile.tsx',
      ['Profile'],
      'GET /api/memory/profile',
      'PUT /api/memory/profile',
    ),
    place(
      'export',
      'pages/memory/exporting.ts',
      ['Export, import, erase', 'Export'],
      'GET /api/memory/export',
    ),
    place(
      'import, with a preview',
      'pages/memory/importing.tsx',
      ['Export, import, erase', 'Import…'],
      'GET /api/memory/sources',
    ),
    place(
      '',
      'pages/memory/importingFrom.ts',
      ['Export, import, erase', 'Import…'],
      'POST /api/memory/import',
    ),
    place(
      'erase all',
      'parts/forgetting/erasure.ts',
      ['Export, import, erase', 'Erase all memory…'],
      'DELETE /api/memory',
    ),
  ],
  why: [
    place('from a belief to the words', 'pages/why/belief.tsx', [ROW], 'GET /api/memory/conclusions/:id/why'),
    place(
      'a question answered from memory',
      'pages/why/asking.tsx',
      ['Answer from memory'],
      'POST /api/memory/ask',
    ),
  ],
  lastNight: [
    place(
      'what each sweep changed',
      'pages/lastNight/sweep.tsx',
      [],
      'GET /api/memory/maintain/history',
      'GET /api/memory/maintain/history/:timestamp',
    ),
    place(
      'take it back',
      'pages/lastNight/undoing.ts',
      ['Take back'],
      'POST /api/memory/maintain/history/:timestamp/undo',
    ),
    place('sweep now', 'pages/lastNight/lastNight.tsx', ['Sweep now'], 'POST /api/memory/maintain'),
    place(
      'what other thresholds would do',
      'pages/lastNight/otherwise.tsx',
      ['With other thresholds'],
      'GET /api/memory/maintain/preview',
    ),
  ],
  contradictions: [
    place('see both sides', 'pages/contradictions/contradictions.tsx', [], 'GET /api/memory/contradictions'),
    place(
      'settle them',
      'pages/contradictions/settling.ts',
      ['Keep left'],
      'PUT /api/memory/contradictions/:id/:contradicts',
    ),
  ],
  entities: [
    place(
      'find people, places and things',
      'pages/entities/entityList.tsx',
      [],
      'GET /api/entities',
      'GET /api/entities/stats',
    ),
    place(
      'all about one',
      'pages/entities/entityPage.tsx',
      [ROW],
      'GET /api/entities/:id',
      'GET /api/entities/:id/episodes',
      'GET /api/entities/:id/conclusions',
    ),
    place(
      'what it is related to',
      'pages/entities/neighbourhood.tsx',
      [ROW],
      'GET /api/entities/:id/neighbourhood',
    ),
    place('rename it', 'pages/entities/renaming.tsx', [ROW, 'Rename'], 'PUT /api/entities/:id'),
    place('merge two', 'pages/entities/merging.tsx', [ROW, 'Merge…'], 'POST /api/entities/:id/merge'),
    place(
      'take them apart',
      'pages/entities/entityPage.tsx',
      [ROW, ' out again'],
      'POST /api/entities/:id/unmerge',
    ),
    place('erase one', 'parts/forgetting/erasure.ts', [ROW, 'Erase…'], 'DELETE /api/entities/:id'),
  ],
};
