import { inFolder } from './support/folder.ts';
import { percentile } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { VOICE_TOOLS, VoiceService } from './support/voiceService.ts';

/*
 * Somebody speaks into long answers: timed from outside, from the first audible sample of what interrupts to the first
 * sample of the answer that comes lowered, and to the last one that comes at all.
 */

const TURNS = 6;
const INTO_MS = 900;

export const voiceInterrupted: Benchmark = {
  title: `Answers by voice that are interrupted, ${TURNS} of each kind`,
  needs: VOICE_TOOLS,
  run: () =>
    inFolder(async (folder) => {
      const service = await VoiceService.start(folder);
      try {
        const question = await service.utterance('how is the weather in paris');
        const objection = await service.utterance('stop the music please and open the window');
        const interruption = { utterance: objection, afterMs: INTO_MS };
        const asked = { utterances: [question], turns: TURNS + 1, interruption };
        const confirmed = await service.talk(asked);
        const atOnce = await service.talk(asked, { interruption_ms: 0 });
        return [
          limitRow('onset of speech to lowered, p95', percentile(confirmed.lowered, 95), 100, 'ms'),
          limitRow('onset of speech to the last frame, p95', percentile(confirmed.ended, 95), 400, 'ms'),
          limitRow('the same with interruption_ms 0, p95', percentile(atOnce.ended, 95), 150, 'ms'),
        ];
      } finally {
        await service.stop();
      }
    }),
};
