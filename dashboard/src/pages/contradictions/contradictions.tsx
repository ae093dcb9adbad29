import './contradictions.css';
import { useLocation } from 'preact-iso';
import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { asItWas } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { Open } from './open.tsx';
import { Settled } from './settled.tsx';
import { words } from './words.ts';

export default function Contradictions() {
  const status = useLocation().query.show === 'settled' ? 'settled' : 'open';
  const pairs = useResource('GET /api/memory/contradictions', { status, ...asItWas() }, ['memory.*']);
  const { value: answer } = pairs.data;
  return (
    <Page title={words.title} about={words.about}>
      <Tabs
        label={words.which}
        tabs={[
          { name: 'open', says: words.open },
          { name: 'settled', says: words.settled },
        ]}
        chosen={status}
        onChoose={(show) => search({ show: show === 'open' ? undefined : show, pair: undefined })}
      >
        <Reading of={pairs} />
        {!answer ? null : answer.contradictions.length === 0 ? (
          <None status={status} />
        ) : status === 'open' ? (
          <Open all={answer.contradictions} count={answer.count} />
        ) : (
          <Settled all={answer.contradictions} />
        )}
      </Tabs>
    </Page>
  );
}

function None({ status }: { readonly status: 'open' | 'settled' }) {
  if (status === 'settled')
    return (
      <Empty title={words.noSettled}>
        <p>{words.noSettledNext}</p>
      </Empty>
    );
  return (
    <Empty title={words.noOpen}>
      <p>{words.noOpenNext}</p>
      <p>
        <Go to="/last-night">{words.toLastNight}</Go>
      </p>
    </Empty>
  );
}
