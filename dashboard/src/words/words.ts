import { onDevice } from '../state/kept.ts';

export type Language = 'en' | 'de';

const NAME = 'hark.language';

export const language: Language = chosen();
/** As the reader writes dates and numbers in that language: English is not written alike everywhere. */
export const locale = navigator.languages.find((one) => one.startsWith(language)) ?? language;

type Around = typeof import('./around.en.ts');
type English = typeof import('./en.ts');

/** The words of a page in the language of the reader; the other language is not loaded. */
export async function pageWords<Words>(of: (all: English) => Words): Promise<Words> {
  return of(language === 'de' ? await import('./de.ts') : await import('./en.ts'));
}

/** The same for what stands around every page, without the words of the pages. */
export async function aroundWords<Words>(of: (all: Around) => Words): Promise<Words> {
  return of(language === 'de' ? await import('./de.ts') : await import('./around.en.ts'));
}

/** Chosen by hand, it holds for this browser; the page begins anew in it. */
export function chooseLanguage(wanted: Language): void {
  onDevice.set(NAME, wanted);
  location.reload();
}

function chosen(): Language {
  const wishes = [onDevice.get(NAME), ...navigator.languages.map((one) => one.slice(0, 2))];
  return wishes.find((wish): wish is Language => wish === 'en' || wish === 'de') ?? 'en';
}
