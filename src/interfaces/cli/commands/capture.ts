import type { Command } from 'commander';
import { z } from 'zod';
import { consentLevels } from '../../../vocabulary.ts';
import { wrongUsage } from '../failure.ts';
import { globalOptions } from '../options.ts';
import { counted, print, printDocument, printRows, showBytes, showTime } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

const listed = z.looseObject({
  streams: z.array(
    z.looseObject({
      streamId: z.string(),
      deviceId: z.string(),
      captureMode: z.string(),
      state: z.string(),
      consentLevel: z.string(),
      segments: z.number(),
      bytes: z.number(),
      startedAt: z.number(),
    }),
  ),
  pausedUntil: z.number().nullable(),
});
const paused = z.looseObject({ pausedUntil: z.number().nullable() });
const forgotten = z.looseObject({ segments: z.number(), episodes: z.number(), conclusions: z.number() });
const consent = z.looseObject({
  deviceId: z.string(),
  captureConsent: z.looseObject({ enabled: z.boolean(), consentLevel: z.string() }),
});

export function addCapture(program: Command): void {
  const capture = program
    .command('capture')
    .description('what devices record around you, and whether they may');
  add(capture.command('status').description('streams, and until when capture is paused'), status);
  add(
    capture.command('pause').description('pause all capture').argument('[minutes]', 'for how long', '60'),
    pause,
  );
  add(capture.command('resume').description('end the pause'), resume);
  const minutes = ['<minutes>', 'so much of what was recorded last'] as const;
  add(
    capture
      .command('forget')
      .description('forget the last minutes, with all drawn from them')
      .argument(...minutes),
    forget,
  );
  const consenting = capture.command('consent').description('what a device may record');
  add(consenting.argument('<device>', 'its id').argument('[level]', consentLevels.join(', ')), changeConsent);
}

type Action = (invoked: Command, given: readonly string[]) => Promise<void>;

function add(command: Command, run: Action): void {
  addUserOption(command, whoAsks).action((...given: unknown[]) =>
    run(
      command,
      given.filter((one) => typeof one === 'string'),
    ),
  );
}

async function status(command: Command): Promise<void> {
  const answer = await clientOf(command).get('api/capture/streams', listed);
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.pausedUntil !== null) print(`paused until ${showTime(answer.pausedUntil)}`);
  if (answer.streams.length === 0) print('nothing is recorded');
  printRows(
    answer.streams.map(
      ({ streamId, deviceId, captureMode, state, consentLevel, segments, bytes, startedAt }) => [
        ...[state, deviceId, captureMode, consentLevel, showTime(startedAt)],
        ...[counted(segments, 'segment'), showBytes(bytes), streamId],
      ],
    ),
  );
}

async function pause(command: Command, [minutes]: readonly string[]): Promise<void> {
  const body = { minutes: numberOf(minutes) };
  const answer = await clientOf(command).ask('api/capture/pause', paused, { method: 'POST', body });
  if (globalOptions(command).json) printDocument(answer);
  else print(`paused until ${showTime(answer.pausedUntil ?? 0)}`);
}

async function resume(command: Command): Promise<void> {
  const answer = await clientOf(command).ask('api/capture/resume', paused, { method: 'POST', body: {} });
  if (globalOptions(command).json) printDocument(answer);
  else print('capture goes on where a device may');
}

async function forget(command: Command, [minutes]: readonly string[]): Promise<void> {
  const body = { minutes: numberOf(minutes) };
  const answer = await clientOf(command).ask('api/capture/forget', forgotten, { method: 'POST', body });
  if (globalOptions(command).json) return printDocument(answer);
  const { segments, episodes, conclusions } = answer;
  const gone = [
    counted(segments, 'segment'),
    counted(episodes, 'episode'),
    counted(conclusions, 'conclusion'),
  ];
  print(`forgotten: ${gone.join(', ')}`);
}

async function changeConsent(command: Command, [deviceId = '', level]: readonly string[]): Promise<void> {
  const client = clientOf(command);
  const path = 'api/capture/consent';
  const wanted = consentLevels.find((one) => one === level);
  if (level !== undefined && wanted === undefined)
    throw wrongUsage(`"${level}" is no level: ${consentLevels.join(', ')}`);
  const body = { deviceId, enabled: wanted !== 'none', consentLevel: wanted };
  const answer =
    wanted === undefined
      ? await client.get(`${path}?deviceId=${encodeURIComponent(deviceId)}`, consent)
      : await client.ask(path, consent, { method: 'PUT', body });
  if (globalOptions(command).json) return printDocument(answer);
  const { enabled, consentLevel } = answer.captureConsent;
  print(`${answer.deviceId}: ${enabled ? consentLevel : 'nothing is recorded'}`);
}

function numberOf(text: string | undefined): number {
  const number = Number(text);
  if (text === undefined || text.trim() === '' || !Number.isFinite(number))
    throw wrongUsage(`"${text}" is no number of minutes`);
  return number;
}
