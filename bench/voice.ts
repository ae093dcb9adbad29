import { inFolder } from './support/folder.ts';
import { percentile } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { SILENCE_MS, VOICE_TOOLS, VoiceService } from './support/voiceService.ts';

/*
 * Somebody asks at the pace of time, and listens as a loudspeaker plays: timed from outside, from the last audible sample of
 * the question to the first of the answer. The silence that ends a turn is configured, and taken off. The stages are the
 * service's own figures.
 */

const TURNS = 20;
const QUESTIONS = ['what time is it', 'what is the time', 'what is the time now'];
const STAGES = {
  endOfTurn: 'turn taken, silence included',
  recognition: 'words',
  firstText: 'text',
  firstSentence: 'sentence',
  synthesis: 'speech',
} as const;

export const voice: Benchmark = {
  title: `Answers by voice: flite asks and answers, a small recogniser hears, a model answers at once, ${TURNS} turns`,
  needs: VOICE_TOOLS,
  run: () =>
    inFolder(async (folder) => {
      const service = await VoiceService.start(folder);
      try {
        const utterances = await Promise.all(QUESTIONS.map((text) => service.utterance(text)));
        await service.talk({ utterances, turns: 3 });
        const { answered } = await service.talk({ utterances, turns: TURNS });
        const latency = await service.stages();
        const waited = answered.map((ms) => ms - SILENCE_MS);
        const published = 'published voice to voice, with cloud models: 1,100 to 1,900 ms';
        return [
          limitRow('last audible sample to first one, p50', percentile(waited, 50), 250, 'ms', published),
          limitRow('the same, p95', percentile(waited, 95), 400, 'ms'),
          ...Object.entries(STAGES).map(([stage, what]) => {
            const { p50, p95 } = latency[stage] ?? { p50: Number.NaN, p95: Number.NaN };
            const most = stage === 'endOfTurn' ? SILENCE_MS + 150 : 150;
            return limitRow(`of it, ${what}, p95`, p95, most, 'ms', `p50: ${p50.toFixed(1)} ms`);
          }),
        ];
      } finally {
        await service.stop();
      }
    }),
};
