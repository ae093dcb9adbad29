import { isEvent } from '../../events/definition.ts';
import { conversationErasures, conversationsErasedBy } from '../../events/episodes.ts';
import { memoryErased } from '../../events/memory.ts';
import { turnForgotten } from '../../events/turnEndings.ts';
import { defineSaga, type Saga } from '../saga.ts';

interface AudioFiles {
  remove(userId: string, conversationIds: readonly string[]): Promise<void>;
  removeAllOf(userId: string): Promise<void>;
}

/** With the words of a conversation goes its audio: the key to it went in the same moment, and here the files do. */
export function forgetVoiceAudio(files: AudioFiles): Saga {
  return defineSaga({
    name: 'forget-voice-audio',
    on: [turnForgotten, ...conversationErasures, memoryErased],
    key: ({ owner }) => owner,
    async react(event) {
      if (isEvent(event, memoryErased)) await files.removeAllOf(event.owner);
      else if (isEvent(event, turnForgotten)) await files.remove(event.owner, [event.data.conversationId]);
      else await files.remove(event.owner, conversationsErasedBy(event));
    },
  });
}
