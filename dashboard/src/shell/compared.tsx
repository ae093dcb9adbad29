import type { ComponentChildren } from 'preact';
import { useRead } from '../api/resource.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Plain } from '../parts/plain.tsx';
import { useSome } from '../parts/some.tsx';
import { Reading } from '../parts/states.tsx';
import { type Belief, differenceSince, toldOf } from '../state/difference.ts';
import { momentText, numberText, shareText } from '../words/format.ts';
import { time } from '../words/time.ts';

const SHOWN = 100;

/** What was believed then and is not now, what is new since, and what became more or less certain. */
export function Compared({ at, onClose }: { readonly at: number; readonly onClose: () => void }) {
  const read = useRead(`${at}`, (signal) => differenceSince(at, signal));
  const { value: difference } = read.data;
  const isSame =
    difference && Object.values(difference).every((part: readonly unknown[]) => part.length === 0);
  return (
    <Dialog title={time.compared(momentText(at))} onClose={onClose} wide stays>
      <Reading of={read} />
      {isSame ? <p>{time.same}</p> : null}
      {difference ? (
        <>
          <Part title={time.gone} rows={difference.gone}>
            {({ before, now }) => (
              <>
                <del>
                  <Plain text={before.text} />
                </del>{' '}
                <Became now={now} />
              </>
            )}
          </Part>
          <Part title={time.added} rows={difference.added}>
            {(one) => (
              <ins>
                <Plain text={one.text} />
              </ins>
            )}
          </Part>
          <Part title={time.changed} rows={difference.changed}>
            {({ before, now }) => (
              <>
                <Plain text={now.text} />{' '}
                <span class="quiet">
                  {shareText(before.confidence)} → {shareText(now.confidence)}
                </span>
              </>
            )}
          </Part>
          <Part title={time.profile} rows={difference.profile}>
            {({ field, before, now }) => (
              <>
                <span class="quiet small">{time.fields[field]}:</span>{' '}
                <del>
                  <Plain text={toldOf(before, field)} />
                </del>{' '}
                <ins>
                  <Plain text={toldOf(now, field)} />
                </ins>
              </>
            )}
          </Part>
          <Part title={time.others} rows={difference.others}>
            {({ area, before, now }) => (
              <>
                <span class="quiet small">{time.areas[area]}:</span>{' '}
                {before === undefined ? null : (
                  <del>
                    <Plain text={before} most={300} />
                  </del>
                )}{' '}
                {now === undefined ? null : (
                  <ins>
                    <Plain text={now} most={300} />
                  </ins>
                )}
              </>
            )}
          </Part>
        </>
      ) : null}
    </Dialog>
  );
}

/** Why it is not believed any more. */
export function Became({ now }: { readonly now: Belief | undefined }) {
  const because = !now ? time.erased : now.status === 'pruned' ? time.pruned : time.replaced;
  return <span class="quiet small">{because}</span>;
}

interface PartProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly children: (row: Row) => ComponentChildren;
}

function Part<Row>({ title, rows, children }: PartProps<Row>) {
  const { some, more } = useSome(rows, SHOWN);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>
        {title} <span class="quiet">{numberText(rows.length)}</span>
      </h3>
      <ul class="time-difference">
        {some.map((row, index) => (
          <li key={index}>{children(row)}</li>
        ))}
      </ul>
      {more}
    </section>
  );
}
