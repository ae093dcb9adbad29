import '../../look/lists.css';
import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Table } from '../../parts/scroll.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { durationText, numberText } from '../../words/format.ts';
import { words } from './words.ts';

type Server = Output<'GET /api/tools/servers'>['servers'][number];

export default function ToolServers() {
  const listed = useResource('GET /api/tools/servers', asItWas(), ['tools.server.*']);
  const [probed, setProbed] = useState<string>();
  const [answered, setAnswered] = useState<Probed>();
  const { servers, problem } = listed.data.value ?? {};
  const probe = async (name: string) => {
    setProbed(name);
    const answer = await attempt(() => ask('POST /api/tools/servers/:name/probe', { name }));
    setProbed(undefined);
    listed.reload();
    setAnswered(answer);
    if (!answer) return;
    const { server, ms } = answer;
    tell(
      server.state === 'connected'
        ? words.probed(name, server.tools, durationText(ms))
        : words.notThere(name),
    );
  };
  return (
    <Page title={words.title} about={words.about}>
      <Reading of={listed} />
      {problem === undefined ? null : (
        <div class="failure" role="alert">
          <p>
            <strong>{words.problem}</strong>
          </p>
          <p>
            <Plain text={problem} />
          </p>
        </div>
      )}
      {servers?.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyNext}</p>
        </Empty>
      ) : null}
      {servers && servers.length > 0 ? (
        <Table label={words.title}>
          <thead>
            <tr>
              <th scope="col">{words.server}</th>
              <th scope="col">{words.state}</th>
              <th scope="col" class="number">
                {words.tools}
              </th>
              <th scope="col">{words.since}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {servers.map((server) => (
              <tr key={server.name}>
                <About server={server} />
                <td>
                  {moment.value === undefined ? (
                    <button
                      type="button"
                      aria-label={`${words.probe} ${server.name}`}
                      disabled={probed !== undefined}
                      onClick={() => void probe(server.name)}
                    >
                      {probed === server.name ? words.probing : words.probe}
                    </button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      ) : null}
      {answered && moment.value === undefined ? <Tools of={answered} /> : null}
    </Page>
  );
}

type Probed = Output<'POST /api/tools/servers/:name/probe'>;

/** Of the one that was probed last, by the names by which models call them. */
function Tools({ of: { server, tools } }: { readonly of: Probed }) {
  return (
    <section class="more">
      <h2>{words.toolsOf(server.name)}</h2>
      <ul class="tool-names">
        {tools.map((name) => (
          <li key={name}>
            <code>
              <Plain text={name} most={120} />
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}

const looks = { connected: 'healthy', connecting: 'off', disconnected: 'unhealthy' } as const;

function About({ server }: { readonly server: Server }) {
  const { name, prefix, state, version, tools, refused, connectedAt, error } = server;
  return (
    <>
      <th scope="row">
        <Plain text={name} most={80} />
        <span class="quiet small block">
          <code>{prefix}</code>
        </span>
      </th>
      <td>
        <span class={`state ${looks[state]}`}>{words.states[state]}</span>
        {error === undefined ? null : (
          <span class="wrong small block">
            <Plain text={error} most={300} />
          </span>
        )}
      </td>
      <td class="number">
        {numberText(tools)}
        {refused > 0 ? <span class="wrong small block">{words.refused(refused)}</span> : null}
      </td>
      <td>
        {connectedAt === undefined ? null : <Time at={connectedAt} />}
        {version === undefined ? null : (
          <span class="quiet small block">
            {words.version} {version}
          </span>
        )}
      </td>
    </>
  );
}
