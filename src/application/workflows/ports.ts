import type { Question } from '../question.ts';

/** Runs a tool of the registry, as for a model. Never throws: what goes wrong is the result. */
export interface ToolRunner {
  run(
    call: { readonly id: string; readonly name: string; readonly input: Record<string, unknown> },
    around: {
      readonly context: {
        readonly userId: string;
        readonly sessionId: null;
        readonly correlationId: string;
        readonly commandId: string;
        readonly origin: 'workflow';
      };
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly result: string; readonly failed: boolean }>;
}

/** Asks the agent, with memory and tools; what was answered to the same id by then is not asked for twice. */
export interface Agent {
  ask(question: Question): Promise<string>;
}
