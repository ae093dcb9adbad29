/** Unix milliseconds. Handed to whatever needs the time, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
