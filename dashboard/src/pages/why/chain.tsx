import type { Output } from '../../api/ask.ts';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Time } from '../../parts/time.tsx';
import { shareText } from '../../words/format.ts';
import { words } from './words.ts';

type Link = Output<'GET /api/memory/conclusions/:id/why'>['chain'][number];

/** From the belief back to the words, event by event. */
export function Chain({ chain }: { readonly chain: readonly Link[] }) {
  const isQuoted = chain.some(
    ({ type, words: said }) => said && (type.startsWith('chat.') || type === 'memory.conversation.imported'),
  );
  return (
    <section aria-labelledby="chain">
      <h2 id="chain">{words.chain}</h2>
      <p class="quiet">{words.chainAbout}</p>
      <ol class="why-chain" reversed>
        {chain.toReversed().map((link, index) => (
          <li key={`${link.position}-${index}`}>
            <OneLink link={link} />
          </li>
        ))}
      </ol>
      {isQuoted ? null : <p class="quiet">{words.noWords}</p>}
    </section>
  );
}

function OneLink({ link }: { readonly link: Link }) {
  const { type, position, at, saidAt = at, words: said, setAside, confidence, summary } = link;
  return (
    <>
      <p class="why-link">
        <strong>{words.links[type] ?? type}</strong>{' '}
        <span class="quiet small">
          <Time at={saidAt} exact /> ·{' '}
          <Go to={`/events?before=${position + 1}&event=${position}`}>{words.event(position)}</Go>
          {setAside ? ` · ${words.setAside}` : null}
          {confidence === undefined ? null : ` · ${words.confidence} ${shareText(confidence)}`}
        </span>
      </p>
      {said === undefined ? (
        <details class="small">
          <summary class="quiet">{words.inLog}</summary>
          <p>
            <Plain text={summary} />
          </p>
        </details>
      ) : said === null ? (
        <p class="why-erased">{words.erased}</p>
      ) : (
        <blockquote class="why-said">
          <Plain text={said} most={1_000} />
        </blockquote>
      )}
    </>
  );
}
