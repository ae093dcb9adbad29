import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import { type AnyOperation, defineEither, type Listening } from '../operation.ts';

const sample = lazily(() =>
  z.object({
    at: z.number(),
    uptime: z.number().describe('Of the process, in seconds'),
    requestsPerMinute: z.int(),
    errorsPerMinute: z.int(),
    p50: z.number().describe('Within so many ms half of the newest requests were answered'),
    p95: z.number(),
    p99: z.number(),
    memory: z.int().describe('Of the process, in bytes'),
  }),
);
const samples = lazily(() => z.object({ samples: z.array(sample()).readonly() }));
type Sample = z.output<ReturnType<typeof sample>>;

interface Figures {
  all(): readonly Sample[];
  follow(signal: AbortSignal): AsyncIterable<readonly Sample[]>;
}

/** How this process was over time. */
export function figuresOperations(figures: Figures): readonly AnyOperation[] {
  return [
    defineEither({
      name: 'health.figuresOverTime',
      area: 'health',
      device: 'never',
      summary: 'Requests, errors, latency and memory of this process over the last hour',
      description:
        'A sample every ten seconds since the process started, oldest first, at most 360. They are not kept: after a ' +
        'restart they begin anew; `/metrics` is for longer times. With `follow=true` they are streamed: all of them, ' +
        'and then each as it is taken.',
      rest: { method: 'GET', path: '/api/health/figures' },
      input: () => z.object({ follow: z.enum(['true', 'false']).default('false') }),
      output: samples,
      message: samples,
      errors: [],
      example: { input: {} },
      async run({ follow }, { signal }): Promise<{ samples: readonly Sample[] } | Listening> {
        return follow === 'true' ? told(figures.follow(signal)) : { samples: figures.all() };
      },
    }),
  ];
}

async function* told(following: AsyncIterable<readonly Sample[]>) {
  for await (const samples of following) yield [{ data: { samples } }];
}
