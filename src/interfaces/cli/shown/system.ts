import { instanceIn, instances, runningInstances } from '../../../projections/system/instances.ts';
import { defineShown } from './shown.ts';

export const shownInstances = defineShown({
  name: 'instances',
  about: 'processes of hark that ran on this log',
  key: 'instance',
  projection: instances,
  entries: (state) => runningInstances(state).map(({ instanceId, ...fields }) => [instanceId, fields]),
  keysOf: instanceIn,
});
