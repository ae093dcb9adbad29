/*
 * Whom the demo is about: one invented person, so that there is something to look at. Everything goes in over the
 * REST API, as anybody else would bring it.
 */

import { readConfig } from '../config.ts';

const DAY_MS = 24 * 60 * 60_000;

type Talk = readonly (readonly [user: string, assistant: string])[];

/** Days ago, and what was said. */
const talks: Readonly<Record<string, { readonly daysAgo: number; readonly said: Talk }>> = {
  'hello-robin': {
    daysAgo: 21,
    said: [
      [
        'Hi! My name is Robin. I live in Utrecht and I work as a nurse at the Diakonessenhuis.',
        'Nice to meet you, Robin. How can I help?',
      ],
      [
        'My sister is called Mia, she lives in Bergen. I want to visit her in June.',
        'Bergen in June is a good choice: long days, and little rain for a place like that.',
      ],
    ],
  },
  'bergen-trip': {
    daysAgo: 12,
    said: [
      [
        'I booked the train to Bergen for 14 June, over Copenhagen and Oslo.',
        'That is a long ride, and the last part over the mountains is worth it.',
      ],
      [
        "I'm allergic to peanuts, so please mind that when you look for restaurants there.",
        'Noted: nothing with peanuts.',
      ],
    ],
  },
  'new-shift': {
    daysAgo: 3,
    said: [
      [
        "Actually, I don't work nights any more. My shifts start at seven in the morning now.",
        'Then I will suggest evenings for everything else.',
      ],
      ['I prefer tea to coffee in the morning, by the way.', 'Tea it is.'],
    ],
  },
};

/** Asked in the chat when all else is there: one answer rests on memory, one on a tool. */
const questions = ['What is my name?', 'What day is it?'];

const profile = { name: 'Robin', communicationStyle: 'Short, and without exclamation marks' };

/** What was heard of long ago, once: less certain with each sweep, and one of them too uncertain to be kept. */
const longAgo = [
  { id: 'demo-ukulele', text: 'The user is learning to play the ukulele.', confidence: 0.62, daysAgo: 140 },
  {
    id: 'demo-allotment',
    text: 'The user thinks about renting an allotment.',
    confidence: 0.31,
    daysAgo: 200,
  },
];

/** Twice the same, and two of which one denies the other: a sweep has something to say of each. */
const statements = [
  'On most weekends I take a long walk along the river Vecht with my neighbour Anna.',
  'On most weekends I take a long walk along the river Vecht with Anna, my neighbour.',
  'I drink coffee every morning.',
  'I do not drink coffee in the morning.',
];

const tasks = [
  { name: 'Call Mia', at: 'tomorrow at 18:00', text: 'Call Mia about Bergen' },
  { name: 'Water the plants', every: 'Fridays at 17:30', text: 'Water the plants' },
  {
    name: 'What is up this week?',
    every: 'Mondays at 7:00',
    eventTopic: 'agent.prompt.requested',
    payload: { text: 'What is up this week?' },
  },
];

/** A scripted model writes no summary: what can be read without one is. */
const withoutModel = { summarization: null, extraction: null, classification: null };

/** Fills a demo that has just started. */
export async function seed(url: string, now: number): Promise<void> {
  // Answers when the service has set its slots by itself: before, there is nothing to take away.
  await send(url, 'GET', '/api/slots');
  await send(url, 'PUT', '/api/slots', { slots: withoutModel });
  await send(url, 'PUT', '/api/memory/profile', profile);
  const sessions = Object.entries(talks).map(([id, { daysAgo, said }]) => ({
    id,
    startedAt: now - daysAgo * DAY_MS,
    messages: said.flatMap(([user, assistant]) => [
      { role: 'user', content: user },
      { role: 'assistant', content: assistant },
    ]),
  }));
  await send(url, 'POST', '/api/memory/import', { source: 'conversation', content: { sessions } });
  const content = [
    { kind: 'memory', format: 1, exportedAt: now },
    ...longAgo.map((one) => conclusionOf(one, now)),
  ];
  await send(url, 'POST', '/api/memory/import', {
    source: 'export',
    content: content.map((line) => JSON.stringify(line)).join('\n'),
  });
  for (const text of statements) await send(url, 'POST', '/api/memory/conclusions', { text });
  for (const task of tasks) await send(url, 'POST', '/api/scheduler/tasks', task);
  await send(url, 'POST', '/api/memory/maintain', {});
  for (const text of questions) await send(url, 'POST', '/api/chat', { text, sessionId: 'first-questions' });
}

function conclusionOf({ id, text, confidence, daysAgo }: (typeof longAgo)[number], now: number) {
  const at = now - daysAgo * DAY_MS;
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: at };
  const kept = { sources: [], turnIds: [], about: null, supersededBy: null, contradicts: [], stale: false };
  return {
    kind: 'conclusion',
    id,
    text,
    type: 'inferred',
    confidence,
    by: 'import',
    status: 'active',
    ...times,
    ...kept,
  };
}

async function send(url: string, method: string, path: string, body?: unknown): Promise<void> {
  const { SERVICE_API_KEY, SERVICE_API_KEY_FILE } = process.env;
  const { SERVICE_API_KEY: key } = readConfig({ SERVICE_API_KEY, SERVICE_API_KEY_FILE });
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`The demo could not be filled: ${method} ${path} gave ${answer.status}`);
  await answer.body?.cancel();
}
