import { useLayoutEffect, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { loadedPart } from './api/loaded.ts';
import { pages } from './pages.ts';
import { Questions } from './parts/dialog.tsx';
import { Toasts } from './parts/toasts.tsx';
import { Banner } from './shell/banner.tsx';
import { KeyList } from './shell/keyList.tsx';
import { KeyQuestion } from './shell/keyQuestion.tsx';
import { Navigation } from './shell/navigation.tsx';
import { Nowhere } from './shell/nowhere.tsx';
import { Palette } from './shell/palette.tsx';
import { RecordingSign } from './shell/recordingSign.tsx';
import { takeClaim } from './state/claim.ts';
import { moment, momentOf } from './state/moment.ts';
import { moveBy } from './state/place.ts';
import { parts } from './words/parts.ts';
import { shell } from './words/shell.ts';

/** Beside what a page needs: it comes a moment later. */
const TimeBar = loadedPart(async () => (await import('./shell/timeBar.tsx')).default);

export function App() {
  return (
    <LocationProvider>
      <Whole />
    </LocationProvider>
  );
}

function Whole() {
  const { route, url } = useLocation();
  const [broken, setBroken] = useState(false);
  moveBy(route);
  useLayoutEffect(takeClaim, []);
  useLayoutEffect(() => {
    moment.value = momentOf(location.search);
  }, [url]);
  return (
    <>
      <a class="skip" href="#page">
        {shell.skip}
      </a>
      <Navigation />
      <div class="beside">
        <ErrorBoundary>
          <TimeBar />
        </ErrorBoundary>
        <div class="signs">
          <Banner />
          <RecordingSign />
        </div>
        <main id="page" tabIndex={-1}>
          {broken ? (
            <Broken />
          ) : (
            <ErrorBoundary onError={() => setBroken(true)}>
              <Router onRouteChange={() => setBroken(false)}>{routes}</Router>
            </ErrorBoundary>
          )}
        </main>
      </div>
      <KeyQuestion />
      <KeyList />
      <Palette />
      <Questions />
      <Toasts />
    </>
  );
}

/** By the name of the page: it stays as it is where it goes to another address of its own. */
const routes = [
  ...pages.flatMap(({ name, path, also = [], component }) =>
    [path, ...also].map((one) => <Route key={name} path={one} component={component} />),
  ),
  <Route key="nowhere" default component={Nowhere} />,
];

function Broken() {
  return (
    <div class="page failure" role="alert">
      <h1>{shell.broken}</h1>
      <p>{shell.brokenNext}</p>
      <button type="button" onClick={() => location.reload()}>
        {parts.again}
      </button>
    </div>
  );
}
