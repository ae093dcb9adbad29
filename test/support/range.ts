/** The whole numbers from `from` up to, but without, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
