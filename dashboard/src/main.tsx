import './look/tokens.css';
import './look/base.css';
import './look/parts.css';
import './look/shell.css';
import { render } from 'preact';
import { followLog } from './api/live.ts';
import { App } from './app.tsx';
import { listenToKeys } from './state/keys.ts';
import { show } from './state/look.ts';
import { keepPage } from './state/offline.ts';
import { language } from './words/words.ts';

document.documentElement.lang = language;
show();
listenToKeys();
/** It stays in sight, and nothing lies below it. */
function measureNotice(): void {
  const notice = document.querySelector('body > .notice');
  if (!notice) return;
  const { style } = document.documentElement;
  new ResizeObserver(() => style.setProperty('--notice', `${notice.clientHeight}px`)).observe(notice);
}

const root = document.getElementById('app');
if (root) render(<App />, root);
void followLog();
measureNotice();
keepPage();
