import { HarkError } from '../../errors.ts';
import type { VoiceOptions } from './conversation.ts';
import type { DeviceIds, SessionDraft } from './sessionState.ts';

/*
 * In one session there may be the user and devices of theirs, which may less. What an answer comes of, words as well as what
 * it is told beside them, says whose rights it has: with one device among them those of the device, whoever acts meanwhile.
 */

/** What of the options decides what is answered, and not only how that sounds. */
const SHAPING = ['instructions', 'tools', 'toolChoice', 'mostOutputTokens'] as const;

export function together(...all: readonly (DeviceIds | string | undefined)[]): DeviceIds {
  return [...new Set(all.flatMap((some) => some ?? []))];
}

/** A device says how everything is answered in a session that it opened alone, and then all of it has its rights. */
export function shape(draft: SessionDraft, deviceId: string | undefined): void {
  if (deviceId === undefined) return;
  if (deviceId !== draft.state.openedBy)
    throw new HarkError('DEVICE_SCOPE', {
      message: 'A device says how hark answers only in a session that it opened',
    });
  draft.set({ shapedBy: together(draft.state.shapedBy, deviceId) });
}

export function isShaping(change: Partial<VoiceOptions>, options: VoiceOptions): boolean {
  return SHAPING.some(
    (name) => name in change && JSON.stringify(change[name]) !== JSON.stringify(options[name]),
  );
}
