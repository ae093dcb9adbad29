import '../../look/lists.css';
import './spend.css';
import { useLocation } from 'preact-iso';
import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { SelectField } from '../../parts/fields.tsx';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { asItWas } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { asChoice, dateText } from '../../words/format.ts';
import { DayBars } from './dayBars.tsx';
import { price, SpendTable } from './spendTable.tsx';
import { words } from './words.ts';

export type Spent = Output<'GET /api/spend'>;

const spans = ['7', '30', '90', '400'] as const;
const views = ['day', 'model', 'session'] as const;
/** A turn counts with each of its steps. */
const TOPICS = ['chat.step.taken', 'chat.reply.sent'];

export default function Spend() {
  const { query } = useLocation();
  const span = spans.find((one) => one === query.days) ?? '30';
  const read = useResource('GET /api/spend', { days: Number(span), ...asItWas() }, TOPICS);
  const spent = read.data.value;
  return (
    <Page title={words.title} about={words.about}>
      <div class="list-head">
        <SelectField
          label={words.span}
          value={span}
          options={spans.map((value) => ({ value, says: asChoice(words.spans[value]) }))}
          onValue={(days) => search({ days: days === '30' ? undefined : days })}
        />
        {spent ? (
          <p role="status" class="total">
            <span class="quiet small">{words.total}</span> <strong>{price(spent.total.usd)}</strong>{' '}
            <span class="quiet">{words.requests(spent.total.requests)}</span>
          </p>
        ) : null}
      </div>
      <Reading of={read} />
      {spent && spent.days.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyNext}</p>
          <Go to="/chat">{words.chat}</Go>
        </Empty>
      ) : null}
      {spent && spent.days.length > 0 ? (
        <>
          <DayBars days={spent.days} span={Number(span)} />
          <Views spent={spent} chosen={views.find((one) => one === query.by) ?? 'day'} />
        </>
      ) : null}
      <p class="quiet small more">{words.left}</p>
    </Page>
  );
}

interface ViewsProps {
  readonly spent: Spent;
  readonly chosen: (typeof views)[number];
}

function Views({ spent: { days, models, sessions }, chosen }: ViewsProps) {
  const rows = {
    day: days
      .map((one) => ({ ...one, id: one.day, says: <time dateTime={one.day}>{dateText(one.day)}</time> }))
      .reverse(),
    model: models.map((one) => ({
      ...one,
      id: `${one.provider} ${one.model}`,
      says: (
        <>
          <Plain text={one.model} most={120} /> <span class="quiet small">{one.label}</span>
        </>
      ),
    })),
    session: sessions.map((one) => ({
      ...one,
      id: one.sessionId,
      says: (
        <>
          <Go to={`/chat/${one.sessionId}`}>
            <Plain text={one.sessionId} most={60} />
          </Go>{' '}
          <span class="quiet small">
            <Time at={one.lastAt} />
          </span>
        </>
      ),
    })),
  }[chosen];
  return (
    <Tabs
      label={words.title}
      tabs={views.map((name) => ({ name, says: words.tabs[name] }))}
      chosen={chosen}
      onChoose={(by) => search({ by: by === 'day' ? undefined : by })}
    >
      <SpendTable label={words.tabs[chosen]} head={words[chosen]} rows={rows} />
    </Tabs>
  );
}
