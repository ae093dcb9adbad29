const FIRST_PLACES = 1_024;

/** How often each number was added. Emptied and used again, it allocates nothing; what it tells is in the order of adding. */
export class FeatureCounts {
  /** Open addressing: a place holds the number of an entry, or 0. At most half of them are taken. */
  #places = new Int32Array(FIRST_PLACES);
  #features = new Uint32Array(FIRST_PLACES / 2);
  #times = new Uint32Array(FIRST_PLACES / 2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The one that was added as the first but `at`. */
  featureAt(at: number): number {
    return this.#features[at] ?? 0;
  }

  timesAt(at: number): number {
    return this.#times[at] ?? 0;
  }

  add(feature: number): void {
    const place = this.#placeOf(feature);
    const entry = this.#places[place] ?? 0;
    if (entry > 0) this.#times[entry - 1] = this.timesAt(entry - 1) + 1;
    else this.#put(place, feature);
  }

  clear(): void {
    if (this.#size === 0) return;
    this.#places.fill(0);
    this.#size = 0;
  }

  #put(place: number, feature: number): void {
    this.#features[this.#size] = feature;
    this.#times[this.#size] = 1;
    this.#places[place] = ++this.#size;
    if (this.#size === this.#features.length) this.#grow();
  }

  #placeOf(feature: number): number {
    const last = this.#places.length - 1;
    for (let place = (feature ^ (feature >>> 15)) & last; ; place = (place + 1) & last) {
      const entry = this.#places[place] ?? 0;
      if (entry === 0 || this.#features[entry - 1] === feature) return place;
    }
  }

  #grow(): void {
    const [features, times] = [this.#features, this.#times];
    this.#places = new Int32Array(this.#places.length * 2);
    this.#features = new Uint32Array(features.length * 2);
    this.#times = new Uint32Array(times.length * 2);
    this.#features.set(features);
    this.#times.set(times);
    for (let entry = 1; entry <= this.#size; entry++)
      this.#places[this.#placeOf(this.featureAt(entry - 1))] = entry;
  }
}
