import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Forgetting } from '../../parts/forgetting/forgetting.tsx';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain, visible } from '../../parts/plain.tsx';
import { Failure, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { useKeys } from '../../state/keys.ts';
import { asItWas, moment } from '../../state/moment.ts';
import { go } from '../../state/place.ts';
import { shareText } from '../../words/format.ts';
import { entityTopics, type OneEntity } from './entity.ts';
import { Merging } from './merging.tsx';
import { Neighbourhood } from './neighbourhood.tsx';
import { Renaming } from './renaming.tsx';
import { words } from './words.ts';

type Change = 'rename' | 'merge';

/** One of them: what is believed of it, what it has to do with others, and where it was spoken of. */
export function EntityPage({ id }: { readonly id: string }) {
  const read = useResource('GET /api/entities/:id', { id, ...asItWas() }, entityTopics);
  const [change, setChange] = useState<Change>();
  // Its receipt stays where the entity itself is gone.
  const [erasing, setErasing] = useState<OneEntity>();
  const entity = read.data.value;
  const refusal = read.refusal.value;
  const isNow = moment.value === undefined;
  const actions = {
    rename: () => setChange('rename'),
    merge: () => setChange('merge'),
    forget: () => setErasing(entity),
  };
  useKeys(
    isNow && entity
      ? [
          { key: 'e', says: words.rename, act: actions.rename },
          { key: 'x', says: words.forget, act: actions.forget },
        ]
      : [],
  );
  const close = () => setChange(undefined);
  return (
    <>
      {!entity || refusal?.status === 404 ? (
        <Page title={words.title}>
          <Reading of={read} />
          <Go to="/entities">{words.back}</Go>
        </Page>
      ) : (
        <Page
          title={visible(entity.name).slice(0, 120)}
          actions={isNow ? <Actions actions={actions} /> : null}
        >
          {refusal ? <Failure refusal={refusal} again={read.reload} /> : null}
          <About entity={entity} />
          <Neighbourhood entity={entity} />
          <Facts id={id} />
          <Spoken id={id} />
          {change === 'rename' ? <Renaming entity={entity} onClose={close} /> : null}
          {change === 'merge' ? <Merging into={entity} onClose={close} /> : null}
        </Page>
      )}
      {erasing ? (
        <Forgetting
          what={{ kind: 'entity', id, text: erasing.name }}
          onClose={(wasErased) => (wasErased ? go('/entities') : setErasing(undefined))}
        />
      ) : null}
    </>
  );
}

function Actions({
  actions,
}: {
  readonly actions: Readonly<Record<'rename' | 'merge' | 'forget', () => void>>;
}) {
  return (
    <>
      <button type="button" onClick={actions.rename}>
        {words.rename}
      </button>
      <button type="button" onClick={actions.merge}>
        {words.merge}
      </button>
      <button type="button" class="grave" onClick={actions.forget}>
        {words.forget}
      </button>
    </>
  );
}

function About({ entity }: { readonly entity: OneEntity }) {
  const { id, type, aliases, mentions, lastSeenAt, merged } = entity;
  const takeOut = (one: OneEntity['merged'][number]) =>
    attempt(async () => {
      await ask('POST /api/entities/:id/unmerge', { id, entityId: one.id });
      tell(words.unmerged(one.name), () => ask('POST /api/entities/:id/merge', { id, entityId: one.id }));
    });
  return (
    <>
      <p class="standing quiet">
        <span>{words.types[type]}</span>
        <span>{words.mentions(mentions)}</span>
        <span>
          {words.seen} <Time at={lastSeenAt} />
        </span>
        {aliases.length > 0 ? (
          <span>
            {words.alias} <Plain text={aliases.join(', ')} most={300} />
          </span>
        ) : null}
        <Go to="/entities">{words.back}</Go>
      </p>
      {merged.length > 0 && moment.value === undefined ? (
        <section aria-label={words.mergedIn} class="entity-merged">
          {merged.map((one) => (
            <button key={one.id} type="button" onClick={() => void takeOut(one)}>
              {words.unmerge(visible(one.name).slice(0, 80))}
            </button>
          ))}
        </section>
      ) : null}
    </>
  );
}

function Facts({ id }: { readonly id: string }) {
  const read = useResource('GET /api/entities/:id/conclusions', { id, ...asItWas() }, entityTopics);
  const facts = read.data.value?.conclusions;
  return (
    <section class="entity-part">
      <h2>{words.facts}</h2>
      {facts ? null : <Reading of={read} />}
      {facts?.length === 0 ? <p class="quiet">{words.noFacts}</p> : null}
      <ul class="rows">
        {facts?.map((fact) => (
          <li key={fact.id} class="row entity-fact">
            <span class="statement">
              <Plain text={fact.text} most={600} />
            </span>
            <span class="standing quiet small">
              <span>{words.certain(shareText(fact.confidence))}</span>
              <Go to={`/why/${encodeURIComponent(fact.id)}`}>{words.why}</Go>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Spoken({ id }: { readonly id: string }) {
  const read = useResource('GET /api/entities/:id/episodes', { id, ...asItWas() }, entityTopics);
  const episodes = read.data.value?.episodes;
  return (
    <section class="entity-part">
      <h2>{words.episodes}</h2>
      {episodes ? null : <Reading of={read} />}
      {episodes?.length === 0 ? <p class="quiet">{words.noEpisodes}</p> : null}
      <ul class="rows">
        {episodes?.map((episode) => (
          <li key={episode.id} class="row entity-fact">
            <span class="statement">
              <Plain text={episode.summary} most={400} />
            </span>
            <span class="quiet small">
              <Time at={episode.timestamp} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
