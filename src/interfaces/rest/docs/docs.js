import { prose } from './prose.js';

const state = document.getElementById('state');
const key = document.getElementById('key');
const MOST_SHOWN_EVENTS = 20;

/** An element with properties and children; text goes in as text, never as markup. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** What is said in descriptions, with names and values as code. */
function told(text) {
  return prose(text, (code) => make('code', { textContent: code }));
}

function authorization() {
  return key.value ? { authorization: `Bearer ${key.value}` } : {};
}

async function load() {
  state.textContent = 'Loading…';
  try {
    const answer = await fetch('/api/openapi.json', { headers: authorization() });
    const api = await answer.json();
    if (!answer.ok) {
      state.textContent = api.message ?? api.error;
      return;
    }
    document.getElementById('version').textContent = api.info.version;
    const areas = api.tags.map(({ name }) => showArea(name, api.paths));
    document.getElementById('operations').replaceChildren(...areas);
    // In the description for those who read it alone; here it stands above the page.
    const notice = document.querySelector('.notice')?.textContent ?? '';
    state.replaceChildren(...told(api.info.description.replace(notice, '').trim()));
  } catch {
    state.textContent = 'The service does not answer.';
  }
}

function showArea(area, paths) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(area))
      .map(([method, operation]) => showOperation(method.toUpperCase(), path, operation)),
  );
  const title = make('h2', { id: `area-${area}`, textContent: area });
  const section = make('section', {}, title, ...operations);
  section.setAttribute('aria-labelledby', title.id);
  return section;
}

function showOperation(method, path, operation) {
  const summary = make(
    'summary',
    {},
    make('span', { className: 'method', textContent: method }),
    make('code', { textContent: path }),
    ' ',
    make('span', { className: 'says' }, ...told(operation.summary)),
  );
  const details = make('details', {}, summary);
  // Most are never opened, so what is inside is made when one is.
  details.addEventListener('toggle', () => details.append(showInside(method, path, operation)), {
    once: true,
  });
  return details;
}

function showInside(method, path, operation) {
  const needsKey = operation.security.length > 0 ? 'Needs the API key when one is configured.' : 'Open.';
  const inside = make('div', { className: 'inside' }, make('p', {}, ...told(operation.description ?? '')));
  inside.append(make('p', { textContent: needsKey }));
  const body = operation.requestBody?.content['application/json'];
  if (body) inside.append(showSchema('Body', body.schema));
  inside.append(showResponses(operation.responses), tryOut(method, path, operation));
  return inside;
}

function showSchema(title, schema) {
  const text = make('pre', { textContent: JSON.stringify(schema, null, 2), tabIndex: 0 });
  return make('div', {}, make('h3', { textContent: title }), text);
}

function showResponses(responses) {
  const rows = Object.entries(responses).map(([status, { description }]) =>
    make('tr', {}, make('th', { scope: 'row', textContent: status }), make('td', {}, ...told(description))),
  );
  const shapes = Object.values(responses).flatMap(
    ({ content }) => content?.['application/json']?.schema ?? [],
  );
  const shape = shapes.find((schema) => !schema.$ref);
  const table = make('table', {}, make('tbody', {}, ...rows));
  return make(
    'div',
    {},
    make('h3', { textContent: 'Answers' }),
    table,
    ...(shape ? [showSchema('Shape', shape)] : []),
  );
}

function tryOut(method, path, operation) {
  const form = make('form', {}, make('h3', { textContent: 'Try it' }));
  const fields = operation.parameters.map((parameter) => ({
    parameter,
    input: addField(form, operation, parameter),
  }));
  const body = operation.requestBody && addBody(form, operation);
  const result = make('pre', { tabIndex: 0, hidden: true });
  result.setAttribute('role', 'status');
  form.append(make('button', { type: 'submit', textContent: 'Send' }), result);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    result.hidden = false;
    result.textContent = 'Asking…';
    try {
      await ask(method, path, fields, body?.value, result);
    } catch (error) {
      result.textContent = String(error);
    }
  });
  return form;
}

function addField(form, { operationId }, { name, required, schema, example }) {
  const input = make('input', { id: `${operationId}-${name}`, required, value: example ?? '' });
  if (schema.description) input.title = schema.description.replaceAll('`', '');
  form.append(
    make('label', { htmlFor: input.id, textContent: required ? `${name} (required)` : name }),
    input,
  );
  return input;
}

function addBody(form, { operationId, requestBody }) {
  const { example } = requestBody.content['application/json'];
  const value = JSON.stringify(example ?? {}, null, 2);
  const body = make('textarea', { id: `${operationId}-body`, rows: 6, value, spellcheck: false });
  form.append(make('label', { htmlFor: body.id, textContent: 'Body (JSON)' }), body);
  return body;
}

function addressOf(path, fields) {
  const query = new URLSearchParams();
  let address = path;
  for (const { parameter, input } of fields) {
    if (parameter.in === 'path')
      address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else if (parameter.in === 'query' && input.value) query.set(parameter.name, input.value);
  }
  return query.size > 0 ? `${address}?${query}` : address;
}

function headersOf(fields) {
  const shown = fields.filter(({ parameter, input }) => parameter.in === 'header' && input.value);
  return Object.fromEntries(shown.map(({ parameter: { name }, input }) => [name, input.value]));
}

async function ask(method, path, fields, body, result) {
  const headers = {
    ...authorization(),
    ...headersOf(fields),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await fetch(addressOf(path, fields), { method, headers, body });
  const head = `${answer.status} ${answer.statusText}\n\n`;
  if (answer.headers.get('content-type')?.startsWith('text/event-stream'))
    await showEvents(answer, head, result);
  else result.textContent = head + indented(await answer.text());
}

/** A stream has no end, so the first few messages stand for it. */
async function showEvents(answer, head, result) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = head;
  result.textContent = `${text}Waiting for events…`;
  while (text.split('\n\n').length < MOST_SHOWN_EVENTS) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    result.textContent = text;
  }
  await reader.cancel();
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

document.getElementById('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  load();
});
load();
