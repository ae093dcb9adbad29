import { useState } from 'preact/hooks';
import type { Output } from '../../api/ask.ts';
import { Act } from '../../parts/act.tsx';
import { Go } from '../../parts/go.tsx';
import { Plain, rowNamed } from '../../parts/plain.tsx';
import { useSome } from '../../parts/some.tsx';
import { Reading } from '../../parts/states.tsx';
import { moment } from '../../state/moment.ts';
import { numberText } from '../../words/format.ts';
import { isStillSo, type Known, useKnown } from './known.ts';
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
  const read = useKnown();
  const { value: known } = read.data;
  if (!known) return <Reading of={read} />;
  return (
    <>
      {groups.map((group) => {
        const own = issues.filter(({ type }) => type === group);
        return own.length === 0 ? null : (
          <Group key={group} title={words.groups[group]} issues={own} sweep={sweep} known={known} />
        );
      })}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly issues: readonly Issue[];
  readonly sweep: number | undefined;
  readonly known: Known;
}

function Group({ title, issues, sweep, known }: GroupProps) {
  const { some, more } = useSome(issues, SHOWN);
  return (
    <section class="sweep-group">
      <h2>
        {title} <span class="quiet">{numberText(issues.length)}</span>
      </h2>
      <ul>
        {some.map((issue, index) => (
          <li key={index} class="sweep-change">
            <Change issue={issue} known={known} isMade={sweep !== undefined} />
            {sweep === undefined ? null : <TakeBack issue={issue} sweep={sweep} known={known} />}
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

interface ChangeProps {
  readonly issue: Issue;
  readonly known: Known;
  readonly isMade: boolean;
}

/** What it was, what it is, and by which figure. */
function Change({ issue, known, isMade }: ChangeProps) {
  const { type, conclusionId, episodeId, otherId, from, to, action, value = 0, limit = 0 } = issue;
  const text = conclusionId ? (
    <Belief id={conclusionId} known={known} />
  ) : (
    <Plain text={known.episodes.get(episodeId ?? '')?.summary ?? words.noText} most={300} />
  );
  const isGone = (action === 'pruned' || action === 'merged') && (!isMade || isStillSo(issue, known));
  return (
    <div>
      <p class="sweep-said">
        {isGone ? <del>{text}</del> : text}
        {from !== undefined && to !== undefined ? (
          <span class="sweep-figures"> {words.was(from, to)}</span>
        ) : null}
      </p>
      {otherId === undefined ? null : (
        <p class="sweep-said">
          <span class="quiet small">{type === 'contradiction' ? words.against : words.into}</span>{' '}
          <Belief id={otherId} known={known} />
        </p>
      )}
      <p class="quiet small">
        {action === 'unflagged' ? words.unflagged : words.reasons[type](value, limit)}
        {conclusionId === undefined ? null : (
          <>
            {' '}
            ·{' '}
            <Go to={`/why/${conclusionId}`} {...rowNamed(textOf(issue, known))}>
              {words.why}
            </Go>
          </>
        )}
      </p>
    </div>
  );
}

function textOf({ conclusionId = '', episodeId = '' }: Issue, { conclusions, episodes }: Known): string {
  return (conclusions.get(conclusionId)?.text ?? episodes.get(episodeId)?.summary) || '';
}

function Belief({ id, known }: { readonly id: string; readonly known: Known }) {
  const belief = known.conclusions.get(id);
  return belief ? <Plain text={belief.text} most={300} /> : <em class="quiet">{words.erased}</em>;
}

interface TakeBackProps {
  readonly issue: Issue;
  readonly sweep: number;
  readonly known: Known;
}

function TakeBack({ issue, sweep, known }: TakeBackProps) {
  const [isAsked, setAsked] = useState(false);
  const id = issue.conclusionId ?? issue.episodeId;
  if (id === undefined || moment.value !== undefined || issue.action === 'unflagged') return null;
  if (!isStillSo(issue, known))
    return (
      // The focus was on the button that stood here: from here it goes on to the next.
      <span class="quiet small" tabIndex={-1} ref={isAsked ? (told) => told?.focus() : null}>
        {words.takenBack}
      </span>
    );
  const undo = async () => {
    if (isAsked) return;
    setAsked(true);
    setAsked(await undoOne(sweep, id));
  };
  return <Act says={words.undo} what={textOf(issue, known)} class="link" onClick={() => void undo()} />;
}
