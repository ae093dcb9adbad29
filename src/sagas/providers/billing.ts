import type { Models } from '../../application/models.ts';
import type { ConfiguredProviders } from '../../application/providers/ports.ts';
import type { SlotBook } from '../../application/providers/slotBook.ts';
import { isHarkError } from '../../errors.ts';
import type { ModelRef } from '../../events/providers.ts';
import type { BillingState, Exhaustion } from '../../projections/providers/billing.ts';
import { type ProviderId, providerIds, type SlotName, slotNames } from '../../vocabulary.ts';
import { looks } from '../dueTimes.ts';
import type { TimedSaga } from '../saga.ts';

/** Used-up credit is tried again after this long: it may have been topped up without anybody telling us. */
const PROBE_AFTER_MS = 10 * 60_000;
/** A probe that told nothing of the credit, as where the provider cannot be reached, is made again. */
const AGAIN_MS = 60_000;
const LONGEST_PROBE_MS = 30_000;
/** Enough for any model to begin, and too little to cost anything. */
const TOKENS_OF_A_PROBE = 16;

interface ProbeBillingOptions {
  readonly billing: () => BillingState;
  readonly clients: ConfiguredProviders;
  readonly slots: Pick<SlotBook, 'candidates'>;
  readonly models: Pick<Models, 'complete' | 'embed'>;
}

interface Probe extends Pick<Exhaustion, 'credential' | 'model'> {
  readonly provider: ProviderId;
}

/**
 * What happens when credit is used up: its models are passed by, whoever asks. Ten minutes later, and again each ten
 * minutes, one of them is asked for a word. An answer restores what it shows to be paid for, and with that the slots; no
 * turn ever waits for it to be found out.
 */
export function probeBilling({ billing, clients, slots, models }: ProbeBillingOptions): TimedSaga<Probe> {
  return {
    name: 'probe-billing',
    on: looks((now) => probesDue(billing(), now)),
    retry: { tries: 1 },
    key: ({ provider }) => provider,
    async react(probe, { signal: stopping }) {
      const client = await clients.clientFor(probe.provider);
      // Of another key than the one in use, nothing can be found out.
      if (client?.credential !== probe.credential) return;
      const whom = await whomToAsk(slots, probe);
      if (!whom) return;
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_PROBE_MS)]);
      const { slot, ref } = whom;
      const correlationId = `billing-${probe.provider}`;
      await ask(models, { slot, wanted: ref, instead: ref, correlationId, signal }).catch((error) => {
        // Whatever it was, it is recorded: what has no credit still, and what ails the provider otherwise.
        if (!stopping.aborted && !isHarkError(error)) throw error;
      });
    },
  };
}

/** Of what is used up, what was last looked at long enough ago; and when to look again. */
export function probesDue({ byProvider }: BillingState, now: number) {
  const known = providerIds.flatMap((provider) =>
    (byProvider[provider]?.exhaustions ?? []).map((exhaustion) => ({ ...exhaustion, provider })),
  );
  const due = known
    .filter(({ probedAt }) => probedAt + PROBE_AFTER_MS <= now)
    .map(({ provider, credential, model }): Probe => ({ provider, credential, model }));
  const earliest = known.reduce((first, { probedAt }) => Math.min(first, probedAt), now);
  return { due, again: Math.max(earliest + PROBE_AFTER_MS, now + AGAIN_MS) };
}

/** Of the models that slots would ask, one whose answer shows that this credit is there; none where nobody would ask it. */
async function whomToAsk(
  slots: Pick<SlotBook, 'candidates'>,
  { provider, model }: Probe,
): Promise<{ readonly slot: SlotName; readonly ref: ModelRef } | undefined> {
  for (const slot of slotNames) {
    const { chain, backups } = slots.candidates(slot);
    const ref = [...chain, ...(await backups())].find(
      (one) => one.provider === provider && (model === null || one.model === model),
    );
    if (ref) return { slot, ref };
  }
  return undefined;
}

async function ask(models: ProbeBillingOptions['models'], asking: Parameters<Models['embed']>[0]) {
  if (asking.slot === 'embedding') return void (await models.embed(asking, { texts: ['Hello'] }));
  const request = {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Say "Hello".' }] }],
    maxOutputTokens: TOKENS_OF_A_PROBE,
    reasoning: false,
  } as const;
  // To its end, by which it counts as an answer.
  for await (const _part of models.complete(asking, request));
}
