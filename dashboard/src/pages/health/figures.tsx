import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Message, Refusal } from '../../api/ask.ts';
import { follow } from '../../api/follow.ts';
import { listen } from '../../api/listen.ts';
import { whenSeen } from '../../api/live.ts';
import { Table } from '../../parts/scroll.tsx';
import { SmallLine } from '../../parts/smallLine.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { bytesText, durationText, numberText } from '../../words/format.ts';
import { words } from './words.ts';

type Sample = Message<'GET /api/health/figures'>['samples'][number];

/** An hour, and how many of its samples make a minute. */
const MOST = 360;
const A_MINUTE = 6;

const figures = [
  ['requestsPerMinute', words.requests, numberText],
  ['errorsPerMinute', words.errors, numberText],
  ['p50', words.median, durationText],
  ['p99', words.slowest, durationText],
  ['memory', words.memory, bytesText],
] as const;

/** The few figures that one looks at first, as they come, with what they were in the last hour. */
export function Figures() {
  const samples = useSignal<readonly Sample[]>([]);
  const refusal = useSignal<Refusal | undefined>(undefined);
  useEffect(() => {
    const following = follow([], refusal, async (end) => {
      while (!end.aborted) {
        const seen = await whenSeen();
        try {
          await hear(AbortSignal.any([end, seen]));
          return;
        } catch (error) {
          if (!seen.aborted) throw error;
        }
      }
    });
    return following.end;
  }, []);
  const hear = async (signal: AbortSignal) => {
    let known: readonly Sample[] = [];
    for await (const { data } of listen('GET /api/health/figures', { follow: 'true' }, { signal })) {
      known = [...known, ...data.samples].slice(-MOST);
      samples.value = known;
    }
  };
  const all = samples.value;
  const last = all.at(-1);
  if (!last) return refusal.value ? <Failure refusal={refusal.value} /> : <Loading />;
  return (
    <>
      <dl class="figures">
        <div>
          <dt>{words.uptime}</dt>
          <dd>{durationText(1_000 * last.uptime)}</dd>
        </div>
        {figures.map(([field, name, textOf]) => (
          <div key={field}>
            <dt>{name}</dt>
            <dd>{textOf(last[field])}</dd>
            {all.length > 1 ? <OverTime samples={all} field={field} textOf={textOf} name={name} /> : null}
          </div>
        ))}
      </dl>
      {all.length > 1 ? <AsTable samples={all} /> : null}
    </>
  );
}

interface OverTimeProps {
  readonly samples: readonly Sample[];
  readonly field: (typeof figures)[number][0];
  readonly name: string;
  readonly textOf: (value: number) => string;
}

function OverTime({ samples, field, name, textOf }: OverTimeProps) {
  const values = samples.map((sample) => sample[field]);
  const most = Math.max(...values);
  const points = samples.map(({ at }, index) => ({ at, share: most > 0 ? (values[index] ?? 0) / most : 0 }));
  const range = `${textOf(Math.min(...values))} – ${textOf(most)}`;
  return (
    <dd class="quiet">
      <SmallLine points={points} now={points.at(-1)?.share ?? 0} says={`${name}: ${range}`} />
      {range}
    </dd>
  );
}

/** One sample a minute, the newest first. */
function AsTable({ samples }: { readonly samples: readonly Sample[] }) {
  const rows = samples.toReversed().filter((_, index) => index % A_MINUTE === 0);
  return (
    <details class="metric">
      <summary>{words.overTime}</summary>
      <Table label={words.overTime}>
        <thead>
          <tr>
            <th scope="col">{words.when}</th>
            {figures.map(([field, name]) => (
              <th key={field} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((sample) => (
            <tr key={sample.at}>
              <th scope="row">
                <Time at={sample.at} exact />
              </th>
              {figures.map(([field, , textOf]) => (
                <td key={field} class="number">
                  {textOf(sample[field])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </details>
  );
}
