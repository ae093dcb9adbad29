import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { forgetKey } from '../api/key.ts';
import { pages } from '../pages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useKeys } from '../state/keys.ts';
import { chooseLook } from '../state/look.ts';
import { go } from '../state/place.ts';
import { shell } from '../words/shell.ts';
import { chooseLanguage } from '../words/words.ts';

const isOpen = signal(false);

export function openPalette(): void {
  isOpen.value = true;
}

interface Choice {
  readonly says: string;
  readonly act: () => void;
}

function choices(): readonly Choice[] {
  return [
    ...pages.map(({ name, path }) => ({ says: shell.names[name], act: () => go(path) })),
    { says: shell.api, act: () => location.assign('/docs') },
    ...(['auto', 'light', 'dark'] as const).map((look) => ({
      says: `${shell.look}: ${{ auto: shell.lookAuto, light: shell.lookLight, dark: shell.lookDark }[look]}`,
      act: () => chooseLook(look),
    })),
    { says: `${shell.language}: ${shell.english}`, act: () => chooseLanguage('en') },
    { says: `${shell.language}: ${shell.german}`, act: () => chooseLanguage('de') },
    {
      says: shell.keyForget,
      act: () => {
        forgetKey();
        location.reload();
      },
    },
  ];
}

/** Ctrl+K or ⌘K: any page and action by its name, a combobox after the ARIA Authoring Practices. */
export function Palette() {
  useKeys([{ key: '/', says: shell.palette, act: openPalette }], true);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return isOpen.value ? <Choices /> : null;
}

function Choices() {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = text.trim().toLocaleLowerCase();
  const found = choices().filter(({ says }) => says.toLocaleLowerCase().includes(wanted));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const close = () => (isOpen.value = false);
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    close();
    choice.act();
  };
  const move = (by: number) => setAt((at + by + found.length) % Math.max(1, found.length));
  return (
    <Dialog title={shell.palette} onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label={shell.paletteHint}
        placeholder={shell.paletteHint}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        {...(found[at] ? { 'aria-activedescendant': `${id}-${at}` } : {})}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') choose(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div ref={list} id={id} role="listbox" aria-label={shell.palette} class="choices">
        {found.map((choice, index) => (
          <button
            key={choice.says}
            type="button"
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => choose(choice)}
          >
            {choice.says}
          </button>
        ))}
      </div>
      <p class="quiet" role="status">
        {found.length === 0 ? shell.paletteNone : null}
      </p>
    </Dialog>
  );
}
