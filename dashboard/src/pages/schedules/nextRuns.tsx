import { Table } from '../../parts/scroll.tsx';
import { Ago } from '../../parts/time.tsx';
import { locale } from '../../words/words.ts';
import { words } from './words.ts';

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface NextRunsProps {
  readonly times: readonly number[];
  /** Of the task, where it has one of its own. */
  readonly zone: string | undefined;
}

/** In the zone of whoever looks, and in that of the task where it is another. */
export function NextRuns({ times, zone }: NextRunsProps) {
  const isOther = zone !== undefined && zone !== ownZone;
  return (
    <section>
      <h2>{words.nextRuns}</h2>
      {times.length === 0 ? (
        <p class="quiet">{words.noNextRuns}</p>
      ) : (
        <Table label={words.nextRuns} class="times">
          <thead>
            <tr>
              <th scope="col">{words.yourZone(ownZone)}</th>
              {isOther ? <th scope="col">{words.itsZone(zone)}</th> : null}
              <td />
            </tr>
          </thead>
          <tbody>
            {times.map((at) => (
              <tr key={at}>
                <td>
                  <time dateTime={new Date(at).toISOString()}>{timeIn(ownZone, at)}</time>
                </td>
                {isOther ? <td>{timeIn(zone, at)}</td> : null}
                <td class="quiet">
                  <Ago at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

function timeIn(timeZone: string, at: number): string {
  const style = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat(locale, { ...style, timeZone }).format(at);
}
