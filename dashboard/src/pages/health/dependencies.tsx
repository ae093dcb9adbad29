import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Failure } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { shell } from '../../words/shell.ts';
import { Log } from './log.tsx';
import { words } from './words.ts';

/** How it is done by the API, which is written for those who call it. */
const BY_API = /:? \(?(?:POST|PUT) \/api[^)]*\)?/;

/** What hark can do without, and what to do where something is missing. */
export function Dependencies() {
  const read = useResource('GET /api/dependencies', {});
  const found = read.data.value?.dependencies ?? [];
  const runtime = found.find(({ name }) => name === 'container-runtime');
  const install = async () => {
    const question = { title: words.installTitle, text: words.installText, action: words.install };
    if (!(await confirmed(question))) return;
    const done = await attempt(() => ask('POST /api/dependencies/install-redis', {}));
    if (done) tell(`${done.status}: ${done.command}`);
    read.reload();
  };
  return (
    <section>
      <h2>{words.dependencies}</h2>
      <p class="quiet">{words.dependenciesAbout}</p>
      {read.refusal.value ? <Failure refusal={read.refusal.value} again={read.reload} /> : null}
      <ul class="rows">
        {found.map(({ name, status, hint }) => (
          <li key={name} class="row">
            <strong>{name}</strong> <span class={`state ${status}`}>{words.dependencyStates[status]}</span>
            {hint ? (
              <p class="quiet small">
                <Plain text={hint.replace(BY_API, '')} />{' '}
                {BY_API.test(hint) ? <Go to="/providers">{shell.names.providers}</Go> : null}
              </p>
            ) : null}
            {name === 'kvstore' ? <Log onChanged={read.reload} /> : null}
          </li>
        ))}
      </ul>
      {runtime?.status === 'ready' ? (
        <p>
          <button type="button" onClick={() => void install()}>
            {words.install}
          </button>
        </p>
      ) : null}
    </section>
  );
}
