import { useEffect } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import { Go } from '../parts/go.tsx';
import { attempt } from '../parts/toasts.tsx';
import { followCapture, recording } from '../state/capture.ts';
import { shell } from '../words/shell.ts';

const PAUSE_MINUTES = 60;

/** Nobody overlooks that a device records: it says so above every page, with the way to pause it. */
export function RecordingSign() {
  useEffect(followCapture, []);
  const { length } = recording.value;
  if (length === 0) return null;
  return (
    <p class="banner recording" role="status">
      <span class="dot" aria-hidden="true" /> {shell.recording(length)}{' '}
      <Go to="/capture">{shell.names.capture}</Go>{' '}
      <button
        type="button"
        onClick={() => void attempt(() => ask('POST /api/capture/pause', { minutes: PAUSE_MINUTES }))}
      >
        {shell.pauseRecording}
      </button>
    </p>
  );
}
