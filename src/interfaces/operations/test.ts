import { z } from 'zod';
import type { SettableClock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

/** The last moment that a date can tell. */
const LATEST = 8_640_000_000_000_000;

/** Only there when the clock is set by SERVICE_TEST_NOW, which NODE_ENV=test alone allows. */
export function testOperations(clock: SettableClock): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'test.clock',
      area: 'test',
      device: 'never',
      summary: 'Moves the clock',
      rest: { method: 'POST', path: '/api/test/clock', strict: true },
      input: () => z.object({ advanceMs: z.int().nonnegative() }),
      output: () => z.object({ now: z.number() }),
      errors: ['VALIDATION_FAILED'],
      example: { input: { advanceMs: 1_000 } },
      run({ advanceMs }) {
        if (clock.read() + advanceMs > LATEST)
          throw new HarkError('VALIDATION_FAILED', {
            body: { issues: [{ path: ['advanceMs'], message: 'Later than any date' }] },
          });
        return { now: clock.advance(advanceMs) };
      },
    }),
  ];
}
