import { useRef, useState } from 'preact/hooks';
import { Plain } from '../../parts/plain.tsx';
import type { ModelRef } from './slot.ts';
import { words } from './words.ts';

interface ChainProps {
  readonly chain: readonly ModelRef[];
  readonly onChange: (chain: readonly ModelRef[]) => void;
}

/** Models in an order that is changed by dragging, or by the arrow keys on one; what moved is told. */
export function Chain({ chain, onChange }: ChainProps) {
  const list = useRef<HTMLOListElement>(null);
  const dragged = useRef<number>(undefined);
  const [told, setTold] = useState('');
  const move = (from: number, to: number) => {
    const one = chain[from];
    if (!one || to < 0 || to >= chain.length || from === to) return;
    const others = chain.filter((_, index) => index !== from);
    onChange([...others.slice(0, to), one, ...others.slice(to)]);
    setTold(words.moved(one.model, to + 1, chain.length));
    queueMicrotask(() => handleAt(list.current, to)?.focus());
  };
  return (
    <>
      <ol ref={list} class="chain" aria-label={words.chain}>
        {chain.map((one, index) => (
          <li
            key={`${one.provider} ${one.model}`}
            draggable
            onDragStart={() => {
              dragged.current = index;
            }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged.current !== undefined) move(dragged.current, index);
            }}
          >
            <button
              type="button"
              class="handle"
              aria-label={words.position(one.model, index + 1, chain.length)}
              onKeyDown={(event) => {
                const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                if (by === undefined) return;
                event.preventDefault();
                move(index, index + by);
              }}
            >
              ↕
            </button>
            <span>
              <Plain text={one.model} most={120} />
            </span>
            <button
              type="button"
              class="icon"
              aria-label={words.takeOut(one.model)}
              onClick={() => onChange(chain.filter((other) => other !== one))}
            >
              ×
            </button>
          </li>
        ))}
      </ol>
      <p class="hidden-text" role="status">
        {told}
      </p>
    </>
  );
}

function handleAt(list: HTMLElement | null, index: number): HTMLElement | undefined {
  return list?.querySelectorAll<HTMLElement>('.handle')[index];
}
