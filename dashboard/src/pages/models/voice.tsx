import { useState } from 'preact/hooks';
import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { durationText } from '../../words/format.ts';
import { words } from './words.ts';

const parts = ['stt', 'tts', 'vad', 'wake'] as const;
/** What hears and speaks now, and how long that takes: looked at for whoever opens it. */
export function Voice() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.voice}</summary>
      {isOpen ? <Now /> : null}
    </details>
  );
}

function Now() {
  const status = useResource('GET /api/voice/status', {}, ['models.*', 'config:changed']);
  const stats = useResource('GET /api/voice/stats', {});
  const [now, figures] = [status.data.value, stats.data.value];
  if (!now || !figures) return <Reading of={status.refusal.value ? status : stats} />;
  if (!now.available) return <p>{words.noVoice}</p>;
  return (
    <>
      <p>{words.talking(now.activeSessions)}</p>
      <dl class="pairs">
        {parts.map((type) => {
          const part = now.pipeline[type];
          return [
            <dt key={type}>{words.types[type]}</dt>,
            <dd key={`${type}-is`}>
              <Plain text={part?.model ?? part?.engine ?? '–'} />{' '}
              {part ? words.voiceStates[part.status] : null} <Plain text={part?.note ?? ''} />
            </dd>,
          ];
        })}
      </dl>
      {figures.latency.endOfSpeechToFirstAudio.count === 0 ? null : <p>{takes(figures)}</p>}
    </>
  );
}

/** From the last word to the first sound of a reply: what people wait. */
function takes({ latency }: Output<'GET /api/voice/stats'>): string {
  const { p50, p95, count } = latency.endOfSpeechToFirstAudio;
  return words.takes(durationText(p50), durationText(p95), count);
}
