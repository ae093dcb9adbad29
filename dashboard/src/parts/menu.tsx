import { useId, useRef } from 'preact/hooks';
import { rowNamed, visible } from './plain.tsx';

interface MenuProps {
  readonly label: string;
  /** The row it belongs to. */
  readonly of?: string;
  readonly items: readonly { readonly says: string; readonly isGrave?: boolean; readonly act: () => void }[];
}

/** A button that opens a list of actions, after the pattern of the ARIA Authoring Practices. */
export function Menu({ label: named, of = '', items }: MenuProps) {
  const label = visible(named);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const focus = (index: number) => {
    const item = list.current?.children[(index + items.length) % items.length];
    if (item instanceof HTMLElement) item.focus();
  };
  const at = () => Array.from(list.current?.children ?? []).indexOf(document.activeElement ?? document.body);
  return (
    <span class="menu">
      <button
        ref={button}
        type="button"
        class="icon"
        aria-haspopup="menu"
        aria-label={label}
        {...rowNamed(of)}
        popovertarget={id}
      >
        ⋯
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        class="menu-list"
        onToggle={(event) => {
          if (event.newState !== 'open') return;
          const place = button.current?.getBoundingClientRect();
          const width = list.current?.offsetWidth ?? 0;
          if (place && list.current) {
            list.current.style.left = `${Math.max(8, Math.min(place.right - width, innerWidth - width - 8))}px`;
            list.current.style.top = `${Math.min(place.bottom + 4, innerHeight - list.current.offsetHeight - 8)}px`;
          }
          // Told a moment later: who was quicker has chosen one already.
          if (at() === -1) focus(0);
        }}
        onKeyDown={(event) => {
          const to = { ArrowDown: at() + 1, ArrowUp: at() - 1, Home: 0, End: items.length - 1 }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          focus(to);
        }}
      >
        {items.map(({ says, isGrave, act }) => (
          <button
            key={says}
            type="button"
            role="menuitem"
            class={isGrave ? 'grave' : ''}
            tabIndex={-1}
            onClick={() => {
              list.current?.hidePopover();
              button.current?.focus();
              act();
            }}
          >
            {says}
          </button>
        ))}
      </div>
    </span>
  );
}
