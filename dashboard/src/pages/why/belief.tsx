import './why.css';
import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { ConfidenceLine } from '../../parts/confidenceLine.tsx';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { asItWas } from '../../state/moment.ts';
import { dayText, shareText } from '../../words/format.ts';
import { Chain } from './chain.tsx';
import { words } from './words.ts';

type Reasons = Output<'GET /api/memory/conclusions/:id/why'>;

/** One belief, and all that it rests on. */
export function Belief({ id }: { readonly id: string }) {
  const why = useResource('GET /api/memory/conclusions/:id/why', { id, ...asItWas() }, ['memory.*']);
  const { value: refusal } = why.refusal;
  const reasons = refusal?.status === 404 ? undefined : why.data.value;
  return (
    <Page title={words.title} actions={<Go to="/why">{words.all}</Go>}>
      <Reading of={why} />
      {reasons ? <Reasons reasons={reasons} /> : null}
    </Page>
  );
}

function Reasons({ reasons }: { readonly reasons: Reasons }) {
  const { conclusion, chain, replaced, replacedBy, contradicted } = reasons;
  const { text, type, confidence, status, stale, createdAt } = conclusion;
  return (
    <article class="why">
      <blockquote class={status === 'active' ? 'why-belief' : 'why-belief why-over'}>
        <Plain text={text} />
      </blockquote>
      <dl class="why-facts">
        <div>
          <dt>{words.confidence}</dt>
          <dd class="number">{shareText(confidence)}</dd>
        </div>
        <div>
          <dt>{words.since}</dt>
          <dd>{dayText(createdAt)}</dd>
        </div>
        <div>
          <dt>{words.state}</dt>
          <dd>
            {words.states[status]}, {words.kinds[type]}
            {stale ? `, ${words.stale}` : null}
          </dd>
        </div>
      </dl>
      <ConfidenceLine chain={chain} now={confidence} />
      <Others title={words.replacedBy} beliefs={replacedBy ? [replacedBy] : []} />
      <Others title={words.replaced} beliefs={replaced} />
      <Others title={words.contradicted} beliefs={contradicted} />
      <Chain chain={chain} />
    </article>
  );
}

function Others({
  title,
  beliefs,
}: {
  readonly title: string;
  readonly beliefs: readonly Reasons['conclusion'][];
}) {
  if (beliefs.length === 0) return null;
  return (
    <section class="why-others">
      <h2>{title}</h2>
      <ul>
        {beliefs.map(({ id, text, confidence, createdAt }) => (
          <li key={id}>
            <Go to={`/why/${id}`} class="why-said">
              <Plain text={text} most={300} />
            </Go>{' '}
            <span class="quiet small">
              {shareText(confidence)} · <Time at={createdAt} exact />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
