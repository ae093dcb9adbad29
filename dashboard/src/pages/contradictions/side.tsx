import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { asItWas } from '../../state/moment.ts';
import { dayText, shareText } from '../../words/format.ts';
import type { Side } from './settling.ts';
import { words } from './words.ts';

/** A belief with the words and the dates behind it. */
export function OneSide({ name, belief }: { readonly name: string; readonly belief: Side }) {
  const { id, text, confidence, lastEvidenceAt } = belief;
  return (
    <section class="opposed-side" aria-label={name}>
      <h2 class="quiet small">{name}</h2>
      <blockquote class="opposed-belief">
        <Plain text={text} most={600} />
      </blockquote>
      <p class="quiet small">
        {words.heard} {dayText(lastEvidenceAt)} · {words.confidence} {shareText(confidence)}
      </p>
      <h3>{words.behind}</h3>
      <Behind id={id} />
      <p>
        <Go to={`/why/${id}`}>{words.why}</Go>
      </p>
    </section>
  );
}

function Behind({ id }: { readonly id: string }) {
  const why = useResource('GET /api/memory/conclusions/:id/why', { id, ...asItWas() });
  const { value: reasons } = why.data;
  if (!reasons) return <Reading of={why} />;
  const said = reasons.chain.filter(
    ({ type, words: quoted }) =>
      quoted !== undefined && (type === 'chat.message.received' || type === 'memory.conversation.imported'),
  );
  if (said.length === 0) return <p class="quiet">{words.noWords}</p>;
  return (
    <ul class="opposed-quotes">
      {said.map(({ position, at, saidAt = at, words: quoted }, index) => (
        <li key={`${position}-${index}`}>
          {quoted == null ? (
            <em class="quiet">{words.erased}</em>
          ) : (
            <q>
              <Plain text={quoted} most={600} />
            </q>
          )}{' '}
          <span class="quiet small">
            <Time at={saidAt} exact />
          </span>
        </li>
      ))}
    </ul>
  );
}
