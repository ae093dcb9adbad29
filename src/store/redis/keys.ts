/** One hash tag, so that all of a log lies in one slot and one function call may touch it all. */
const PREFIX = '{hark}:';

export const LOG = `${PREFIX}log`;
/** Position of the newest event, kept beside the log: it shows when that was taken away. */
export const HEAD = `${PREFIX}head`;
export const META = `${PREFIX}meta`;
/** Command ids with what they gave, and the queue in which they grow old. */
export const COMMANDS = `${PREFIX}commands`;
export const COMMAND_AGES = `${PREFIX}commands:age`;
/** Where each user's newest forget stands. */
export const FORGETS = `${PREFIX}forgets`;
/** Counts the forgets whose keys may still stand in the files that Redis keeps on disk. */
export const UNPURGED = `${PREFIX}unpurged`;
/** Who waits to append to which stream. */
export const TURNS = `${PREFIX}turns`;
export const CURSORS = `${PREFIX}cursors`;
export const LEASES = `${PREFIX}leases`;
/** Up to which event each user's vectors have been taken in. */
export const VECTORS_TAKEN_IN = `${PREFIX}vectors`;
export const ALL_VECTORS = `${PREFIX}vectors:`;

/** Where each new head is published. */
export const HEADS = `${PREFIX}heads`;

const SUBJECT_KEYS = `${PREFIX}keys:`;
export const ALL_SUBJECT_KEYS = `${SUBJECT_KEYS}*`;

/** Positions of a stream's or a user's events. The system's, and its snapshots, lie under the empty name. */
export const streamKey = (stream: string) => `${PREFIX}stream:${stream}`;
export const userKey = (userId: string | null) => `${PREFIX}user:${userId ?? ''}`;
export const subjectKeysKey = (userId: string) => SUBJECT_KEYS + userId;
export const userOfSubjectKeys = (key: string) => key.slice(SUBJECT_KEYS.length);
export const snapshotsKey = (owner: string | null) => `${PREFIX}snapshots:${owner ?? ''}`;
/** Lists a user's vectors, each of which has a key that goes on from this one; users' names have no colon. */
export const vectorsKey = (userId: string) => ALL_VECTORS + userId;
export const bucketKey = (bucket: string) => `${PREFIX}bucket:${bucket}`;
