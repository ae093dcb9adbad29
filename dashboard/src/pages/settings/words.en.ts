const words = {
  title: 'Settings',
  about: 'Settings of the service, of you and of this browser. Most take effect at once.',
  service: 'The service',
  you: 'You',
  browser: 'This browser',
  search: 'Find a setting',
  none: 'No setting has that in its name or description',
  sources: { default: 'by default', env: 'from the environment', runtime: 'changed here' },
  restart: 'takes effect at the next start',
  unset: 'Back to the default',
  save: 'Save',
  on: 'on',
  off: 'off',
  ask: 'Save these settings?',
  was: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
  saved: 'Saved',
  preferences: {
    persistMemory: 'Remember what I say',
    storeTranscripts: 'Keep the words of conversations',
    storeAudio: 'Keep what is said by voice as encrypted audio',
    timezone: 'Time zone',
    locale: 'Locale',
    language: 'Language of replies',
    voice: 'Voice',
  },
  memoryNote: 'When it is off, nothing new is remembered. What is known stays until you erase it.',
  user: 'User',
  userHint: 'Whose chats and memory this browser shows, where several people share the service.',
  useUser: 'Show this user',
};

export type SettingsWords = typeof words;
export default words;
