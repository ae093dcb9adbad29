import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Table } from '../../parts/scroll.tsx';
import { useSome } from '../../parts/some.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { asChoice, dateText, numberText } from '../../words/format.ts';
import { words } from './words.ts';

type Provider = Output<'GET /api/providers/catalog'>['providers'][number];
type Model = Provider['models'][number] & {
  readonly label: string;
  readonly providerId: Provider['providerId'];
};

const SHOWN = 100;

interface CatalogProps {
  readonly text: string;
  readonly can: string;
}

/** Every model that a provider offers, with what it can do and costs. */
export function Catalog({ text, can }: CatalogProps) {
  const read = useResource('GET /api/providers/catalog', asItWas(), [
    'provider.catalog.*',
    'provider.credentials.*',
  ]);
  const { providers } = read.data.value ?? {};
  const all = (providers ?? []).flatMap(({ models, label, providerId }) =>
    models.map((model) => ({ ...model, label, providerId })),
  );
  const wanted = all.filter(matcherOf(text, can));
  const { some, more } = useSome(wanted, SHOWN);
  if (!providers) return <Reading of={read} />;
  if (providers.length === 0)
    return (
      <Empty title={words.noCatalog}>
        <p>{words.noCatalogNext}</p>
      </Empty>
    );
  const abilities = Array.from(new Set(all.flatMap(({ capabilities }) => capabilities))).sort();
  const refresh = async () => {
    const fresh = await attempt(() => ask('GET /api/providers/catalog', { refresh: '1' }));
    if (!fresh) return;
    read.assume(fresh);
    tell(words.refreshed);
  };
  return (
    <>
      <div class="list-head">
        <TextField label={words.search} type="search" value={text} onValue={(q) => search({ q })} />
        <SelectField
          label={words.can}
          value={can}
          options={[
            { value: '', says: asChoice(words.anything) },
            ...abilities.map((value) => ({ value, says: value })),
          ]}
          onValue={(can) => search({ can })}
        />
        <p class="quiet" role="status">
          {words.models(wanted.length, all.length)}
        </p>
        {moment.value === undefined ? (
          <button type="button" onClick={() => void refresh()}>
            {words.refresh}
          </button>
        ) : null}
      </div>
      {providers.some(({ stale }) => stale) ? <p class="wrong small">{words.stale}</p> : null}
      <Table label={words.tabs.catalog}>
        <caption class="quiet small">{words.perMillion}</caption>
        <thead>
          <tr>
            <th scope="col">{words.model}</th>
            <th scope="col" class="number">
              {words.priceIn}
            </th>
            <th scope="col" class="number">
              {words.priceOut}
            </th>
            <th scope="col" class="number">
              {words.context}
            </th>
          </tr>
        </thead>
        <tbody>
          {some.map((model) => (
            <Row key={`${model.providerId} ${model.id}`} model={model} />
          ))}
        </tbody>
      </Table>
      {more}
    </>
  );
}

function Row({ model }: { readonly model: Model }) {
  const { id, label, pricing, contextLength, capabilities, deprecatedAt } = model;
  return (
    <tr>
      <th scope="row">
        <Plain text={id} most={120} /> <span class="quiet small">{label}</span>
        {deprecatedAt === null ? null : (
          <span class="wrong small"> {words.ends(dateText(deprecatedAt.slice(0, 10)))}</span>
        )}
        <span class="quiet small block abilities">{capabilities.join(', ')}</span>
      </th>
      <td class="number">{pricing ? numberText(pricing.inputPer1M) : words.unknown}</td>
      <td class="number">{pricing ? numberText(pricing.outputPer1M) : words.unknown}</td>
      <td class="number">{contextLength === null ? words.unknown : numberText(contextLength)}</td>
    </tr>
  );
}

function matcherOf(text: string, can: string): (model: Model) => boolean {
  const wanted = text.trim().toLowerCase().split(/\s+/);
  return ({ id, name, label, capabilities }) => {
    if (can !== '' && !capabilities.some((one) => one === can)) return false;
    const all = `${id} ${name} ${label}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  };
}
