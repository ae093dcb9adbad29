import type { Page } from 'playwright-core';

interface OpenState {
  readonly name: string;
  readonly path: string;
  /** What brings it about on the page, after which it is drawn. */
  readonly open: (page: Page) => Promise<void>;
}

const BACK = /change back|Step back|Back/;
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
};
const inMenu = (menu: string | RegExp, item: string) => async (page: Page) => {
  await press(menu)(page);
  await page.getByRole('menuitem', { name: item }).click();
};
const fold = (text: string | RegExp) => async (page: Page) => {
  await page.locator('summary').filter({ hasText: text }).first().click();
};
const key = (keys: string) => async (page: Page) => {
  await page.keyboard.press(keys);
};
const after =
  (...steps: readonly ((page: Page) => Promise<void>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page);
  };

/** The dialogs, menus and unfolded parts of the pages, as the demo has them. */
export const openStates: readonly OpenState[] = [
  { name: 'pages', path: '/memory', open: press('Pages') },
  { name: 'palette', path: '/memory', open: key('Control+k') },
  { name: 'keys', path: '/memory', open: key('?') },
  { name: 'add', path: '/memory', open: press('Add') },
  { name: 'row-menu', path: '/memory', open: press(/^What can be done|^Actions|…$/) },
  { name: 'memory-menu', path: '/memory', open: press('Export, import, erase') },
  { name: 'import', path: '/memory', open: inMenu('Export, import, erase', 'Import…') },
  { name: 'erase-all', path: '/memory', open: inMenu('Export, import, erase', 'Erase all memory…') },
  {
    name: 'chosen',
    path: '/memory',
    open: async (page) => {
      await page.getByRole('checkbox').nth(0).check();
      await page.getByRole('checkbox').nth(1).check();
    },
  },
  {
    name: 'details',
    path: '/memory',
    open: async (page) => {
      await page.locator('button.statement').nth(1).click();
    },
  },
  {
    name: 'forgotten',
    path: '/memory',
    open: after(key('j'), key('x')),
  },
  {
    name: 'why',
    path: '/why',
    open: async (page) => {
      await page.getByRole('link', { name: 'The user is allergic to peanuts.' }).click();
      await page.getByText('What it rests on').waitFor();
    },
  },
  {
    name: 'entity',
    path: '/entities',
    open: async (page) => {
      await page.getByRole('link', { name: 'Mia' }).click();
      await page.locator('svg circle').first().waitFor();
    },
  },
  { name: 'thresholds', path: '/last-night', open: tab('With other thresholds') },
  { name: 'past', path: '/memory', open: press(BACK) },
  { name: 'compared', path: '/memory', open: after(press(BACK), press('Compare with now')) },
  { name: 'restored', path: '/memory', open: after(press(BACK), press('Restore from here')) },
  { name: 'schedule', path: '/schedules', open: press('Schedule something') },
  { name: 'task-menu', path: '/schedules', open: press('What to do with it') },
  { name: 'write', path: '/notifications', open: press('Tell yourself something') },
  { name: 'channel', path: '/notifications?show=channels', open: press('Add a channel') },
  { name: 'webhook', path: '/webhooks', open: press('Add a webhook') },
  { name: 'run', path: '/workflows/about-me', open: press('Run') },
  { name: 'key', path: '/providers', open: press('Set key') },
  { name: 'chain', path: '/providers?show=slots', open: press(/^Change\b/) },
  { name: 'route', path: '/providers?show=slots', open: fold('Which model would answer') },
  { name: 'pair', path: '/devices', open: press('Pair a device') },
  { name: 'pairing', path: '/devices', open: after(press('Pair a device'), press('Make a code')) },
  { name: 'metrics', path: '/status', open: fold('The last hour') },
  { name: 'browser', path: '/settings', open: tab('This browser') },
  {
    name: 'event',
    path: '/events',
    open: async (page) => {
      await page.getByRole('button', { name: 'chat.message.received' }).first().click();
      await page.getByText('What this set off').waitFor();
    },
  },
  {
    name: 'proof',
    path: '/memory?tab=episodes',
    open: after(press('Erase for good…'), async (page) => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Erase/ })
        .click();
      await page.getByRole('button', { name: 'Done' }).waitFor();
    }),
  },
  {
    name: 'operation',
    path: '/docs',
    open: async (page) => {
      await page.locator('summary', { hasText: '/api/chat' }).first().click();
      await page.locator('details[open]').first().scrollIntoViewIfNeeded();
    },
  },
];

function tab(name: string) {
  return async (page: Page) => {
    await page.getByRole('tab', { name }).click();
  };
}
