/*
 * Found by `scripts/trainIntents.ts --measure` on predictions of the cross-validation, and set here by hand, so
 * that training needs no second look at the texts.
 */

/** Scores are divided by it, so that a confidence is how often the guess is right. */
export const TEMPERATURE = 0.7;
/** Least confidence of a claim. */
export const THRESHOLD = 0.3;
