import '../../look/lists.css';
import './providers.css';
import { useLocation } from 'preact-iso';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { search } from '../../state/place.ts';
import { Catalog } from './catalog.tsx';
import { Keys } from './keys.tsx';
import { Slots } from './slots.tsx';
import { words } from './words.ts';

const views = ['providers', 'slots', 'catalog'] as const;

export default function Providers() {
  const { query } = useLocation();
  const chosen = views.find((one) => one === query.show) ?? 'providers';
  return (
    <Page title={words.title} about={words.about}>
      <Tabs
        label={words.title}
        tabs={views.map((name) => ({ name, says: words.tabs[name] }))}
        chosen={chosen}
        onChoose={(show) => search({ show: show === 'providers' ? undefined : show }, false)}
      >
        {chosen === 'providers' ? <Keys /> : null}
        {chosen === 'slots' ? <Slots /> : null}
        {chosen === 'catalog' ? <Catalog text={query.q ?? ''} can={query.can ?? ''} /> : null}
      </Tabs>
    </Page>
  );
}
