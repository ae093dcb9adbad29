import { z } from 'zod';
import type { IntentRouter } from '../../application/chat/intentRouter.ts';
import type { SlotBook } from '../../application/providers/slotBook.ts';
import { intents, providerIds, slotNames } from '../../vocabulary.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';
import { settled } from '../slotView.ts';
import { chatText } from './chatShapes.ts';

interface SlotRouting {
  readonly book: SlotBook;
  readonly intents: IntentRouter;
}

export function slotRoutingOperations({ book, intents: router }: SlotRouting): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'slots.route',
      area: 'slots',
      device: 'never',
      summary: 'Shows which slot and model a text would go to, without asking that model',
      description:
        'What the user wants decides the slot. It is told by the model of the `classification` slot where that is ' +
        'one of the local runner, within 50 ms, and otherwise, or while that is too slow, by a classifier that is ' +
        'built in. `none` is said of ' +
        'what nobody can tell, and with confidence 0 when nobody could be asked; it goes to `chat`, and so does ' +
        'whatever belongs to a slot that is not set or has no model that answers now.',
      rest: { method: 'POST', path: '/api/slots/route' },
      input: () => z.object({ text: chatText() }),
      output: () =>
        z.object({
          intent: z.enum(intents),
          confidence: z.number().min(0).max(1),
          slot: z.enum(slotNames),
          provider: z
            .enum(providerIds)
            .nullable()
            .describe('The model that would answer now; null when there is none'),
          model: z.string().nullable(),
          ms: z.number().describe('Time that the decision took, in ms'),
        }),
      errors: ['VALIDATION_FAILED'],
      example: { input: { text: 'Turn off the lights in the kitchen' } },
      async run({ text }, { signal }) {
        await settled(book);
        const { model, ms, confidence, ...route } = await router.route(text, signal);
        return {
          ...route,
          confidence: Number(confidence.toFixed(4)),
          provider: model?.provider ?? null,
          model: model?.model ?? null,
          ms: Number(ms.toFixed(3)),
        };
      },
    }),
  ];
}
