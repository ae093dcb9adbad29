import { useLocation } from 'preact-iso';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { search } from '../../state/place.ts';
import { Browser } from './browser.tsx';
import { Preferences } from './preferences.tsx';
import { ServiceSettings } from './serviceSettings.tsx';
import './settings.css';
import { words } from './words.ts';

const bodies = { service: ServiceSettings, you: Preferences, browser: Browser };
type TabName = keyof typeof bodies;

export default function Settings() {
  const { query } = useLocation();
  const chosen: TabName = query.tab === 'you' || query.tab === 'browser' ? query.tab : 'service';
  const Body = bodies[chosen];
  return (
    <Page title={words.title} about={words.about}>
      <Tabs
        label={words.title}
        tabs={(['service', 'you', 'browser'] as const).map((name) => ({ name, says: words[name] }))}
        chosen={chosen}
        onChoose={(tab) => search({ tab: tab === 'service' ? undefined : tab }, false)}
      >
        <Body />
      </Tabs>
    </Page>
  );
}
