import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Marked } from 'marked';

/*
 * The documentation as pages that need no server: `npm run site` writes them into a folder, and a browser opens
 * index.html there. Links are relative, nothing is loaded from elsewhere, and no script runs.
 */

const root = join(import.meta.dirname, '..');
const front = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'];

/** A page by where it lies, and what it becomes. */
function pageOf(path: string): string {
  return path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html');
}

/** As GitHub names the heading, so that links hold in both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/<[^>]*>|&\w+;/g, '')
    .replaceAll(/[^\p{Letter}\p{Number}\- _]/gu, '')
    .replaceAll(' ', '-');
}

/** What lies in the repository and is no page is not copied: it is named, and not a link. */
function linkFrom(path: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  if (target === '') return href;
  const meant = join(dirname(path), target);
  const isCopied = meant.startsWith('docs/architecture.svg') || meant.startsWith('docs/pictures/');
  if (!pages.includes(meant) && !isCopied) return undefined;
  const there = relative(dirname(pageOf(path)), meant.endsWith('.md') ? pageOf(meant) : meant);
  return anchor === undefined ? there : `${there}#${anchor}`;
}

const pages: readonly string[] = [
  ...front,
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

function render(path: string): string {
  const anchors = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        const anchor = anchorOf(text);
        const before = anchors.get(anchor) ?? 0;
        anchors.set(anchor, before + 1);
        const id = before === 0 ? anchor : `${anchor}-${before}`;
        return `<h${depth} id="${id}"><a href="#${id}">${text}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const link = linkFrom(path, href);
        return link === undefined ? text : `<a href="${link}">${text}</a>`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="wide"><table><thead><tr>${cells(token.header, 'th')}</tr></thead>\n${rows}</table></div>\n`;
      },
    },
  });
  return marked.parse(readFileSync(join(root, path), 'utf8'), { async: false });
}

function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? basename(path, '.md');
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#0b57a4, #8cc2ff); }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; }
.page { display: flex; flex-wrap: wrap; gap: 2rem; max-width: 75rem; margin: auto; padding: 1rem; }
nav { flex: 1 1 12rem; } main { flex: 3 1 32rem; min-width: 0; }
nav ul { list-style: none; padding: 0; } nav li { padding: .15rem 0; } [aria-current] { font-weight: bold; }
a { color: var(--link); } h1 a, h2 a, h3 a, h4 a { color: inherit; text-decoration: none; }
pre { overflow: auto; padding: .75rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
code { font: .9em ui-monospace, monospace; } :not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: 4px; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; background: #fff; }`;

function documentOf(path: string): string {
  const items = pages.map((other) => {
    const link = relative(dirname(pageOf(path)), pageOf(other));
    const current = other === path ? ' aria-current="page"' : '';
    return `<li><a href="${link}"${current}>${titleOf(other)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: file:">
<title>${titleOf(path)} – hark</title>
<style>${STYLE}
</style>
</head>
<body>
<div class="page">
<nav aria-label="Pages"><ul>
${items.join('\n')}
</ul></nav>
<main>
${render(path)}</main>
</div>
</body>
</html>
`;
}

export function writeSite(folder: string): readonly string[] {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const path of pages) writeFileSync(join(folder, pageOf(path)), documentOf(path));
  copyFileSync(join(root, 'docs/architecture.svg'), join(folder, 'docs/architecture.svg'));
  cpSync(join(root, 'docs/pictures'), join(folder, 'docs/pictures'), { recursive: true });
  return pages.map(pageOf);
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(root, 'site');
  console.log(`${writeSite(folder).length} pages in ${folder}: open index.html`);
}
