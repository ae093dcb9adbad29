import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type KeyAction, useKeys } from '../state/keys.ts';
import { parts } from '../words/parts.ts';
import { visible } from './plain.tsx';
import { tell } from './toasts.tsx';

interface RowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** What is heard of a row that `j` and `k` come to. */
  readonly nameOf: (row: Row) => string;
  /** `Enter` on a row. */
  readonly onOpen?: (row: Row) => void;
  /** What single keys do with the row that has the focus. */
  readonly keys?: readonly {
    readonly key: string;
    readonly says: string;
    readonly act: (row: Row) => void;
  }[];
  readonly children: (row: Row) => ComponentChildren;
}

/** A list through which `j` and `k` move the focus; one stop for Tab, whatever its length. */
export function Rows<Row>({ label, rows, idOf, nameOf, onOpen, keys = [], children }: RowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  // Not drawn anew when the focus moves: there may be thousands.
  const current = useRef<string | undefined>(undefined);
  const at = () =>
    Math.max(
      0,
      rows.findIndex((row) => idOf(row) === current.current),
    );
  const focus = (index: number) => {
    const item = list.current?.children[Math.min(rows.length - 1, Math.max(0, index))];
    if (item instanceof HTMLElement) item.focus();
  };
  const isInside = () => list.current?.contains(document.activeElement) ?? false;
  const step = (by: number) => focus(isInside() ? at() + by : at());
  /** The row with which something was done here: that it goes is what was asked for. */
  const done = useRef<string | undefined>(undefined);
  /** Whether the focus is on a row that came in the place of another, and nothing was pressed since. */
  const isOther = useRef(false);
  const own: KeyAction[] = keys.map(({ key, says, act }) => ({
    ...{ key, says },
    act: () => {
      const row = rows[at()];
      if (row === undefined || !isInside()) return;
      if (isOther.current) tell(parts.rowGone);
      else act(row);
      done.current = idOf(row);
      isOther.current = false;
    },
  }));
  useKeys([
    { key: 'j', says: parts.next, act: () => step(1) },
    { key: 'k', says: parts.previous, act: () => step(-1) },
    ...own,
  ]);
  // Of a row that goes while the focus is on it, the focus goes to the one that stands there then.
  const place = useRef(0);
  const stand = (item: HTMLElement, id: string) => {
    const before = list.current?.children[at()];
    if (before instanceof HTMLElement) before.tabIndex = -1;
    item.tabIndex = 0;
    if (current.current !== id) isOther.current = false;
    current.current = id;
    place.current = at();
  };
  const stop = at();
  // In a reference: what a row listens with would keep the row before it, that one the row before, and so on.
  const held = useRef<Element | null>(null);
  held.current = isInside() ? document.activeElement : null;
  useLayoutEffect(() => {
    const focused = held.current;
    held.current = null;
    // Where a browser cannot move it, a row that is put elsewhere loses it.
    if (focused instanceof HTMLElement && !isInside()) focused.focus({ preventScroll: true });
    if (focused && !isInside()) {
      const isAsked = current.current === done.current;
      focus(place.current);
      isOther.current = !isAsked;
    }
    place.current = at();
  });
  return (
    <ul ref={list} class="rows" aria-label={label}>
      {rows.map((row, index) => (
        <li
          key={idOf(row)}
          class="row"
          aria-label={visible(nameOf(row).slice(0, 300))}
          tabIndex={index === stop ? 0 : -1}
          onClick={() => (done.current = idOf(row))}
          onFocus={(event) => stand(event.currentTarget, idOf(row))}
          onKeyDown={(event) => {
            if (event.target !== event.currentTarget) return;
            if (event.key === 'Enter' && onOpen) onOpen(row);
            else if (event.key === 'ArrowDown') focus(index + 1);
            else if (event.key === 'ArrowUp') focus(index - 1);
            else if (event.key === 'Home') focus(0);
            else if (event.key === 'End') focus(rows.length - 1);
            else return;
            event.preventDefault();
          }}
        >
          {children(row)}
        </li>
      ))}
    </ul>
  );
}
