import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pages } from '../pages.ts';
import { Go } from '../parts/go.tsx';
import { shell } from '../words/shell.ts';
import { openPalette } from './palette.tsx';

const groups = [...new Set(pages.map(({ group }) => group))];

/** Beside the page where there is room, else behind a button above it. */
export function Navigation() {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  return (
    <header class={isOpen ? 'side open' : 'side'}>
      <div class="side-head">
        <Go to="/" class="mark">
          hark
        </Go>
        <button type="button" class="palette-button" onClick={openPalette}>
          {shell.palette} <kbd>Ctrl K</kbd>
        </button>
        <button
          ref={toggle}
          type="button"
          class="side-toggle"
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={() => setOpen(!isOpen)}
        >
          {shell.pages}
        </button>
      </div>
      <nav
        id="pages"
        aria-label={shell.pages}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOpen) return;
          setOpen(false);
          toggle.current?.focus();
        }}
      >
        {groups.map((group) => (
          <div key={group}>
            <p id={`group-${group}`}>{shell.groups[group]}</p>
            <ul aria-labelledby={`group-${group}`}>
              {pages
                .filter((page) => page.group === group)
                .map(({ name, path: to, also }) => (
                  <li key={name}>
                    <Go to={to} {...(isAt(path, to, also) ? { 'aria-current': 'page' } : {})}>
                      {shell.names[name]}
                    </Go>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
    </header>
  );
}

function isAt(path: string, to: string, also: readonly string[]): boolean {
  return path === to || also.some((one) => path.startsWith(one.replace(/:.*/, '')));
}
