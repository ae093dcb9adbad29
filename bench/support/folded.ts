/** A line that is set in goes on with the one above it. */
export const FOLDED = /\n {4}/g;
