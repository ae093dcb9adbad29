import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { oneAtATime } from './oneAtATime.ts';

const root = join(import.meta.dirname, '../..');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Builds the dashboard, unless what is built is newer than all its sources. Other processes wait until it is whole. */
export function ensureBuilt(): void {
  oneAtATime('dashboard', buildUnlessNew);
}

function buildUnlessNew(): void {
  const built = changedAt(join(root, 'dist/dashboard/index.html'));
  const sources = globSync(['dashboard/**/*', 'src/interfaces/operations/**/*.ts'], { cwd: root });
  if (built !== undefined && sources.every((file) => (changedAt(join(root, file)) ?? 0) <= built)) return;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/dashboard.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

function changedAt(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? found.mtimeMs : undefined;
}

/** The files without which no page is shown: what the page names and what that imports, and the words around every page. */
export function shellFiles(): readonly string[] {
  const built = join(root, 'dist/dashboard');
  const manifest: Readonly<Record<string, { file: string; imports?: string[] }>> = JSON.parse(
    readFileSync(join(built, '.vite/manifest.json'), 'utf8'),
  );
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const named = page.matchAll(/<(?:script[^>]* src|link rel="stylesheet"[^>]* href)="\/([^"]+)"/g);
  const words = manifest['src/words/around.en.ts'];
  assert.ok(words);
  const files = new Set(['index.html', words.file, ...Array.from(named, ([, file = '']) => file)]);
  for (const file of files)
    for (const name of Object.values(manifest).find((chunk) => chunk.file === file)?.imports ?? [])
      files.add(manifest[name]?.file ?? name);
  return [...files].map((file) => join(built, file));
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds against accessibility on the page as it is now, in a few words each. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  // A colour that is on its way to another is none of the page's. Where nothing is drawn, it would never arrive.
  const found: readonly Violation[] = await page.evaluate(
    `document.getAnimations().forEach((one) => one.cancel());
    axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Whether the page is wider than the window. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth');
}

/** Accessible in light and dark, on a narrow phone and a wide screen, and never wider than the window. */
export async function assertLooks(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await violationsOf(page), [], `${page.url()}, ${colorScheme}, ${width} px`);
      assert.equal(await scrollsSideways(page), false, `${page.url()} scrolls sideways at ${width} px`);
    }
  }
}

/**
 * Takes back by its key what was told with these words. What was done may be seen a moment before the page is told that
 * it is, and can be taken back.
 */
export async function takeBack(page: Page, told: string | RegExp): Promise<void> {
  const toast = page.getByRole('status').locator('.toast').filter({ hasText: told }).last();
  await toast.getByRole('button', { name: /^Undo/ }).waitFor();
  await page.keyboard.press('u');
}

/** Resolves when the expression is true in the page: `waitForFunction` does what the policy of the page refuses. */
export async function becomes(page: Page, expression: string): Promise<void> {
  const look = `const look = () => (${expression}) ? resolve() : requestAnimationFrame(look); look();`;
  await page.evaluate(`new Promise((resolve) => { ${look} })`);
}

/** Resolves when the page was drawn twice. */
export async function frames(page: Page): Promise<void> {
  for (let frame = 0; frame < 2; frame++)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
}

/** The first answer from there with this text stays away from the page until it goes on. */
export async function keptBack(page: Page, path: string, text: string) {
  const { promise: goes, resolve: goesOn } = Promise.withResolvers<void>();
  const { promise: answered, resolve: isAnswered } = Promise.withResolvers<Request>();
  let isKept = false;
  await page.route(path, async (route) => {
    const response = await route.fetch();
    if (!isKept && (await response.text()).includes(text)) {
      isKept = true;
      isAnswered(route.request());
      await goes;
    }
    // The page may not wait for it any more.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return { goesOn, answered };
}
