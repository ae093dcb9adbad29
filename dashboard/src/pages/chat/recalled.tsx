import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { onTopics } from '../../api/live.ts';
import { Act } from '../../parts/act.tsx';
import { takeBack, useStatement } from '../../parts/correction.ts';
import { Form, sendsByEnter } from '../../parts/form.tsx';
import { Go } from '../../parts/go.tsx';
import { Plain, visible } from '../../parts/plain.tsx';
import { tell } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { parts } from '../../words/parts.ts';
import { words } from './words.ts';

type Item = Output<'GET /api/memory/items'>['items'][number];

/** What was read of memory, by id; null for what is not remembered any more. */
const known = signal<ReadonlyMap<string, Item | null>>(new Map());
/** Of all replies in sight it is asked at once. */
const TOGETHER_MS = 20;
const MOST_AT_ONCE = 100;
const MOST_MARKS = 8;
let wanted = new Set<string>();
let isAsked = false;
let erasures = 0;

// What is erased is shown nowhere any more; what is in sight is read again.
onTopics(['memory.*', 'entities.*'], ({ type }) => {
  if (!/\.(?:erased|expired)$/.test(type)) return;
  erasures++;
  known.value = new Map();
});

function want(ids: readonly string[]): void {
  for (const id of ids) if (!known.value.has(id)) wanted.add(id);
  if (wanted.size === 0 || isAsked) return;
  isAsked = true;
  setTimeout(read, TOGETHER_MS);
}

async function read(): Promise<void> {
  isAsked = false;
  const before = erasures;
  const asked = Array.from(wanted).slice(0, MOST_AT_ONCE);
  wanted = new Set(Array.from(wanted).slice(MOST_AT_ONCE));
  const { items } = await ask('GET /api/memory/items', { ids: asked.join() }).catch(() => ({
    items: undefined,
  }));
  // Names are for whoever looks at them: without, the number stands there.
  if (!items || before !== erasures) return;
  const found = new Map(items.map((item) => [item.id, item]));
  known.value = new Map([...known.value, ...asked.map((id) => [id, found.get(id) ?? null] as const)]);
  if (wanted.size > 0) want([]);
}

/** Only what is concluded has a history of its own; all else stands where it is shown. */
function addressOf({ id, kind, text, entityId }: Item): string {
  switch (kind) {
    case 'conclusion':
      return `/why/${encodeURIComponent(id)}`;
    case 'episode':
      return `/memory?tab=episodes&q=${encodeURIComponent(text.slice(0, 60))}`;
    case 'profile':
      return '/memory?tab=profile';
    case 'relationship':
      return `/entities/${entityId}`;
  }
}

/** A number for each memory that was recalled: it says on hover and focus what that is, and opens why. */
export function RecalledMarks({ ids }: { readonly ids: readonly string[] }) {
  useEffect(() => want(ids), [ids, known.value]);
  const shown = ids.slice(0, MOST_MARKS);
  return (
    <p class="marks quiet small">
      <span>{words.recalled}</span>
      {shown.map((id, index) => {
        const item = known.value.get(id);
        if (item === null)
          return (
            <span key={id} class="mark-gone" title={words.notRemembered}>
              {index + 1}
            </span>
          );
        const name = item ? visible(item.text) : words.memoryNumber(index + 1);
        return (
          <Go
            key={id}
            to={addressOf(item ?? { id, kind: 'conclusion', text: '' })}
            class="recalled-mark"
            data-name={name}
          >
            <span aria-hidden="true">{index + 1}</span>
            <span class="hidden-text">{name}</span>
          </Go>
        );
      })}
      {ids.length > shown.length ? <span>+{ids.length - shown.length}</span> : null}
    </p>
  );
}

/** The same in full, in the receipt. */
export function RecalledList({ ids }: { readonly ids: readonly string[] }) {
  useEffect(() => want(ids), [ids, known.value]);
  return (
    <ol class="recalled">
      {ids.map((id) => {
        const item = known.value.get(id);
        return (
          <li key={id}>
            {item ? <Recalled item={item} /> : item === null ? words.notRemembered : parts.loading}
          </li>
        );
      })}
    </ol>
  );
}

function Recalled({ item }: { readonly item: Item }) {
  const [isCorrecting, setCorrecting] = useState(false);
  const [corrected, setCorrected] = useState<string>();
  const place = useRef<HTMLSpanElement>(null);
  const isOver = corrected !== undefined || (item.status !== undefined && item.status !== 'active');
  return (
    <span ref={place}>
      {corrected === undefined ? null : (
        <>
          <q>{corrected}</q>{' '}
        </>
      )}
      <Go to={addressOf(item)} class={isOver ? 'replaced' : ''}>
        <Plain text={item.text} />
      </Go>{' '}
      <span class="quiet">({isOver ? words.noLonger : words.memoryKinds[item.kind]})</span>{' '}
      {item.kind !== 'conclusion' || isOver || moment.value !== undefined ? null : isCorrecting ? (
        <Correction
          item={item}
          onDone={(text) => {
            setCorrecting(false);
            setCorrected(text);
            // The field goes, and the focus with it.
            place.current?.querySelector('a')?.focus();
          }}
          onUndone={() => setCorrected(undefined)}
        />
      ) : (
        <Act says={words.isWrong} what={item.text} class="link" onClick={() => setCorrecting(true)} />
      )}
    </span>
  );
}

interface CorrectionProps {
  readonly item: Item;
  readonly onDone: (text: string | undefined) => void;
  readonly onUndone: () => void;
}

/** One step: what is right instead. What stood there is superseded, and can be taken back. */
function Correction({ item, onDone, onUndone }: CorrectionProps) {
  const [text, setText] = useState(item.text);
  const { isGone, state } = useStatement(item.id);
  const correct = async () => {
    const right = text.trim();
    const stated = await state(right);
    if (!stated) return;
    onDone(right);
    tell(words.corrected, async () => {
      await takeBack(stated);
      onUndone();
      return true;
    });
  };
  const field = useRef<HTMLTextAreaElement>(null);
  // Once: whoever has gone on to another field is not brought back.
  useEffect(() => field.current?.focus(), []);
  return (
    <Form class="correction" onSubmit={correct} onEscape={() => onDone(undefined)}>
      <textarea
        ref={field}
        aria-label={words.rightInstead}
        rows={2}
        maxLength={2_000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={sendsByEnter}
      />
      {isGone ? (
        <p class="wrong" role="alert">
          {parts.forgottenMeanwhile}
        </p>
      ) : null}
      <div class="actions">
        <button type="submit" class="main" disabled={text.trim() === '' || text.trim() === item.text}>
          {words.correct}
        </button>
        <button type="button" onClick={() => onDone(undefined)}>
          {parts.cancel}
        </button>
      </div>
    </Form>
  );
}
