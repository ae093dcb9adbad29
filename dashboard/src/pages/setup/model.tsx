import { useState } from 'preact/hooks';
import { ask, type Input, type Output, Refusal } from '../../api/ask.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Plain } from '../../parts/plain.tsx';
import { tell } from '../../parts/toasts.tsx';
import { durationText, moneyText } from '../../words/format.ts';
import { change } from './changes.ts';
import type { StepProps } from './setup.tsx';
import { words } from './words.ts';

type Wish = Input<'POST /api/setup/try'>;
/** What was asked and answered: what stands in the fields by then may be something else. */
type Trial = Output<'POST /api/setup/try'> & { readonly wish: Wish };
type Provider = Wish['provider'];

const text = words.model;
const providers = (['cloud-a', 'cloud-b', 'gateway', 'local-runner'] as const).map((value) => ({
  value,
  says: text.providers[value],
}));

/** Where each provider gives out keys. */
const places = {
  'cloud-a': 'console.anthropic.com',
  'cloud-b': 'platform.openai.com',
  gateway: 'openrouter.ai',
} as const;

/** Nothing is stored before a model has answered. */
export function ModelStep({ status, attempt, next }: StepProps) {
  const [provider, setProvider] = useState<Provider>('cloud-a');
  const [key, setKey] = useState('');
  const [model, setModel] = useState('');
  const [trial, setTrial] = useState<Trial>();
  const [isTrying, setTrying] = useState(false);
  /** The provider of which hark has no key either. */
  const [keyless, setKeyless] = useState<Provider>();
  const apiKey = key.trim();
  const tryIt = async () => {
    setTrial(undefined);
    setKeyless(undefined);
    setTrying(true);
    const wish: Wish = {
      provider,
      ...(apiKey === '' || provider === 'local-runner' ? {} : { apiKey }),
      ...(model.trim() === '' ? {} : { model: model.trim() }),
    };
    await attempt(async () => {
      try {
        setTrial({ ...(await change(status, 'POST /api/setup/try', wish)), wish });
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 404) throw error;
        setKeyless(provider);
      }
    });
    setTrying(false);
  };
  const use = async ({ model: proven, wish: { provider, apiKey } }: Trial) => {
    if (proven === undefined) return;
    if (apiKey !== undefined && provider !== 'local-runner')
      await change(status, 'POST /api/credentials', { providerId: `provider-${provider}`, apiKey });
    const { slots } = await ask('GET /api/slots', {});
    if (slots.chat?.model !== proven)
      await ask('PUT /api/slots', { slots: { chat: { provider, model: proven } } });
    setKey((now) => (now.trim() === apiKey ? '' : now));
    setTrial(undefined);
    tell(text.inUse(proven));
    next();
  };
  const isDone = status.steps.find(({ id }) => id === 'model')?.state === 'done';
  return (
    <>
      <p class="quiet">{isDone ? text.done : text.about}</p>
      <Form onSubmit={tryIt}>
        <SelectField label={text.provider} value={provider} options={providers} onValue={setProvider} />
        {provider === 'local-runner' ? null : (
          <TextField
            label={text.key}
            hint={`${text.keyFrom(places[provider])} ${text.keyHint}`}
            wrong={keyless === provider ? text.noKey(text.providers[provider]) : undefined}
            type="password"
            autocomplete="off"
            value={key}
            onValue={setKey}
          />
        )}
        <TextField label={text.model} hint={text.modelHint} value={model} onValue={setModel} />
        <button type="submit" class="main" disabled={isTrying}>
          {text.tryIt}
        </button>
      </Form>
      <div role="status">
        {isTrying ? <p class="quiet">{text.trying}</p> : null}
        {trial ? <Outcome trial={trial} /> : null}
      </div>
      {trial?.ok ? (
        <p>
          <button type="button" class="main" onClick={() => void attempt(() => use(trial))}>
            {text.use}
          </button>
        </p>
      ) : null}
    </>
  );
}

function Outcome({ trial }: { readonly trial: Trial }) {
  const { ok, label, model, answer = '', error = '', ms = 0 } = trial;
  if (!ok)
    return (
      <p class="wrong">
        {label}: <Plain text={error} />
      </p>
    );
  return (
    <>
      <blockquote class="setup-said">
        <Plain text={answer} />
      </blockquote>
      <p class="quiet small">
        {label}, <Plain text={model ?? ''} /> · {durationText(ms)} · {priceOf(trial)}
      </p>
    </>
  );
}

function priceOf({ pricing, costUsd }: Trial): string {
  if (costUsd === 0) return text.free;
  if (!pricing) return text.unpriced;
  return text.price(moneyText(pricing.inputPer1M), moneyText(pricing.outputPer1M));
}
