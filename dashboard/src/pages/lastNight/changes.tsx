import { useState } from 'preact/hooks';
import type { Output } from '../../api/ask.ts';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { moment } from '../../state/moment.ts';
import { numberText } from '../../words/format.ts';
import { parts } from '../../words/parts.ts';
import { type Texts, useTexts } from './texts.ts';
import { undoOne } from './undoing.ts';
import { words } from './words.ts';

export type Issue = Output<'GET /api/memory/maintain/preview'>['issues'][number];

/** What matters most comes first. */
const groups = ['low_confidence', 'redundant', 'contradiction', 'decay', 'stale', 'orphan'] as const;
const SHOWN = 50;

interface ChangesProps {
  readonly issues: readonly Issue[];
  /** Of which sweep, where it was made. */
  readonly sweep?: number;
}

/** The changes of a sweep, by kind. */
export function Changes({ issues, sweep }: ChangesProps) {
  const texts = useTexts();
  return (
    <>
      {groups.map((group) => {
        const own = issues.filter(({ type }) => type === group);
        return own.length === 0 ? null : (
          <Group key={group} title={words.groups[group]} issues={own} sweep={sweep} texts={texts} />
        );
      })}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly issues: readonly Issue[];
  readonly sweep: number | undefined;
  readonly texts: Texts;
}

function Group({ title, issues, sweep, texts }: GroupProps) {
  const [most, setMost] = useState(SHOWN);
  return (
    <section class="sweep-group">
      <h2>
        {title} <span class="quiet">{numberText(issues.length)}</span>
      </h2>
      <ul>
        {issues.slice(0, most).map((issue, index) => (
          <li key={index}>
            <Change issue={issue} sweep={sweep} texts={texts} />
          </li>
        ))}
      </ul>
      {issues.length > most ? (
        <button type="button" onClick={() => setMost(most + SHOWN)}>
          {parts.more}
        </button>
      ) : null}
    </section>
  );
}

function Change({
  issue,
  sweep,
  texts,
}: {
  readonly issue: Issue;
  readonly sweep: number | undefined;
  readonly texts: Texts;
}) {
  const { type, conclusionId, episodeId, otherId, from, to, action, description } = issue;
  const [isDone, setDone] = useState(false);
  const id = conclusionId ?? episodeId;
  const isGone = action === 'pruned' || action === 'merged';
  const text = <Told id={id} texts={texts} isEpisode={type === 'orphan'} />;
  return (
    <div class="change">
      <div>
        <p class="said">
          {isGone && !isDone ? <del>{text}</del> : text}
          {from !== undefined && to !== undefined ? (
            <span class="change-figures"> {words.was(from, to)}</span>
          ) : null}
          {action === 'unflagged' ? <span class="quiet small"> {words.unflagged}</span> : null}
        </p>
        {otherId === undefined ? null : (
          <p class="said">
            <span class="quiet small">{type === 'contradiction' ? words.against : words.into}</span>{' '}
            {type === 'redundant' ? (
              <ins>
                <Told id={otherId} texts={texts} />
              </ins>
            ) : (
              <Told id={otherId} texts={texts} />
            )}
          </p>
        )}
        <details class="small">
          <summary class="quiet">{words.reason}</summary>
          <p>
            <Plain text={description} />
            {conclusionId === undefined ? null : (
              <>
                {' '}
                · <Go to={`/why/${conclusionId}`}>{words.why}</Go>
              </>
            )}
          </p>
        </details>
      </div>
      {sweep === undefined ||
      id === undefined ||
      moment.value !== undefined ||
      action === 'unflagged' ? null : (
        <button
          type="button"
          disabled={isDone}
          onClick={() => void undoOne(sweep, id).then((done) => done && setDone(true))}
        >
          {isDone ? words.undone : words.undo}
        </button>
      )}
    </div>
  );
}

interface ToldProps {
  readonly id: string | undefined;
  readonly texts: Texts;
  readonly isEpisode?: boolean;
}

function Told({ id, texts, isEpisode = false }: ToldProps) {
  const text = id === undefined ? undefined : texts.get(id);
  if (text !== undefined) return <Plain text={text} most={300} />;
  return <em class="quiet">{isEpisode ? words.noText : words.erased}</em>;
}
