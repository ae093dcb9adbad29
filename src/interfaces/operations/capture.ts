import type { SegmentIntake } from '../../application/capture/intake.ts';
import { type InContext, type Kvstore, whileThere } from '../kvstore.ts';
import type { AnyOperation } from '../operation.ts';
import { type ConsentParts, consentOperations } from './captureConsent.ts';
import { segmentOperation } from './captureSegments.ts';
import { streamOperations } from './captureStreams.ts';

interface CaptureParts extends ConsentParts {
  readonly intake: Pick<SegmentIntake, 'take'>;
}

/** What is recorded around the user, and with whose consent. */
export function captureOperations(kvstore: Kvstore, parts: CaptureParts): readonly AnyOperation[] {
  const inContext: InContext = (work) => whileThere(kvstore, 'CAPTURE_UNAVAILABLE', work);
  return [
    ...consentOperations(inContext, parts),
    ...streamOperations(inContext, parts.clock),
    segmentOperation(inContext, parts.intake),
  ];
}
