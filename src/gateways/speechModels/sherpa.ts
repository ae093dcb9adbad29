import type { SpeechModel } from './model.ts';
import { speechToText } from './sherpa/speechToText.ts';
import { textToSpeech } from './sherpa/textToSpeech.ts';
import { wakeWords } from './sherpa/wakeWords.ts';

export const sherpaModels: readonly SpeechModel[] = [...speechToText, ...textToSpeech, ...wakeWords];
