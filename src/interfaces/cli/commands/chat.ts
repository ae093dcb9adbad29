import type { Command } from 'commander';
import { ChatSession } from '../chat/chatSession.ts';
import { Keyboard } from '../chat/keyboard.ts';
import { followReminders } from '../chat/reminders.ts';
import { globalOptions } from '../options.ts';
import { counted, print, toned } from '../output.ts';
import { RestClient } from '../restClient.ts';
import { addSessionOption, sessionOf } from '../session.ts';
import { addUserOption, namedUser, whoAsks } from '../user.ts';

export function addChat(program: Command): void {
  const command = program.command('chat').description('talk, in the terminal or over a pipe');
  addSessionOption(addUserOption(command, whoAsks), 'a new one').action(
    (_options: unknown, invoked: Command) => chat(invoked),
  );
}

async function chat(command: Command): Promise<void> {
  const { json, ...service } = globalOptions(command);
  const client = new RestClient({ ...service, user: namedUser(command) });
  const conversation = new ChatSession({ client, sessionId: sessionOf(command), json });
  // Also finds out whether there is anybody to talk to.
  const said = await conversation.said();
  if (process.stdin.isTTY && process.stdout.isTTY && !json)
    print(toned('dim', `${welcome(conversation.sessionId, said.length)}; /help says what there is`));
  const sessionId = () => conversation.sessionId;
  const tell = (reminder: { readonly text: string }) => keyboard.interject(reminder);
  const stopReminders = conversation.isForReplies
    ? undefined
    : await followReminders({ client, sessionId, tell }).catch(() => undefined);
  // From here on lines are read: whoever waited with a keyboard would lose what is typed meanwhile.
  const keyboard = new Keyboard(conversation, said);
  await keyboard.run();
  stopReminders?.();
  await keyboard.leave();
}

function welcome(sessionId: string, messages: number): string {
  return messages === 0
    ? `session ${sessionId}`
    : `session ${sessionId}, ${counted(messages, 'message')} of yours so far`;
}
