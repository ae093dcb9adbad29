import '../../look/memory.css';
import './memory.css';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Forgetting } from '../../parts/forgetting/forgetting.tsx';
import { Go } from '../../parts/go.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { Conclusions } from './conclusions.tsx';
import { Correcting } from './correcting.tsx';
import { Episodes } from './episodes.tsx';
import { exportMemory } from './exporting.ts';
import { Importing } from './importing.tsx';
import { ProfileForm } from './profile.tsx';
import { words } from './words.ts';

const tabs = ['conclusions', 'episodes', 'profile'] as const;
type Tab = (typeof tabs)[number];

export default function Memory() {
  const { query } = useLocation();
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [isErasing, setErasing] = useState(false);
  const tab: Tab = tabs.find((one) => one === query.tab) ?? 'conclusions';
  const isPast = moment.value !== undefined;
  const exporting = { says: words.export, act: () => void attempt(exportMemory) };
  const changing = [
    { says: words.import, act: () => setImporting(true) },
    { says: words.eraseAll, isGrave: true, act: () => setErasing(true) },
  ];
  const actions = (
    <>
      {isPast || tab !== 'conclusions' ? null : (
        <button type="button" class="main" onClick={() => setAdding(true)}>
          {words.add}
        </button>
      )}
      <Go to="/entities" class="button">
        {words.entities}
      </Go>
      <Menu label={words.actions} items={isPast ? [exporting] : [exporting, ...changing]} />
    </>
  );
  return (
    <Page title={words.title} about={words.about} actions={actions}>
      <Tabs
        label={words.parts}
        tabs={tabs.map((name) => ({ name, says: words.tabs[name] }))}
        chosen={tab}
        onChoose={(name) => search({ tab: name === 'conclusions' ? undefined : name, q: undefined })}
      >
        {tab === 'conclusions' ? <Conclusions /> : tab === 'episodes' ? <Episodes /> : <ProfileForm />}
      </Tabs>
      {isAdding ? <Correcting onClose={() => setAdding(false)} /> : null}
      {isImporting ? <Importing onClose={() => setImporting(false)} /> : null}
      {isErasing ? <Forgetting what={{ kind: 'everything' }} onClose={() => setErasing(false)} /> : null}
    </Page>
  );
}
