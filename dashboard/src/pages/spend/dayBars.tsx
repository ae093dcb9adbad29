import { now } from '../../api/now.ts';
import { moment } from '../../state/moment.ts';
import { dateText, moneyText, numberText } from '../../words/format.ts';
import type { Spent } from './spend.tsx';
import { words } from './words.ts';

const DAY_MS = 86_400_000;
const HEIGHT = 96;
/** Beyond so many days, those before them are left to the table. */
const MOST_BARS = 90;

interface DayBarsProps {
  readonly days: Spent['days'];
  readonly span: number;
}

/** A bar for each day, those without a request too. Where no price is known, it is of tokens. The table has the same. */
export function DayBars({ days, span }: DayBarsProps) {
  const isPriced = days.some(({ usd }) => usd !== null && usd > 0);
  const known = new Map(
    days.map((one) => [one.day, isPriced ? (one.usd ?? 0) : one.inputTokens + one.outputTokens]),
  );
  const newest = Math.max(moment.value ?? now(), ...days.map(({ day }) => Date.parse(day)));
  const count = Math.min(span, MOST_BARS);
  const shown = Array.from({ length: count }, (_, index) =>
    new Date(newest - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const most = Math.max(...shown.map((day) => known.get(day) ?? 0));
  const title = isPriced ? words.chart : words.chartTokens;
  return (
    <>
      <p class="quiet small" aria-hidden="true">
        {title}
      </p>
      <svg
        class="day-bars"
        role="img"
        aria-label={title}
        viewBox={`0 0 ${count * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {shown.map((day, index) => {
          const value = known.get(day) ?? 0;
          const height = value === 0 ? 0 : 1 + (value / most) * (HEIGHT - 2);
          return (
            <rect key={day} x={index * 10 + 1} y={HEIGHT - height} width={8} height={height}>
              <title>{`${dateText(day)}: ${isPriced ? moneyText(value) : numberText(value)}`}</title>
            </rect>
          );
        })}
      </svg>
    </>
  );
}
