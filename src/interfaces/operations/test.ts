import { z } from 'zod';
import type { SettableClock } from '../../clock.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

/** Only there when the clock is set by SERVICE_TEST_NOW, which NODE_ENV=test alone allows. */
export function testOperations(clock: SettableClock): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'test.clock',
      area: 'test',
      summary: 'Moves the clock',
      rest: { method: 'POST', path: '/api/test/clock', strict: true },
      input: z.object({ advanceMs: z.int().nonnegative() }),
      output: z.object({ now: z.number() }),
      errors: [],
      example: { input: { advanceMs: 1_000 } },
      run: ({ advanceMs }) => ({ now: clock.advance(advanceMs) }),
    }),
  ];
}
