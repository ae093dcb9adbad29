/** What is this much louder than the quietest of late is half a voice. */
const HALF_DB = 12;
const WIDTH_DB = 3;
/** The room grows louder only slowly, by so much a window. */
const RISING_DB = 0.02;
const SILENCE_DB = -90;
/** Nobody speaks as low as this. */
const LEAST_DB = -50;

/** Tells speech by its loudness alone, where there is no model: it takes any noise for a voice. */
export class Loudness {
  #roomDb = LEAST_DB;

  probabilityOf(window: Int16Array): number {
    let sum = 0;
    for (const sample of window) sum += (sample / 32_768) ** 2;
    const db = Math.max(SILENCE_DB, 10 * Math.log10(sum / window.length));
    this.#roomDb = Math.max(LEAST_DB - HALF_DB, Math.min(this.#roomDb + RISING_DB, db));
    return 1 / (1 + Math.exp((HALF_DB + this.#roomDb - db) / WIDTH_DB));
  }
}
