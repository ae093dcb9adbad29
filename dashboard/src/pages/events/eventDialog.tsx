import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { search } from '../../state/place.ts';
import { secondText } from '../../words/format.ts';
import { Waterfall } from './waterfall.tsx';
import { words } from './words.ts';

export type LogEvent = Output<'GET /api/events'>['events'][number];

interface EventDialogProps {
  readonly position: number;
  readonly known: LogEvent | undefined;
  readonly onClose: () => void;
}

/** One event with all that it says, and what followed from the same cause. */
export function EventDialog({ position, known, onClose }: EventDialogProps) {
  const read = useResource('GET /api/events', known ? undefined : { after: String(position - 1), limit: 1 });
  const event = known ?? read.data.value?.events.find((one) => one.position === position);
  return (
    <Dialog title={words.event(position)} onClose={onClose} wide stays>
      {event ? <Shown event={event} /> : read.data.value ? <p>{words.none}</p> : <Reading of={read} />}
    </Dialog>
  );
}

function Shown({ event }: { readonly event: LogEvent }) {
  const { type, stream, version, at, correlationId, causationId, data, erased } = event;
  const rows = [
    [words.type, type],
    [words.fields.stream, stream],
    [words.fields.version, String(version)],
    [words.fields.at, secondText(at)],
    [words.fields.cause, correlationId],
    [words.fields.causedBy, causationId ?? '–'],
  ] as const;
  return (
    <>
      <dl class="details">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Plain text={value} />
            </dd>
          </div>
        ))}
      </dl>
      <h3>{words.data}</h3>
      {erased ? <p>{words.erasedNext}</p> : null}
      <pre>
        <Plain text={JSON.stringify(data, null, 2) ?? ''} />
      </pre>
      <Waterfall key={event.position} of={event} onOpen={(position) => search({ event: position }, false)} />
    </>
  );
}
