import { useState } from 'preact/hooks';
import { parts } from '../words/parts.ts';

/** Of many so many at first, and with each wish as many more: what nobody looks at is not drawn. */
export function useSome<Row>(rows: readonly Row[], by: number) {
  const [most, setMost] = useState(by);
  return {
    some: rows.slice(0, most),
    more:
      rows.length > most ? (
        <button type="button" class="more" onClick={() => setMost(most + by)}>
          {parts.more}
        </button>
      ) : null,
  };
}
