import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { Billing } from './billing.tsx';
import { KeyForm } from './keyForm.tsx';
import { Runner } from './runner.tsx';
import { words } from './words.ts';

export type KeyScope = Output<'GET /api/credentials'>['keys'][number];

const TOPICS = ['provider.*'];

/** The providers: their keys without ever showing one, how they are, and what credit is left. */
export function Keys() {
  const isPast = moment.value !== undefined;
  const listed = useResource('GET /api/credentials', isPast ? undefined : {}, TOPICS);
  const health = useResource('GET /api/health', isPast ? undefined : {}, TOPICS);
  const billing = useResource('GET /api/billing/status', asItWas(), TOPICS);
  const [edited, setEdited] = useState<KeyScope>();
  const keys = listed.data.value?.keys;
  if (isPast) return billing.data.value ? <Credit status={billing.data.value} /> : <Reading of={billing} />;
  if (!keys) return <Reading of={listed} />;
  const services = health.data.value?.services ?? {};
  const local = services['provider-local-runner'];
  return (
    <>
      <ul class="rows" aria-label={words.tabs.providers}>
        {keys.map((key) => (
          <li key={key.providerId} class="row">
            <article class="row-head">
              <div>
                <p class="row-title">{labelOf(key)}</p>
                <p class="small facts">
                  <Health report={services[key.providerId]} />
                  <span class="quiet">
                    {words.key}: {sourceOf(key)}
                  </span>
                </p>
                <Billing id={key.providerId.replace(/^provider-/, '')} status={billing.data.value} />
              </div>
              <Actions of={key} onSet={() => setEdited(key)} onTried={health.assume} />
            </article>
          </li>
        ))}
        <li class="row">
          <p class="row-title">Ollama</p>
          <p class="small facts">
            <Health report={local} />
            <span class="quiet">
              {words.key}: {words.sources.local}
            </span>
          </p>
          <Runner onChanged={health.reload} />
        </li>
      </ul>
      {keys.some(({ source }) => source === 'stored') ? (
        <p>
          <button type="button" class="grave" onClick={() => void removeAll()}>
            {words.removeKeys}
          </button>
        </p>
      ) : null}
      {edited ? <KeyForm of={edited} onClose={() => setEdited(undefined)} /> : null}
    </>
  );
}

async function removeAll(): Promise<void> {
  const question = { title: words.removeKeysTitle, text: words.removeKeysText, action: words.removeKeys };
  if (!(await confirmed({ ...question, isGrave: true }))) return;
  const done = await attempt(() => ask('POST /api/credentials/clear-all', {}));
  if (done) tell(words.keysRemoved(done.removed.length));
}

/** Of the past: the log knows neither keys nor who answered. */
function Credit({ status }: { readonly status: Output<'GET /api/billing/status'> }) {
  return (
    <>
      <p class="quiet">{words.creditAlone}</p>
      <ul class="rows" aria-label={words.tabs.providers}>
        {Object.entries(status.providers).map(([id, { label, exhausted }]) => (
          <li key={id} class="row">
            <p class="row-title">{label}</p>
            {exhausted ? null : <p class="small facts">{words.notExhausted}</p>}
            <Billing id={id} status={status} />
          </li>
        ))}
      </ul>
    </>
  );
}

export function labelOf({ label, providerId }: KeyScope): string {
  return label ?? providerId;
}

function sourceOf({ source, variable }: KeyScope): string {
  return source === 'environment' ? words.sources.environment(variable) : words.sources[source];
}

type Report = Output<'GET /api/health'>['services'][string];

function Health({ report }: { readonly report: Report | undefined }) {
  if (!report) return null;
  const { status, error } = report;
  return (
    <span class={`state ${status}`}>
      {words.health[status]}
      {error === undefined ? null : (
        <>
          {': '}
          <Plain text={error} most={200} />
        </>
      )}
    </span>
  );
}

interface ActionsProps {
  readonly of: KeyScope;
  readonly onSet: () => void;
  readonly onTried: (health: Output<'GET /api/health'>) => void;
}

function Actions({ of, onSet, onTried }: ActionsProps) {
  const [isTrying, setTrying] = useState(false);
  const label = labelOf(of);
  const { providerId, source } = of;
  const tryIt = async () => {
    setTrying(true);
    // A key that is stored is not told to anybody, so the service itself asks with it.
    const answer = await attempt(() => ask('GET /api/health', {}));
    setTrying(false);
    if (!answer) return;
    onTried(answer);
    const { status = 'off', error } = answer.services[providerId] ?? {};
    tell(status === 'healthy' ? words.works(label) : `${label} ${words.health[status]}: ${error ?? '?'}`);
  };
  const remove = async () => {
    const agreed = await confirmed({
      title: words.removeKeyTitle(label),
      text: words.removeKeyText,
      action: words.removeKey,
      isGrave: true,
    });
    if (agreed && (await attempt(() => ask('DELETE /api/credentials/:providerId', { providerId }))))
      tell(words.keyRemoved);
  };
  return (
    <div class="actions">
      <button type="button" aria-label={`${words.setKey} ${label}`} onClick={onSet}>
        {words.setKey}
      </button>
      {source === 'none' ? null : (
        <button
          type="button"
          aria-label={`${words.tryStored} ${label}`}
          disabled={isTrying}
          onClick={() => void tryIt()}
        >
          {isTrying ? words.trying : words.tryStored}
        </button>
      )}
      {source === 'stored' ? (
        <button
          type="button"
          class="grave"
          aria-label={`${words.removeKey} ${label}`}
          onClick={() => void remove()}
        >
          {words.removeKey}
        </button>
      ) : null}
    </div>
  );
}
