import { sumIn } from './arithmetic.ts';
import { answerOfMemory, asksOfMemory } from './demoAnswer.ts';
import { denies, pairsAsked, verdictsOn } from './demoJudge.ts';
import { field, isRecord, listOf, parsed, textOf } from './loose.ts';
import { type InstalledModel, ollamaWith } from './ollama/models.ts';
import type { Endpoint, ModelRequest } from './request.ts';
import { calls, type Reply, type Spoken, says, thinks } from './script.ts';
import type { ScriptedModels } from './scriptedModels.ts';
import { smallestInstance } from './smallestInstance.ts';

/** In every answer, whatever carries it to the user. */
export const NOTICE = 'I am a scripted demo model, not a real one.';

const WORD_EVERY_MS = 12;

const installed: readonly InstalledModel[] = [
  {
    name: 'scripted-demo:latest',
    family: 'scripted',
    bytes: 1,
    context: 32_768,
    capabilities: ['completion', 'tools', 'thinking', 'vision'],
  },
  {
    name: 'scripted-demo-embed:latest',
    family: 'scripted-embed',
    bytes: 1,
    context: 8192,
    capabilities: ['embedding'],
  },
];

const endpoints: readonly Endpoint[] = ['models', 'running', 'show'];

/** Has a server answer as the demo's models do, over Ollama's protocol. */
export function serveDemoModel(models: ScriptedModels): void {
  models.script(demoReply, { provider: 'local-runner' });
  for (const endpoint of endpoints) {
    models.script((request) => ollamaWith(installed, request), { provider: 'local-runner', endpoint });
  }
}

/** From a small set of rules; the first that fits. */
function demoReply(request: ModelRequest): Reply {
  const { schema } = request;
  if (asksOfMemory(schema)) return says(JSON.stringify(answerOfMemory(request.lastText, NOTICE)));
  const pairs = schema === undefined ? [] : pairsAsked(request);
  if (pairs.length > 0) return says(JSON.stringify(verdictsOn(pairs, denies)));
  if (schema !== undefined) return says(JSON.stringify(instanceFor(schema)));
  const last = request.turns.at(-1);
  if (last?.role === 'tool') return speak(request, answerOfTool(last.callId ?? '', last.text));
  const asked = request.lastText.trim();
  const done = doneByHark(request);
  if (done.length > 0) return speak(request, [...done, calculated(asked) ?? []].flat().join(' '));
  const tool = toolNamedIn(asked, request) ?? toolFor(asked, request);
  if (tool) return { ...speak(request, `I call ${tool.name}.`, calls(tool.name, tool.input)) };
  return speak(request, answer(asked, request));
}

function answer(asked: string, request: ModelRequest): string {
  const pictures = request.turns.findLast(({ role }) => role === 'user')?.images.length ?? 0;
  if (pictures > 0)
    return `You showed me ${pictures === 1 ? 'a picture' : `${pictures} pictures`}, but I cannot see.`;
  const sum = calculated(asked);
  if (sum) return sum;
  if (/\bwhat('s| is) my name\b|\bwho am i\b/i.test(asked)) return nameOf(request);
  const told = /\bmy name is (\p{L}+)/iu.exec(asked)?.[1];
  if (told) return `Nice to meet you, ${told}.`;
  if (/\b(who|what) are you\b|\byour name\b|\bare you (real|an? )/i.test(asked)) {
    return 'I answer from a small set of rules, so that hark can be seen at work without a key.';
  }
  if (/\bhelp\b|\bwhat can you do\b/i.test(asked)) return HELP;
  if (/^(hi|hello|hey|good (morning|afternoon|evening)|hallo|moin|bonjour|hola)\b/i.test(asked))
    return 'Hello!';
  if (/\b(thanks|thank you)\b/i.test(asked)) return 'You are welcome.';
  return `You said: “${asked}”. No rule of mine fits that. ${HELP}`;
}

function calculated(asked: string): string | undefined {
  const sum = sumIn(asked);
  return sum && `${sum.expression} = ${Number(sum.value.toPrecision(12))}.`;
}

const HELP =
  'I greet, add and multiply, remember your name when you tell it, tell the time, remind you ("remind me in 20 seconds ' +
  'to stretch"), and call a tool when you say its name, with its input as JSON behind it.';

/** From what the user said, or from what memory puts in front of it. */
function nameOf({ turns }: ModelRequest): string {
  const names = turns
    .filter(({ role }) => role === 'user' || role === 'system')
    .flatMap(({ text }) => [...text.matchAll(/\b(?:name is|name:|user is called) (\p{Lu}\p{L}+)/gu)])
    .map(([, name]) => name);
  const name = names.at(-1);
  return name === undefined ? 'You have not told me your name.' : `Your name is ${name}.`;
}

/** What hark did of itself when the user spoke, as the system prompt tells it. */
function doneByHark({ turns }: ModelRequest): readonly string[] {
  const system = turns.findLast(({ role }) => role === 'system')?.text ?? '';
  const [, section = ''] = /^Done by hark itself, just now:\n((?:- .*(?:\n|$))+)/m.exec(system) ?? [];
  return section
    .split('\n')
    .flatMap((line) => (line.startsWith('- ') ? line.slice(2) : []))
    .map((line) => line.replace(" at the user's word just now", '').replace(/(?<=\w)$/, '.'));
}

/** What a small model would call of itself: a reminder, and the time. */
function toolFor(asked: string, { tools }: ModelRequest) {
  const named = (name: string) => tools.find((tool) => plain(tool) === name);
  const reminder = named('schedule create');
  const { when, what } =
    /^remind me (?<when>(?:in|at|on|tomorrow|tonight|next)\b.*?) (?:to|of|that) (?<what>.+)$/i.exec(asked)
      ?.groups ?? {};
  if (reminder && when && what)
    return { name: reminder, input: { name: what.slice(0, 60), at: when, text: what } };
  const clock = named('clock now');
  return clock && /\bwhat(?:'s| is)? (?:the )?(?:time|day|date)\b/i.test(asked)
    ? { name: clock, input: {} }
    : undefined;
}

function answerOfTool(name: string, text: string): string {
  const told = textOf(field(parsed(text), 'text'));
  if (told && plain(name) === 'clock now') return `It is ${told}.`;
  const when = textOf(field(parsed(text), 'when'));
  if (when && plain(name) === 'schedule create') return `I will remind you: ${when}.`;
  return `The tool ${name} answered: ${text}`;
}

/** The provider's name of a tool may have other signs than the user's between its words. */
function toolNamedIn(asked: string, { tools, body }: ModelRequest) {
  const said = ` ${plain(asked)} `;
  const name = [...tools]
    .sort((one, other) => other.length - one.length)
    .find((tool) => said.includes(` ${plain(tool)} `));
  if (name === undefined) return undefined;
  const given = parsed(asked.slice(asked.indexOf('{'), asked.lastIndexOf('}') + 1));
  const definition = listOf(field(body, 'tools'))
    .map((tool) => field(tool, 'function'))
    .find((tool) => textOf(field(tool, 'name')) === name);
  const input = isRecord(given) ? given : smallestInstance(field(definition, 'parameters'), asked);
  return { name, input };
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function instanceFor(schema: unknown): unknown {
  return smallestInstance(schema, NOTICE);
}

/** Word by word, so that one sees it stream. */
function speak({ body }: ModelRequest, text: string, ...after: Spoken['items']): Spoken {
  const words = `${text} ${NOTICE}`.match(/\S+\s*/g) ?? [];
  const thought = field(body, 'think') === true ? [thinks('Which of my rules fits? ')] : [];
  return { ...says(...thought, ...words, ...after), paceMs: WORD_EVERY_MS };
}
