import { resolve } from 'node:path';
import { z } from 'zod';
import { isToolServerSetting } from '../toolServerSpec.ts';
import { between, count, engineId, facts, flag, share, text, webUrl, whole } from './kinds.ts';

/** Of conversations, the tools that are used in them, and voice. */
export const conversationVariables = {
  SERVICE_AGENT_MAX_STEPS: whole(1, 200)
    .default(20)
    .register(facts, { setting: 'agentMaxSteps', about: 'Reasoning steps of one turn' }),
  SERVICE_SESSION_IDLE_MINUTES: count.default(30).register(facts, {
    setting: 'sessionIdleMinutes',
    about: 'A session without a turn for this long ends',
  }),
  SERVICE_VOICE_INTERRUPTION_MS: whole(0, 5_000).default(250).register(facts, {
    setting: 'voiceInterruptionMs',
    about: 'Speech of this length ends what hark is saying; 0 ends it at once',
  }),
  SERVICE_VOICE_HALF_DUPLEX: flag.default(false).register(facts, {
    setting: 'voiceHalfDuplex',
    about:
      'Hears nothing while hark speaks: for a loudspeaker beside the microphone; nobody can interrupt then',
  }),
  SERVICE_VOICE_FILLER: flag.default(false).register(facts, {
    setting: 'voiceFiller',
    about: 'A word is said while tools work',
  }),
  SERVICE_CHAT_SUMMARY_SHARE: between(0.1, 0.9).default(0.5).register(facts, {
    setting: 'chatSummaryShare',
    about: "Share of a model's context from which on older turns are summarized",
  }),
  SERVICE_TOOL_MAX_TOOLS: whole(1, 128)
    .default(8)
    .register(facts, { setting: 'toolMaxTools', about: 'Most tools that a turn is shown' }),
  SERVICE_TOOL_TOKEN_BUDGET: whole(0, 1_000_000).default(2_000).register(facts, {
    setting: 'toolTokenBudget',
    about: 'Most tokens of own tools that a turn is shown although nothing asked for them',
  }),
  SERVICE_TOOL_SIMILARITY_THRESHOLD: share.default(0.7).register(facts, {
    setting: 'toolSimilarityThreshold',
    about: 'Least similarity of a tool to what is asked, with an embedding model',
  }),
  SERVICE_TOOL_INCLUDE_META_TOOLS: flag
    .default(true)
    .register(facts, { setting: 'toolIncludeMetaTools', about: 'Shows discover_tools in every turn' }),
  SERVICE_WEBHOOK_ALLOW_PRIVATE: flag
    .default(false)
    .register(facts, { about: 'Allows webhooks to this machine and to private networks, also without TLS' }),
  SERVICE_TOOL_SERVERS: text
    .refine(isToolServerSetting, 'must be a JSON list of tool servers, as docs/mcp.md has them')
    .default('[]')
    .register(facts, {
      setting: 'toolServers',
      about: 'Tool servers of others (MCP), as a JSON list; those with secrets or programs go into a file',
    }),
  SERVICE_MODEL_MIRROR: webUrl
    .optional()
    .register(facts, { about: 'Base URL that replaces the host of model files' }),
  SERVICE_MODELS_MANIFEST: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'File that describes models beside those that hark knows' }),

  SERVICE_VOICE_STT_MODEL: engineId.default('auto').register(facts, {
    setting: 'voiceSttModel',
    about:
      'What understands speech: auto is the best that is there; off is nothing; else cloud-b, pocketsphinx, or the id of a model',
  }),
  SERVICE_VOICE_TTS_MODEL: engineId.default('auto').register(facts, {
    setting: 'voiceTtsModel',
    about:
      'What speaks: auto is the best that is there; off is nothing; else cloud-b, flite, or the id of a model',
  }),
  SERVICE_VOICE_TTS_VOICE: engineId.default('auto').register(facts, {
    setting: 'voiceTtsVoice',
    about: 'The voice of users who chose none; auto is the own choice of what speaks',
  }),
  SERVICE_VOICE_WAKE_PHRASES: z.string().max(1_000).default('hey hark').register(facts, {
    setting: 'voiceWakePhrases',
    about: 'What a model of wake words waits for, parted by commas; nothing where it is empty',
  }),
  SERVICE_VOICE_GRAMMAR: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, {
      about: 'File of all that pocketsphinx is to understand (JSGF); without it, anything',
    }),
};
