import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/ask.ts';
import { tellWrong } from '../../parts/toasts.tsx';
import { parts } from '../../words/parts.ts';
import { attached, sourceOf } from './images.ts';
import type { Attachment } from './turn.ts';
import { draftImagesOf, draftOf, keepDraft, keepDraftImages } from './unsent.ts';
import { words } from './words.ts';

/** What the service takes in one message. */
const LONGEST = 10_000;
const MOST_PASTED = 20 * LONGEST;

interface ComposerProps {
  /** Under which id what is typed is kept. */
  readonly draftId: string;
  readonly isAnswering: boolean;
  readonly talk: ComponentChildren;
  readonly onSay: (said: Given) => void;
  readonly onStop: () => void;
  /** A message that is to be asked again. */
  readonly given: Given | undefined;
}

export interface Given {
  readonly text: string;
  readonly images: readonly Attachment[];
  /** The turn in whose place it stands. */
  readonly replaces?: string | undefined;
}

/** Where one types. What stands here stays over a reload and the loss of the service. */
export function Composer({ draftId, isAnswering, talk, onSay, onStop, given }: ComposerProps) {
  const [shown, show] = useState(draftId);
  const [text, setText] = useState(() => draftOf(draftId));
  const [images, setImages] = useState(() => draftImagesOf(draftId));
  const [replaces, setReplaces] = useState<string>();
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  /** What stood here when another message was taken up: it is here again when that is done with. */
  const aside = useRef<Omit<Given, 'replaces'>>({ text: '', images: [] });
  // Before anybody can type into it: later, what is typed by then would go.
  if (shown !== draftId) {
    show(draftId);
    setText(draftOf(draftId));
    setImages(draftImagesOf(draftId));
    setReplaces(undefined);
    aside.current = { text: '', images: [] };
  }
  useLayoutEffect(() => keepDraftImages(draftId, images), [draftId, images]);
  const write = (value: string) => {
    setText(value);
    keepDraft(draftId, value);
  };
  // Before anything can be typed into it.
  useLayoutEffect(() => {
    if (!given) return;
    if (replaces === undefined) aside.current = { text, images };
    write(given.text);
    setImages(given.images);
    setReplaces(given.replaces);
    field.current?.focus();
  }, [given]);
  const attach = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const { images: all, isWhole } = await attached(files, images);
    const come = all.slice(images.length);
    // While they were read, others may have come or gone.
    setImages((now) => [...now, ...come]);
    if (!isWhole) tellWrong(new Refusal(1, { message: words.imagesLeftOut }));
  };
  const say = () => {
    const said = text.trim();
    if (said === '' || text.length > LONGEST) return;
    empty();
    onSay({ text: said, images, replaces });
  };
  const empty = () => {
    write(aside.current.text);
    setImages(aside.current.images);
    setReplaces(undefined);
    aside.current = { text: '', images: [] };
  };
  return (
    <form
      class={isOver ? 'composer over' : 'composer'}
      aria-label={words.compose}
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const files = Array.from(event.dataTransfer?.files ?? []);
        if (files.length === 0) return;
        event.preventDefault();
        void attach(files);
      }}
    >
      {replaces === undefined ? null : (
        <p class="composer-note quiet small">
          {words.replaces}{' '}
          <button type="button" class="link" onClick={empty}>
            {parts.cancel}
          </button>
        </p>
      )}
      {images.length > 0 ? (
        <ul class="attachments" aria-label={words.images}>
          {images.map((image, index) => (
            <li key={index}>
              <img src={sourceOf(image)} alt={words.imageNumber(index + 1)} />
              <button
                type="button"
                class="icon"
                aria-label={words.removeImage(index + 1)}
                onClick={() => setImages(images.filter((one) => one !== image))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <textarea
        ref={field}
        aria-label={words.message}
        placeholder={images.length > 0 ? words.imageHint : words.messageHint}
        rows={1}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing || isTouch()) return;
          event.preventDefault();
          say();
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text/plain').length ?? 0;
          // A field holds still for seconds while it takes millions of characters, none of which could be sent.
          if (pasted > MOST_PASTED) {
            event.preventDefault();
            return tellWrong(new Refusal(1, { message: words.tooLong(pasted, LONGEST) }));
          }
          const files = Array.from(event.clipboardData?.files ?? []);
          if (files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
      />
      {text.length > LONGEST ? <p class="wrong small">{words.tooLong(text.length, LONGEST)}</p> : null}
      <div class="composer-actions">
        <label class="attach">
          <input
            type="file"
            class="hidden-text"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            onChange={(event) => {
              const { currentTarget } = event;
              void attach(Array.from(currentTarget.files ?? []));
              currentTarget.value = '';
            }}
          />
          {words.attach}
        </label>
        {talk}
        <span class="spread" />
        {isAnswering ? (
          <button type="button" onClick={onStop}>
            {words.stop}
          </button>
        ) : null}
        <button type="submit" class="main" disabled={text.trim() === '' || text.length > LONGEST}>
          {words.send}
        </button>
      </div>
    </form>
  );
}

/** There `Enter` begins a line, as everywhere on the device. */
const isTouch = () => matchMedia('(pointer: coarse)').matches;
