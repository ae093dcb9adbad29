import type { Ref } from 'preact';
import { useState } from 'preact/hooks';
import type { Input } from '../../api/ask.ts';
import { SelectField } from '../../parts/fields.tsx';
import { Find } from '../../parts/find.tsx';
import { search } from '../../state/place.ts';
import { shareText } from '../../words/format.ts';
import { words } from './words.ts';

type Asked = Input<'GET /api/memory/conclusions'>;

export interface ConclusionFilters extends Pick<Asked, 'q' | 'type' | 'minConfidence'> {
  readonly status: NonNullable<Asked['status']>;
  readonly order: NonNullable<Asked['order']>;
}

const types = ['explicit', 'corrected', 'inferred'] as const;
const statuses = ['active', 'pruned', 'merged'] as const;
const orders = ['confidence', 'newest'] as const;
const confidences = ['0', '0.5', '0.7', '0.9'] as const;

/** What is asked for, as the address says it. */
export function filtersIn(query: Readonly<Record<string, string>>): ConclusionFilters {
  const type = types.find((one) => one === query.type);
  const least = Number(query.min ?? 0);
  return {
    ...(query.q ? { q: query.q } : {}),
    ...(type ? { type } : {}),
    ...(least > 0 && least <= 1 ? { minConfidence: least } : {}),
    status: statuses.find((one) => one === query.status) ?? 'active',
    order: orders.find((one) => one === query.order) ?? 'confidence',
  };
}

interface FiltersProps {
  readonly filters: ConclusionFilters;
  readonly field: Ref<HTMLInputElement>;
}

export function Filters({ filters, field }: FiltersProps) {
  const { type, status, order, minConfidence } = filters;
  const least = confidences.find((one) => Number(one) === minConfidence) ?? '0';
  // On a phone they would take half of the page; what is chosen is seen.
  const [isOpen, open] = useState(
    Boolean(type ?? minConfidence) || status !== 'active' || order !== 'confidence',
  );
  return (
    <search class={isOpen ? 'find-bar' : 'find-bar folded'}>
      <Find label={words.find} hint={words.findHint} value={filters.q ?? ''} field={field} />
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {words.filters}
      </button>
      <SelectField
        label={words.status}
        value={status}
        options={statuses.map((value) => ({ value, says: words.statuses[value] }))}
        onValue={(value) => search({ status: value === 'active' ? undefined : value })}
      />
      <SelectField
        label={words.type}
        value={type ?? 'any'}
        options={(['any', ...types] as const).map((value) => ({ value, says: words.types[value] }))}
        onValue={(value) => search({ type: value === 'any' ? undefined : value })}
      />
      <SelectField
        label={words.confidence}
        value={least}
        options={confidences.map((value) => ({
          value,
          says: value === '0' ? words.anyConfidence : words.atLeast(shareText(Number(value))),
        }))}
        onValue={(value) => search({ min: value === '0' ? undefined : value })}
      />
      <SelectField
        label={words.order}
        value={order}
        options={orders.map((value) => ({ value, says: words.orders[value] }))}
        onValue={(value) => search({ order: value === 'confidence' ? undefined : value })}
      />
    </search>
  );
}
