import type { Clock } from '../../clock.ts';
import type { ProviderId, SlotName } from '../../vocabulary.ts';

const COOLDOWN_MS = 30_000;
const LOAD_PER_CPU = 0.8;
/** What is kept for longer than a year is meant to be kept for good: an Ollama says 292 years. */
const FOR_GOOD_MS = 365 * 24 * 60 * 60_000;

export const policies = ['auto', 'always', 'idle-only'] as const;
type Policy = (typeof policies)[number];

export type BusyReason = 'policy' | 'voice_active' | 'cooldown' | 'load' | 'model_busy';

/** What is looked at, as it is at the moment. */
export interface MachineReadings {
  readonly policy: () => Policy;
  /** Who would answer for these slots; a slot that nobody would answer for is left out. */
  readonly providersOf: (slots: readonly SlotName[]) => Promise<readonly ProviderId[]>;
  readonly isRunnerRemote: () => boolean;
  readonly isChatting: () => boolean;
  readonly activeVoiceSessions: () => number;
  readonly lastVoiceEndedAt: () => number | undefined;
  /** Of the last minute, and of how many processors; 0 where the system does not say. */
  readonly load: () => { readonly average: number; readonly cpus: number };
  /** Until when the local runner keeps what it has loaded; nothing when it is not there. */
  readonly keptUntil: () => Promise<readonly number[]>;
  readonly clock: Clock;
}

/** Why work in the background may ask a model now, or why not: by which rule, and what was seen. */
export type Diagnosis =
  | { readonly safe: true; readonly rule: number | null; readonly diagnosis: string }
  | {
      readonly safe: false;
      readonly rule: number;
      readonly reason: BusyReason;
      readonly diagnosis: string;
    };

type Busy = Pick<Extract<Diagnosis, { safe: false }>, 'rule' | 'reason'> & { readonly seen: string };

interface GuardOptions {
  readonly readings: MachineReadings;
  /** With each answer that anything acts on. */
  readonly onAnswer: (answer: Diagnosis) => void;
}

/** Keeps models that work in the background from getting in the way of a person. */
export class ResourceGuard {
  readonly #readings: MachineReadings;
  readonly #onAnswer: (answer: Diagnosis) => void;

  constructor({ readings, onAnswer }: GuardOptions) {
    this.#readings = readings;
    this.#onAnswer = onAnswer;
  }

  /** To be asked before each call in the background to a model of these slots. */
  async mayWork(slots: readonly SlotName[]): Promise<Diagnosis> {
    const answer = await this.diagnose(slots);
    this.#onAnswer(answer);
    return answer;
  }

  /**
   * To be asked before a model in this process computes. The load is left out, since what it computes is a part of
   * it, and so is the local runner, which it does not need.
   */
  async mayCompute(): Promise<Diagnosis> {
    const policy = this.#readings.policy();
    const busy =
      policy === 'always'
        ? undefined
        : (this.#forbiddenByPolicy(policy) ?? this.#inVoiceSession() ?? this.#justAfterOne());
    const answer = busy ? unsafe(busy) : safe(null, 'the machine is free');
    this.#onAnswer(answer);
    return answer;
  }

  /** The seven rules in their order; the first that says anything decides. */
  async diagnose(slots: readonly SlotName[]): Promise<Diagnosis> {
    const { policy, providersOf } = this.#readings;
    const chosen = policy();
    if (chosen === 'always') return safe(1, 'the policy is always');
    const providers = await providersOf(slots);
    if (providers.length === 0) return safe(null, 'no model would be asked');
    if (chosen === 'auto') {
      const far = this.#whereOthersWork(providers);
      if (far) return far;
    }
    const busy =
      this.#forbiddenByPolicy(chosen) ??
      this.#inVoiceSession() ??
      this.#justAfterOne() ??
      this.#underLoad() ??
      (await this.#modelInUse());
    return busy ? unsafe(busy) : safe(null, 'the machine is idle');
  }

  /** Rules 2 and 3: what works elsewhere takes nothing from this machine. */
  #whereOthersWork(providers: readonly ProviderId[]): Diagnosis | undefined {
    if (!providers.includes('local-runner')) return safe(2, `${providers.join(', ')} works elsewhere`);
    return this.#readings.isRunnerRemote() ? safe(3, 'the local runner is on another machine') : undefined;
  }

  /** `idle-only` leaves rules 2 and 3 out, and reckons a turn of chat as somebody who must not be disturbed. */
  #forbiddenByPolicy(policy: Policy): Busy | undefined {
    if (policy !== 'idle-only' || !this.#readings.isChatting()) return undefined;
    return { rule: 1, reason: 'policy', seen: 'the policy is idle-only, and a chat turn is running' };
  }

  #inVoiceSession(): Busy | undefined {
    const active = this.#readings.activeVoiceSessions();
    return active === 0 ? undefined : { rule: 4, reason: 'voice_active', seen: `${active} voice sessions` };
  }

  #justAfterOne(): Busy | undefined {
    const endedAt = this.#readings.lastVoiceEndedAt();
    const passed = endedAt === undefined ? COOLDOWN_MS : this.#readings.clock() - endedAt;
    if (passed >= COOLDOWN_MS) return undefined;
    return { rule: 5, reason: 'cooldown', seen: `a voice session ended ${passed} ms ago` };
  }

  #underLoad(): Busy | undefined {
    const { average, cpus } = this.#readings.load();
    const most = LOAD_PER_CPU * cpus;
    if (average <= most) return undefined;
    return { rule: 6, reason: 'load', seen: `load ${average.toFixed(2)} is above ${most.toFixed(2)}` };
  }

  async #modelInUse(): Promise<Busy | undefined> {
    const now = this.#readings.clock();
    const isKept = (await this.#readings.keptUntil()).some((until) => until - now > FOR_GOOD_MS);
    if (!isKept) return undefined;
    return { rule: 7, reason: 'model_busy', seen: 'the local runner keeps a model loaded permanently' };
  }
}

function safe(rule: number | null, why: string): Diagnosis {
  return { safe: true, rule, diagnosis: rule === null ? why : `rule ${rule}: ${why}` };
}

function unsafe({ rule, reason, seen }: Busy): Diagnosis {
  return { safe: false, rule, reason, diagnosis: `${reason} (rule ${rule}): ${seen}` };
}
