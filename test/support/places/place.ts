/** Where people find something of what the service can do. */
export interface Place {
  /** As docs/dashboard.md says it, under the page. */
  readonly what: string;
  /** What is clicked after the link of the page: names of controls, or the row of a list. The last of them does it, or opens its form. */
  readonly by: readonly string[];
  /** Of the sources in `dashboard/src`, the one that asks. */
  readonly file: string;
  readonly asks: readonly string[];
}

/** Something of one's own in a list, by its link or its name. */
export const ROW = '‹row›';

export const place = (
  what: string,
  file: string,
  by: readonly string[],
  ...asks: readonly string[]
): Place => ({
  what,
  file,
  by,
  asks,
});
