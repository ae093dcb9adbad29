import type { ComponentChildren } from 'preact';
import { Table } from '../../parts/scroll.tsx';
import { moneyText, numberText, shortText } from '../../words/format.ts';
import type { Spent } from './spend.tsx';
import { words } from './words.ts';

type Total = Spent['total'];

interface Row extends Total {
  readonly id: string;
  readonly says: ComponentChildren;
}

interface SpendTableProps {
  readonly label: string;
  /** What the first column is. */
  readonly head: string;
  readonly rows: readonly Row[];
}

export function SpendTable({ label, head, rows }: SpendTableProps) {
  return (
    <Table label={label} class="spent">
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {[words.price, words.requestsHead, words.input, words.output].map((says) => (
            <th key={says} scope="col" class="number">
              {says}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, says, usd, requests, inputTokens, outputTokens }) => (
          <tr key={id}>
            <th scope="row">{says}</th>
            <td class="number">{price(usd)}</td>
            <td class="number">{numberText(requests)}</td>
            <td class="number">{shortText(inputTokens)}</td>
            <td class="number">{shortText(outputTokens)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export function price(usd: number | null): string {
  return usd === null ? words.unknown : moneyText(usd);
}
