import { capturesState } from '../../folds/capture/captures.ts';
import type { Captures } from '../../folds/capture/state.ts';
import type { UserProjection } from '../projection.ts';

/** What a user allows to be captured, and what is. */
export const captures: UserProjection<Captures> = capturesState;
