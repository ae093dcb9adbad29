import type { Projection } from './projection.ts';
import { runtimeValues } from './settings/runtimeValues.ts';
import { instances } from './system/instances.ts';

/** Every projection that a running service keeps current. */
export const projections: readonly Projection<unknown>[] = [runtimeValues, instances];
