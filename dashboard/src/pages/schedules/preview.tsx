import { useEffect, useState } from 'preact/hooks';
import { ask, type Input, type Output, Refusal } from '../../api/ask.ts';
import { NextRuns } from './nextRuns.tsx';
import { words } from './words.ts';

/** Somebody types: it is asked when they pause. */
const PAUSE_MS = 250;
const SHOWN = 3;

interface PreviewProps {
  readonly when: Input<'POST /api/scheduler/preview'> | undefined;
}

/** What the service makes of it: in words, as an expression, and the first times. */
export function Preview({ when }: PreviewProps) {
  const [understood, setUnderstood] = useState<Output<'POST /api/scheduler/preview'>>();
  const [wrong, setWrong] = useState<string>();
  const asked = JSON.stringify(when);
  useEffect(() => {
    setWrong(undefined);
    setUnderstood(undefined);
    if (!when) return;
    const own = new AbortController();
    const timer = setTimeout(() => {
      ask('POST /api/scheduler/preview', { ...when, count: SHOWN }, { signal: own.signal })
        .then(setUnderstood)
        .catch((error: unknown) => {
          if (!own.signal.aborted && error instanceof Refusal) setWrong(error.message);
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      own.abort();
    };
  }, [asked]);
  return (
    <div class="preview" role="status" aria-label={words.preview}>
      {wrong === undefined ? null : <p class="wrong">{wrong}</p>}
      {understood ? <Understood {...understood} /> : null}
    </div>
  );
}

function Understood({ schedule, times, when, notes }: Output<'POST /api/scheduler/preview'>) {
  return (
    <>
      <p>
        <strong>{when}</strong>
        {schedule.type === 'cron' ? (
          <>
            {' '}
            <span class="quiet small">
              {words.asExpression} <code>{schedule.expression}</code>
            </span>
          </>
        ) : null}
      </p>
      <NextRuns times={times} zone={schedule.type === 'cron' ? schedule.timezone : undefined} />
      {notes.map((note) => (
        <p key={note} class="quiet small">
          {note}
        </p>
      ))}
    </>
  );
}
