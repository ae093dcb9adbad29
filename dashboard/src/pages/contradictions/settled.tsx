import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { moment } from '../../state/moment.ts';
import { idOf } from './open.tsx';
import { type Pair, settle } from './settling.ts';
import { words } from './words.ts';

/** What was decided; each decision can be taken back. */
export function Settled({ all }: { readonly all: readonly Pair[] }) {
  return (
    <Rows
      label={words.settled}
      rows={all}
      idOf={idOf}
      nameOf={({ conclusions }) => conclusions.map(({ text }) => text).join(' / ')}
    >
      {(pair) => <One pair={pair} />}
    </Rows>
  );
}

function One({ pair: { conclusions, settled, at } }: { readonly pair: Pair }) {
  const [one, other] = conclusions;
  return (
    <div class="opposed-settled">
      <div>
        {conclusions.map(({ id, text, status }) => (
          <p key={id} class="opposed-belief opposed-small">
            {status === 'active' ? (
              <Plain text={text} most={300} />
            ) : (
              <del>
                <Plain text={text} most={300} />
              </del>
            )}
          </p>
        ))}
        <p class="quiet small">
          {settled ? words.decisions[settled.as] : words.stepped} · <Time at={settled?.at ?? at} exact />
        </p>
      </div>
      {settled && moment.value === undefined ? (
        <button type="button" onClick={() => void settle(one.id, other.id, 'open')}>
          {words.again}
        </button>
      ) : null}
    </div>
  );
}
