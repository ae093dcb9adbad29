import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { bytesText, momentText, numberText } from '../../words/format.ts';
import { words } from './words.ts';

/** Copies of the log in the data directory: those that there are, and one more. */
export function Backups() {
  const read = useResource('GET /api/system/backups', {}, ['system.backup.*']);
  const [isAsked, setAsked] = useState(false);
  const { backups = [], isPossible = true, runningSince } = read.data.value ?? {};
  const isRunning = isAsked || runningSince !== undefined;
  const make = async () => {
    const question = { title: words.backUpTitle, text: words.backUpText, action: words.backUp };
    if (!(await confirmed(question))) return;
    setAsked(true);
    const done = await attempt(() => ask('POST /api/system/backups', {}));
    setAsked(false);
    if (done) tell(words.backedUp(numberText(done.backup.events), done.backup.name));
    read.reload();
  };
  const remove = async (name: string, at: number) => {
    const question = {
      title: words.removeTitle(momentText(at)),
      text: words.removeText,
      action: words.remove,
    };
    if (!(await confirmed({ ...question, isGrave: true }))) return;
    if (await attempt(() => ask('DELETE /api/system/backups/:name', { name }))) tell(words.removed);
    read.reload();
  };
  return (
    <section>
      <h2>{words.backups}</h2>
      <p class="quiet">{isPossible ? words.backupsAbout : words.backupImpossible}</p>
      {read.refusal.value ? <Failure refusal={read.refusal.value} again={read.reload} /> : null}
      <ul class="rows" aria-label={words.backups}>
        {backups.map(({ name, at, bytes }) => (
          <li key={name} class="row">
            <strong>
              <Time at={at} />
            </strong>{' '}
            {bytesText(bytes)} <code class="small">{name}</code>{' '}
            <button
              type="button"
              class="link"
              aria-label={words.removeBackup(momentText(at))}
              onClick={() => void remove(name, at)}
            >
              {words.remove}
            </button>
          </li>
        ))}
      </ul>
      {isPossible ? (
        <p>
          <button type="button" disabled={isRunning} onClick={() => void make()}>
            {words.backUp}
          </button>{' '}
          <span role="status">{isRunning ? words.backingUp : ''}</span>
        </p>
      ) : null}
    </section>
  );
}
