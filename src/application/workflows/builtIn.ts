import type { WorkflowDefinition } from '../../events/workflowDefinition.ts';

const healthReport: WorkflowDefinition = {
  name: 'Health report',
  description: 'Asks every health check of the service, and names those that are not well.',
  result: {
    status: '{{ steps.health.status }}',
    unwell: '{{ steps.health.services.filter(name, steps.health.services[name].status != "healthy") }}',
  },
  steps: [{ id: 'health', name: 'Ask the health checks', type: 'ACTION', tool: 'system.health' }],
};

const ask = (id: string, question: string) =>
  ({ id, type: 'ACTION', tool: 'memory.ask_about_user', input: { question }, onError: 'continue' }) as const;

const aboutMe: WorkflowDefinition = {
  name: 'About me',
  description: 'Asks memory who the user is, what they like and what they plan.',
  result: {
    who: '{{ steps.who.?answer.orValue("") }}',
    likes: '{{ steps.likes.?answer.orValue("") }}',
    plans: '{{ steps.plans.?answer.orValue("") }}',
  },
  steps: [
    {
      id: 'questions',
      name: 'Ask memory',
      type: 'PARALLEL',
      branches: [
        [ask('who', 'Who is the user, what do they do, and where do they live?')],
        [ask('likes', 'What does the user like, and what do they not like?')],
        [ask('plans', 'What does the user plan to do?')],
      ],
    },
  ],
};

const promptLater: WorkflowDefinition = {
  name: 'Prompt later',
  description: 'Waits until a moment, and then asks the agent.',
  input: {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 10_000 },
      at: {
        type: ['integer', 'string'],
        description: 'Unix milliseconds, or a text as 2026-01-31T08:00:00Z',
      },
    },
    required: ['text', 'at'],
    additionalProperties: false,
  },
  result: { answer: '{{ steps.answer }}' },
  steps: [
    { id: 'moment', name: 'Wait for the moment', type: 'WAIT', until: '{{ input.at }}' },
    { id: 'answer', name: 'Ask the agent', type: 'PROMPT', prompt: '{{ input.text }}' },
  ],
};

/** The workflows that are there from the start. A file of the same name takes the place of one. */
export const builtInWorkflows: Readonly<Record<string, WorkflowDefinition>> = {
  'about-me': aboutMe,
  'health-report': healthReport,
  'prompt-later': promptLater,
};
