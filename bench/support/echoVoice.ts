import type { VoiceRooms } from '../../src/application/voice/conversation.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { startService } from '../../src/wiring/service.ts';
import { ScriptedRooms } from '../../test/support/scriptedRooms.ts';

/* A whole service whose conversations understand nothing: what is heard is spoken again, at the rate of speech. */

const HEARING_RATE = 16_000;
const place = { responseId: 'resp_1', itemId: 'item_1', outputIndex: 0, contentIndex: 0 };

class EchoRooms implements Pick<VoiceRooms, 'connect'> {
  connect(...[caller, options]: Parameters<VoiceRooms['connect']>) {
    const rooms = new ScriptedRooms();
    const taken = rooms.connect(caller, options);
    const { last } = rooms;
    last.onHear = (heard) => {
      const { speechRate } = last.options;
      const samples =
        speechRate === HEARING_RATE
          ? heard
          : new Int16Array(Math.round((heard.length * speechRate) / HEARING_RATE));
      last.tell({ type: 'audio', place, samples, isFirst: false, isLowered: false });
    };
    return taken;
  }
}

const service = await startService(readConfig(process.env), createLogger('silent'), {
  voiceRooms: async () => new EchoRooms(),
});
console.log(JSON.stringify({ ports: service.ports }));
process.on('SIGTERM', () => process.exit());
