import '../../look/lists.css';
import './notifications.css';
import { useLocation } from 'preact-iso';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { search } from '../../state/place.ts';
import { Channels } from './channels.tsx';
import { Told } from './told.tsx';
import { words } from './words.ts';

const names = ['told', 'channels'] as const;

export default function Notifications() {
  const { query } = useLocation();
  const chosen = query.show === 'channels' ? 'channels' : 'told';
  return (
    <Page title={words.title} about={words.about}>
      <Tabs
        label={words.title}
        tabs={names.map((name) => ({ name, says: words.tabs[name] }))}
        chosen={chosen}
        onChoose={(name) => search({ show: name === 'told' ? undefined : name }, false)}
      >
        {chosen === 'told' ? <Told onlyUnread={query.unread === 'true'} /> : <Channels />}
      </Tabs>
    </Page>
  );
}
