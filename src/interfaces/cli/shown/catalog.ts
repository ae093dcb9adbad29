import { wholeEntities } from '../../../folds/entities/whole.ts';
import { foldedUntil } from '../../../folds/streamFold.ts';
import { knownEntities } from '../../../projections/entities/knownEntities.ts';
import { touchedBy as entitiesIn, entityChanges } from '../../../projections/entities/touched.ts';
import { remembered } from '../../../projections/memory/remembered.ts';
import { memoryTypes, touchedBy } from '../../../projections/memory/touched.ts';
import { slots } from '../../../projections/providers/slots.ts';
import { userViewAt, viewAt } from '../../../projections/runtime.ts';
import { detailsOf } from '../../../projections/scheduler/taskDetails.ts';
import { rowsOf, tasks } from '../../../projections/scheduler/tasks.ts';
import { schedulerTypes, taskIn } from '../../../projections/scheduler/touched.ts';
import { runtimeValues, settingsIn } from '../../../projections/settings/runtimeValues.ts';
import { instanceIn, instances, runningInstances } from '../../../projections/system/instances.ts';
import { slotNames } from '../../../vocabulary.ts';
import { shareOf } from '../../operations/memoryShapes.ts';
import { wrongUsage } from '../failure.ts';
import { defineShown, type Fields, type Shown } from './shown.ts';

const shownSettings = defineShown({
  name: 'settings',
  about: 'settings that were changed at run time',
  key: 'setting',
  projection: runtimeValues,
  entries: ({ values }) => Object.entries(values).map(([key, value]) => [key, { value }]),
  keysOf: settingsIn,
});

const STRATEGY = 'strategy';

const shownSlots = defineShown({
  name: 'slots',
  about: 'which models every slot asks',
  key: 'slot',
  projection: slots,
  entries: ({ slots: table, strategy }) => [
    ...Object.entries(table).map(([name, { provider, model, fallbacks }]) => {
      const chain = fallbacks.map((fallback) => `${fallback.provider} ${fallback.model}`).join(', ');
      return [name, { provider, model, fallbacks: chain }] as const;
    }),
    [STRATEGY, { strategy }],
  ],
  // Each change says how all of them are.
  keysOf: () => [...slotNames, STRATEGY],
});

const shownInstances = defineShown({
  name: 'instances',
  about: 'processes of hark that ran on this log',
  key: 'instance',
  projection: instances,
  entries: (state) => runningInstances(state).map(({ instanceId, ...fields }) => [instanceId, fields]),
  keysOf: instanceIn,
});

const shownEpisodes: Shown = {
  name: 'episodes',
  about: 'what was remembered of conversations',
  key: 'episode',
  handles: memoryTypes,
  keysOf: touchedBy,
  async entriesAt(store, until, userId) {
    const { episodes } = await userViewAt(store, remembered, userId, { position: until });
    return new Map<string, Fields>(
      Object.values(episodes).map(
        ({ episodeId, happenedAt, type, importance, topic, summary, sessionId, expiresAt }) => [
          episodeId,
          { happenedAt, type, importance: shareOf(importance), topic, summary, sessionId, expiresAt },
        ],
      ),
    );
  },
};

const shownConclusions: Shown = {
  name: 'conclusions',
  about: 'what was believed of a user',
  key: 'conclusion',
  handles: memoryTypes,
  keysOf: touchedBy,
  async entriesAt(store, until, userId) {
    const { conclusions } = await userViewAt(store, remembered, userId, { position: until });
    return new Map<string, Fields>(
      Object.values(conclusions).map(
        ({ id, text, type, confidence, status, supersededBy, lastEvidenceAt }) => [
          id,
          { text, type, confidence, status, supersededBy, lastEvidenceAt },
        ],
      ),
    );
  },
};

const shownEntities: Shown = {
  name: 'entities',
  about: 'who and what was known by name',
  key: 'entity',
  handles: entityChanges,
  keysOf: entitiesIn,
  async entriesAt(store, until, userId) {
    const known = await foldedUntil(store, knownEntities, knownEntities.stream(userId), { position: until });
    return new Map<string, Fields>(
      wholeEntities(known).map(({ id, name, type, aliases, mentions, lastSeenAt }) => [
        id,
        { name, type, aliases: aliases.join(', '), mentions, lastSeenAt },
      ]),
    );
  },
};

const shownTasks: Shown = {
  name: 'tasks',
  about: 'what was scheduled, and when it was due next',
  key: 'task',
  handles: schedulerTypes,
  keysOf: taskIn,
  async entriesAt(store, until, userId) {
    const shown = new Map<string, Fields>();
    for (const row of rowsOf(await viewAt(store, tasks, until), userId)) {
      const { taskId, status, nextRunAt, lastRunAt, runCount, failures } = row;
      const { name = null, topic } = (await detailsOf(store, taskId, { untilPosition: until })) ?? {};
      shown.set(taskId, { name, status, topic, nextRunAt, lastRunAt, runCount, failures });
    }
    return shown;
  },
};

/** Everything that `replay` and `diff` can show. */
export const shownCatalog: readonly Shown[] = [
  shownSettings,
  shownSlots,
  shownInstances,
  shownEpisodes,
  shownConclusions,
  shownEntities,
  shownTasks,
];

export const shownNames = shownCatalog.map(({ name }) => name).join(', ');

export function findShown(name: string): Shown {
  const found = shownCatalog.find((shown) => shown.name === name);
  if (!found) throw wrongUsage(`--show: ${name} cannot be shown; choose from ${shownNames}`);
  return found;
}
