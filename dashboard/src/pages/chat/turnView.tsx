import { useState } from 'preact/hooks';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { told } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { durationText } from '../../words/format.ts';
import { sourceOf } from './images.ts';
import { Markdown } from './markdown.tsx';
import { Receipt } from './receipt.tsx';
import { type Attachment, imagesOf, type Part, type Turn } from './turn.ts';
import { words } from './words.ts';

interface TurnViewProps {
  readonly turn: Turn;
  /** Undefined in the past, where nothing is asked. */
  readonly onEdit?: (() => void) | undefined;
  readonly onAskAgain?: (() => void) | undefined;
  readonly onChoose?: ((turnId: string) => void) | undefined;
  readonly onAgain: () => void;
  readonly onLetGo: () => void;
}

/** One message, and all that came of it. */
export function TurnView({ turn, onEdit, onAskAgain, onChoose, onAgain, onLetGo }: TurnViewProps) {
  const state = turn.state.value;
  const metadata = turn.metadata.value;
  return (
    <>
      {turn.text === null ? null : (
        <div class="said">
          <h2 class="hidden-text">{turn.origin === 'user' ? words.you : words.origins[turn.origin]}</h2>
          {turn.origin === 'user' ? null : <p class="quiet small">{words.origins[turn.origin]}</p>}
          <p class="said-text">
            <Plain text={turn.text} />
          </p>
          {turn.imageCount > 0 ? <Images turn={turn} /> : null}
          <p class="said-foot quiet small">
            {turn.isSpoken ? <span>{words.spoken}</span> : null}
            <Time at={turn.at} />
            <Versions turn={turn} onChoose={turn.isOver.value ? undefined : onChoose} />
            {onEdit && turn.origin === 'user' ? (
              <button type="button" class="link" onClick={onEdit}>
                {turn.isOver.value ? words.askAnew : words.edit}
              </button>
            ) : null}
            {onAskAgain && turn.origin === 'user' && !turn.isOver.value && turn.turnId !== undefined ? (
              <button type="button" class="link" onClick={onAskAgain}>
                {words.askAgain}
              </button>
            ) : null}
          </p>
        </div>
      )}
      {turn.refusal.value ? (
        <div class="failure" role="alert">
          <p>
            <strong>{told(turn.refusal.value).title}</strong>
          </p>
          <p>{state === 'sending' ? words.willBeSent : told(turn.refusal.value).next}</p>
          {state === 'unsent' ? (
            <div class="actions">
              <button type="button" onClick={onAgain}>
                {words.sendAgain}
              </button>
              <button type="button" onClick={onLetGo}>
                {words.editUnsent}
              </button>
            </div>
          ) : null}
        </div>
      ) : (
        <div class="reply" aria-busy={state === 'running' || state === 'sending'}>
          <h2 class="hidden-text">hark</h2>
          {turn.parts.value.map((part, index) => (
            <PartView key={index} part={part} />
          ))}
          <Ending turn={turn} />
        </div>
      )}
      {metadata ? <Receipt metadata={metadata} isReply={state === 'replied'} /> : null}
    </>
  );
}

/** Which of all that stand in its place is shown, and the way to the others. */
function Versions({ turn, onChoose }: Pick<TurnViewProps, 'turn' | 'onChoose'>) {
  const { value: versions } = turn.versions;
  if (versions.length === 0) return null;
  const index = versions.indexOf(turn.turnId ?? '');
  const step = (says: string, sign: string, turnId: string | undefined) =>
    onChoose ? (
      <button
        type="button"
        class="link"
        aria-label={says}
        disabled={turnId === undefined}
        onClick={() => turnId !== undefined && onChoose(turnId)}
      >
        {sign}
      </button>
    ) : null;
  return (
    <span class="versions">
      <span class="hidden-text">{words.version(index + 1, versions.length)}</span>
      {step(words.versionBefore, '‹', versions[index - 1])}
      <span aria-hidden="true">
        {index + 1} / {versions.length}
      </span>
      {step(words.versionAfter, '›', versions[index + 1])}
    </span>
  );
}

function PartView({ part }: { readonly part: Part }) {
  switch (part.kind) {
    case 'content':
      return <Markdown text={part.text} />;
    case 'thinking':
      return (
        <details class="aside">
          <summary>{words.thoughts}</summary>
          <p class="thoughts">
            <Plain text={part.text} />
          </p>
        </details>
      );
    case 'tool': {
      const { name, input, returned } = part;
      const state = returned ? (returned.isError ? words.toolFailed : words.toolDone) : words.toolRuns;
      return (
        <details class="aside">
          <summary>
            {words.tool} <code>{name}</code>{' '}
            <span class={returned?.isError ? 'wrong' : 'quiet'}>{state}</span>
            {returned ? <span class="quiet"> {durationText(returned.durationMs)}</span> : null}
          </summary>
          <h3>{words.toolInput}</h3>
          <Whole text={JSON.stringify(input, undefined, 2)} />
          {returned ? (
            <>
              <h3>{words.toolResult}</h3>
              <Whole text={indented(returned.result)} />
            </>
          ) : null}
        </details>
      );
    }
  }
}

function Whole({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by Tab, or no key scrolls it
    <pre tabIndex={0}>
      <Plain text={text} />
    </pre>
  );
}

const MOST_TO_INDENT = 100_000;

function indented(result: string): string {
  if (!/^\s*[[{]/.test(result) || result.length > MOST_TO_INDENT) return result;
  try {
    return JSON.stringify(JSON.parse(result), undefined, 2);
  } catch {
    return result;
  }
}

function Ending({ turn }: { readonly turn: Turn }) {
  const state = turn.state.value;
  if (state === 'running' || state === 'sending')
    return turn.parts.value.some(({ kind }) => kind === 'content') ? null : (
      <p class="waiting quiet">{turn.parts.value.length > 0 ? words.working : words.thinking}</p>
    );
  const error = turn.error.value;
  if (state === 'cancelled') return <p class="quiet small">{words.stopped}</p>;
  if (state === 'interrupted') return <p class="failure">{words.interrupted}</p>;
  if (error !== undefined)
    return (
      <p class="failure">
        <Plain text={error.says} />
        {error.isMendedAtProviders ? (
          <>
            {' '}
            <Go to="/providers">{words.toProviders}</Go>
          </>
        ) : null}
      </p>
    );
  return null;
}

function Images({ turn }: { readonly turn: Turn }) {
  const [images, setImages] = useState<readonly Attachment[] | undefined>(turn.images);
  const read = async () => setImages(await attempt(() => imagesOf(turn)));
  if (!images)
    return (
      <button type="button" class="link" onClick={() => void read()}>
        {words.showImages(turn.imageCount)}
      </button>
    );
  return (
    <ul class="attachments" aria-label={words.images}>
      {images.map((image, index) => (
        <li key={index}>
          <img src={sourceOf(image)} alt={words.imageNumber(index + 1)} />
        </li>
      ))}
    </ul>
  );
}
