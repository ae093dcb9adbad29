import { useResource } from '../../api/resource.ts';
import { bytesText, durationText, numberText } from '../../words/format.ts';
import { words } from './words.ts';

/** The few figures that one looks at first. */
export function Figures() {
  const figures = useResource('GET /health/metrics', {}).data.value;
  const info = useResource('GET /api/system/info', {}).data.value;
  if (!figures || !info) return null;
  const { requests, errors, latency, uptime } = figures;
  const shown = [
    [words.uptime, durationText(1_000 * uptime)],
    [words.requests, numberText(requests.perMinute)],
    [words.errors, numberText(errors.perMinute)],
    [words.median, durationText(latency.p50)],
    [words.slowest, durationText(latency.p99)],
    [words.memory, bytesText(info.memoryUsage.rss)],
  ] as const;
  return (
    <dl class="figures">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
