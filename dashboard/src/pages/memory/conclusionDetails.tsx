import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { ConfidenceLine } from '../../parts/confidenceLine.tsx';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { asItWas } from '../../state/moment.ts';
import { type Conclusion, memoryTopics } from './conclusion.ts';
import { words } from './words.ts';

type Reason = Output<'GET /api/memory/conclusions/:id/why'>['chain'][number];

/** The words behind one, how certain it was over time, and what took whose place. */
export function ConclusionDetails({ id }: { readonly id: string }) {
  const why = useResource('GET /api/memory/conclusions/:id/why', { id, ...asItWas() }, memoryTopics);
  const shown = why.data.value;
  if (!shown) return <Reading of={why} />;
  const { chain } = shown;
  return (
    <div class="conclusion-details">
      <h3>{words.said}</h3>
      <Quotes chain={chain} />
      <ConfidenceLine chain={chain} now={shown.conclusion.confidence} />
      {shown.replaced.length > 0 ? <Others title={words.took} conclusions={shown.replaced} /> : null}
      {shown.replacedBy ? <Others title={words.takenBy} conclusions={[shown.replacedBy]} /> : null}
    </div>
  );
}

const SAID = new Set(['chat.message.received', 'memory.conversation.imported']);

function Quotes({ chain }: { readonly chain: readonly Reason[] }) {
  const said = chain.filter(({ type }) => SAID.has(type));
  if (said.length === 0) return <p class="quiet">{words.noWords}</p>;
  return (
    <>
      {said.map(({ position, at, summary, words: said }) => {
        const [who, told] = whoAndWords(summary);
        return (
          <figure key={position} class="quote">
            <blockquote>
              <Plain text={said ?? told} most={1_000} />
            </blockquote>
            <figcaption class="quiet small">
              <Plain text={who} /> · <Time at={at} exact />
            </figcaption>
          </figure>
        );
      })}
    </>
  );
}

/** As `why` tells it: “The user said: …”. */
function whoAndWords(summary: string): readonly [who: string, words: string] {
  const colon = summary.indexOf(': ');
  return colon === -1 ? ['', summary] : [summary.slice(0, colon), summary.slice(colon + 2)];
}

function Others({
  title,
  conclusions,
}: {
  readonly title: string;
  readonly conclusions: readonly Conclusion[];
}) {
  return (
    <>
      <h3>{title}</h3>
      {conclusions.map(({ id, text, createdAt }) => (
        <figure key={id} class="quote">
          <blockquote>
            <Plain text={text} most={1_000} />
          </blockquote>
          <figcaption class="quiet small">
            <Time at={createdAt} exact /> · <Go to={`/why/${encodeURIComponent(id)}`}>{words.why}</Go>
          </figcaption>
        </figure>
      ))}
    </>
  );
}
