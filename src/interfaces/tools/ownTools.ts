import { z } from 'zod';
import type { Tool } from '../../application/chat/tool.ts';
import { DISCOVER_TOOLS, type ToolFinder } from '../../application/chat/toolFinder.ts';
import { mayDevice } from '../../application/deviceScope.ts';
import type { HabitsOf } from '../../application/timeHabits.ts';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { isoTime, plainTime, weekdayName } from '../../zonedTime.ts';
import { defineTool, type ToolOperation } from '../operation.ts';
import type { VoiceSessions } from '../voiceSessions.ts';

interface DiscoverToolsOptions {
  readonly finder: ToolFinder;
  /** How many it names at most. */
  readonly most: () => number;
}

/** Finds tools beyond those that a turn is shown. How near they have to be is left to the model that asks. */
export function discoverTools({ finder, most }: DiscoverToolsOptions): ToolOperation {
  return defineTool({
    device: 'always',
    tool: {
      name: DISCOVER_TOOLS,
      description:
        'Finds further tools by what they do. Call it when no tool at hand serves; what it finds can be called next.',
      category: 'system',
      annotations: { title: 'Discover tools', readOnlyHint: true, openWorldHint: false },
      reveals: (found) => found.map(({ name }) => name),
    },
    input: () =>
      z.object({
        query: z.string().describe('What the tool should do, in a few words'),
        category: z.string().optional().describe('Only tools of this category: smart_home, voice, system …'),
      }),
    output: () => z.array(z.object({ name: z.string(), description: z.string(), category: z.string() })),
    async run({ query, category }, { device, tool }) {
      const inChat = tool?.turn !== undefined;
      const isWanted = (one: Tool) => !device || mayDevice(device, one.device, { inChat });
      const among = category === undefined ? {} : { category };
      const fitting = await finder.find({ text: query, most: most(), threshold: 0, ...among, isWanted });
      const found =
        fitting.length > 0 ? fitting : ofCategory(finder, category).filter(isWanted).slice(0, most());
      return found.map(({ name, description, category: of }) => ({ name, description, category: of }));
    },
  });
}

function ofCategory(finder: ToolFinder, category: string | undefined) {
  return finder.all().filter((tool) => tool.category === category);
}

const session = lazily(() =>
  z.object({
    id: z.string(),
    connectionId: z.string(),
    isActive: z.boolean(),
    isSpeaking: z.boolean(),
    lastActivity: z.int(),
  }),
);
const list = lazily(() =>
  z.object({
    sessions: z.array(session().pick({ id: true, isActive: true })),
    activeSessions: z.int(),
  }),
);

export function sessionStatus(sessions: VoiceSessions): ToolOperation {
  return defineTool({
    device: 'always',
    tool: {
      name: 'session.status',
      description: "Lists the user's open voice sessions, or tells what one of them does.",
      hints: { phrases: 'voice session, open session, sessions' },
      category: 'voice',
      annotations: { title: 'Voice sessions', readOnlyHint: true, openWorldHint: false },
    },
    input: () => z.object({ sessionId: z.string().optional().describe('Only this session, in detail') }),
    output: () => z.union([list(), session()]),
    run({ sessionId }, { userId }) {
      const own = sessions.of(userId);
      if (sessionId === undefined) {
        const shown = own.map(({ id, isActive }) => ({ id, isActive }));
        return { sessions: shown, activeSessions: shown.filter(({ isActive }) => isActive).length };
      }
      const found = own.find(({ id }) => id === sessionId);
      if (!found) throw new HarkError('SESSION_UNKNOWN', { message: 'Session not found' });
      return found;
    },
  });
}

export function clockNow(clock: Clock, habitsOf: HabitsOf): ToolOperation {
  return defineTool({
    device: 'always',
    tool: {
      name: 'clock.now',
      description: "Tells the date, the time, the weekday and the time zone of the user's place.",
      category: 'time',
      hints: {
        everyday: true,
        phrases:
          'what time, time is it, the time, time please, today date, the date, what date, what day, which day, ' +
          'day of the week, how late, what year, which year, what month, clock, is it Monday, is it Tuesday, ' +
          'is it Wednesday, is it Thursday, is it Friday, is it Saturday, is it Sunday, wie spät, wieviel Uhr, ' +
          'Uhrzeit, welcher Tag, welches Datum, quelle heure, quel jour, quelle date, qué hora, qué día, qué fecha',
      },
      annotations: { title: 'Clock', readOnlyHint: true, openWorldHint: false },
    },
    input: () => z.object({}),
    output: () =>
      z.object({
        text: z.string(),
        iso: z.string(),
        date: z.string(),
        time: z.string(),
        weekday: z.string(),
        timezone: z.string(),
        unixMs: z.int(),
      }),
    async run(_input, { userId }) {
      const now = clock();
      const { timezone } = await habitsOf(userId);
      const iso = isoTime(now, timezone);
      const [date = '', time = ''] = iso.split('T');
      return {
        text: plainTime(now, timezone),
        iso,
        date,
        time: time.slice(0, 5),
        weekday: weekdayName(Date.parse(date)),
        timezone,
        unixMs: now,
      };
    },
  });
}
