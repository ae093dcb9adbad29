import { Page } from '../parts/page.tsx';
import { shell } from '../words/shell.ts';

export function Nowhere() {
  return (
    <Page title={shell.nowhere}>
      <p>{shell.nowhereNext}</p>
    </Page>
  );
}
