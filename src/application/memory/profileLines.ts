import type { Profile } from '../../events/memory.ts';

/** What the ids of lines of the profile begin with, where a model is told of them. */
export const PROFILE_ITEM = 'profile-';

export function profileLines({
  name,
  communicationStyle,
  patterns = [],
  preferences = {},
}: Profile): readonly string[] {
  return [
    ...(name ? [`Name: ${name}`] : []),
    ...(communicationStyle ? [`Likes to be spoken to like this: ${communicationStyle}`] : []),
    ...patterns,
    ...Object.entries(preferences).map(([what, which]) => `${what}: ${which}`),
  ];
}
