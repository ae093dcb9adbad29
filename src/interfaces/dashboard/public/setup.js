/* A model for a service that has none yet: whoever came with the claim in the fragment may choose it here. */

const PROVIDERS = {
  anthropic: 'provider-cloud-a',
  openai: 'provider-cloud-b',
  openrouter: 'provider-gateway',
};

const section = document.getElementById('setup');
const form = document.getElementById('setup-form');
const provider = document.getElementById('setup-provider');
const providerKey = document.getElementById('setup-key');
const ownKey = document.getElementById('key');
const outcome = document.getElementById('setup-outcome');
const use = document.getElementById('setup-use');
const skip = document.getElementById('setup-skip');

const [name, claim] = location.hash.slice(1).split('=');
let proven;

/** Nobody who looks over a shoulder, or into the history, finds the claim. */
if (name === 'setup') {
  history.replaceState(null, '', location.pathname);
  section.hidden = false;
}

async function ask(method, path, body) {
  const headers = {
    'content-type': 'application/json',
    ...(claim ? { 'x-setup-token': claim } : {}),
    ...(ownKey.value ? { authorization: `Bearer ${ownKey.value}` } : {}),
  };
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.message ?? said.error);
  return said;
}

/** What is wrong is told where the outcome would be. */
function telling(work) {
  return async (event) => {
    event.preventDefault();
    try {
      await work();
    } catch (error) {
      outcome.textContent = error.message;
    }
  };
}

function priceOf({ pricing, costUsd }) {
  if (costUsd === 0) return 'It runs on your machine and costs nothing.';
  if (!pricing) return 'The provider names no price.';
  return `A million tokens cost $${pricing.inputPer1M} in and $${pricing.outputPer1M} out.`;
}

const wish = () => ({
  provider: provider.value,
  ...(providerKey.value.trim() ? { apiKey: providerKey.value.trim() } : {}),
});

form.addEventListener(
  'submit',
  telling(async () => {
    use.hidden = true;
    outcome.textContent = 'Asking one short question…';
    const asked = wish();
    const trial = await ask('POST', '/api/setup/try', asked);
    if (!trial.ok) throw new Error(`${trial.label}: ${trial.error}`);
    proven = { ...asked, model: trial.model };
    outcome.textContent = `${trial.label}, ${trial.model}: “${trial.answer}” ${priceOf(trial)}`;
    use.hidden = false;
  }),
);

use.addEventListener(
  'click',
  telling(async () => {
    const { provider: id, apiKey, model } = proven;
    if (apiKey) await ask('POST', '/api/credentials', { providerId: PROVIDERS[id], apiKey });
    const { slots } = await ask('GET', '/api/slots');
    if (slots.chat?.model !== model)
      await ask('PUT', '/api/slots', { slots: { chat: { provider: id, model } } });
    providerKey.value = '';
    use.hidden = true;
    outcome.textContent = `${model} answers from now on. In a terminal: npx hark chat`;
  }),
);

skip.addEventListener(
  'click',
  telling(async () => {
    await ask('PUT', '/api/setup/steps/model', { state: 'skipped' });
    outcome.textContent = 'hark goes on without a model. npx hark setup chooses one later.';
  }),
);
