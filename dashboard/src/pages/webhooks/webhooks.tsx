import '../../look/lists.css';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Act } from '../../parts/act.tsx';
import { confirmed } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { Deliveries } from './deliveries.tsx';
import { reasonText } from './reason.ts';
import { WebhookForm } from './webhookForm.tsx';
import { words } from './words.ts';

export type Webhook = Output<'GET /api/webhooks'>['webhooks'][number];

export default function Webhooks() {
  const listed = useResource('GET /api/webhooks', asItWas(), ['webhook.*']);
  const { query } = useLocation();
  const [edited, setEdited] = useState<Webhook | 'new'>();
  const all = listed.data.value?.webhooks;
  const canChange = moment.value === undefined;
  const add = (
    <button type="button" class="main" onClick={() => setEdited('new')}>
      {words.add}
    </button>
  );
  const open = ({ id }: Webhook) => search({ open: query.open === id ? undefined : id });
  return (
    <Page title={words.title} about={words.about} actions={canChange && all && all.length > 0 ? add : null}>
      <Reading of={listed} />
      {all?.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyNext}</p>
          {canChange ? add : null}
        </Empty>
      ) : null}
      {all && all.length > 0 ? (
        <Rows
          label={words.list}
          rows={all}
          idOf={({ id }) => id}
          nameOf={({ url }) => url}
          onOpen={open}
          {...(canChange
            ? {
                keys: [
                  { key: 'e', says: words.change, act: setEdited },
                  { key: 'x', says: words.remove, act: (one: Webhook) => void remove(one) },
                ],
              }
            : {})}
        >
          {(webhook) => (
            <article>
              <div class="row-head">
                <About webhook={webhook} />
                {canChange ? (
                  <div class="actions">
                    <Act
                      says={webhook.status === 'active' ? words.pause : words.resume}
                      what={webhook.url}
                      onClick={() => void setStatus(webhook)}
                    />
                    <Menu
                      label={words.actionsOf}
                      of={webhook.url}
                      items={[
                        { says: words.test, act: () => void tryOut(webhook) },
                        { says: words.change, act: () => setEdited(webhook) },
                        { says: words.remove, isGrave: true, act: () => void remove(webhook) },
                      ]}
                    />
                  </div>
                ) : null}
              </div>
              <Act
                says={words.deliveries}
                what={webhook.url}
                class="link small"
                aria-expanded={query.open === webhook.id}
                onClick={() => open(webhook)}
              />
              {query.open === webhook.id ? <Deliveries webhook={webhook} /> : null}
            </article>
          )}
        </Rows>
      ) : null}
      {edited === undefined ? null : (
        <WebhookForm
          {...(edited === 'new' ? {} : { webhook: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function About({ webhook }: { readonly webhook: Webhook }) {
  const { url, topics, status, because, failures, lastFailure, retryAt } = webhook;
  return (
    <div>
      <p class="row-title">
        {url === '' ? <span class="quiet">{words.forgotten}</span> : <Plain text={url} most={200} />}
      </p>
      <p class="quiet small facts">
        <span>{because === null ? words.states[status] : words.because[because]}</span>
        {topics.map((topic) => (
          <code key={topic}>
            <Plain text={topic} most={120} />
          </code>
        ))}
      </p>
      {failures > 0 ? (
        <p class="wrong small facts">
          <span>
            {words.failures(failures)} {lastFailure ? `(${reasonText(lastFailure.reason)})` : ''}
          </span>
          {retryAt === null ? null : (
            <span>
              {words.retry} <Time at={retryAt} />
            </span>
          )}
        </p>
      ) : null}
    </div>
  );
}

async function tryOut({ id }: Webhook): Promise<void> {
  const answer = await attempt(() => ask('POST /api/webhooks/:id/test', { id }));
  if (answer) tell(answer.delivered ? words.testArrived : words.testFailed(reasonText(answer.reason ?? '?')));
}

async function setStatus({ id, status }: Webhook): Promise<void> {
  const set = (status: Webhook['status']) => ask('PUT /api/webhooks/:id', { id, status });
  const next = status === 'active' ? 'paused' : 'active';
  if (await attempt(() => set(next)))
    tell(next === 'paused' ? words.paused : words.resumed, () => set(status));
}

async function remove({ id, url }: Webhook): Promise<void> {
  const text = (
    <>
      <p>
        <Plain text={url} most={300} />
      </p>
      <p>{words.removeText}</p>
    </>
  );
  if (!(await confirmed({ title: words.removeTitle, text, action: words.remove, isGrave: true }))) return;
  if (await attempt(() => ask('DELETE /api/webhooks/:id', { id }))) tell(words.removed);
}
