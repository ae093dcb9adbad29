import { setConsent, type WantedConsent } from '../../commands/capture/consent.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { consentNarrowed, consentRevoked } from '../../events/capture.ts';
import { isEvent } from '../../events/definition.ts';
import type { MediaFiles } from './ports.ts';

/** What the user allows; the files of what is not allowed any more are gone when it is answered. */
export async function changeConsent(
  { runner, files }: { readonly runner: CommandRunner; readonly files: Pick<MediaFiles, 'remove'> },
  wanted: WantedConsent,
  context: CommandContext,
): Promise<void> {
  const { appended } = await runner.run(setConsent, wanted, context);
  const dropped = appended.flatMap((event) =>
    isEvent(event, consentNarrowed) || isEvent(event, consentRevoked) ? event.data.dropped : [],
  );
  await files.remove(context.userId, dropped);
}
