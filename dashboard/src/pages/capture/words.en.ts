import { numberText } from '../../words/format.ts';

const words = {
  title: 'Capture',
  about: 'What devices may record around you. Nothing is recorded without your consent.',
  nothing: 'Nothing is being recorded',
  recording: (devices: string) => `Recording: ${devices}`,
  paused: (until: string) => `Paused until ${until}`,
  pauseFor: 'Pause for',
  lengths: { 15: '15 minutes', 60: 'an hour', 480: '8 hours', 1440: 'a day' },
  resume: 'End the pause',
  stop: 'Stop',
  stopped: 'Stopped',
  consent: 'Consent',
  consentAbout: 'Only you give it, for each device. A device can neither give it nor read it.',
  device: 'Device',
  deviceId: 'Id of the device',
  addDevice: 'Another device',
  look: 'Show its consent',
  level: 'What is kept',
  levels: {
    none: 'Nothing',
    passive: 'Words alone: sound and pictures become words at once',
    active: 'Words, and sound and pictures until they are words',
    full: 'Words, sound and pictures for as long as memory',
  },
  jurisdiction: 'Jurisdiction, your own note',
  given: 'Consent given',
  save: 'Save consent',
  saveTitle: 'Change what this device may record?',
  saveText: (device: string, level: string) => `${device}: ${level}. A stream follows the change at once.`,
  saved: 'Consent saved',
  noDevices: 'No device may record yet. Choose one of yours, or name one by its id.',
  streams: 'Streams',
  noStreams: 'No stream yet',
  noStreamsNext: 'A device that has your consent starts one; it appears here as it begins.',
  states: { active: 'recording', paused: 'paused', stopped: 'ended' },
  segments: (count: number) => `${numberText(count)} segments`,
  modes: {
    'active-participant': 'takes part',
    'passive-observation': 'observes',
    ambient: 'ambient',
  },
  forget: 'Erase the last minutes',
  forgetMinutes: 'Minutes',
  forgetTitle: 'Erase what was recorded?',
  forgetText: (minutes: number) =>
    `Everything recorded in the last ${numberText(minutes)} minutes becomes unreadable, with the episodes and conclusions that rest on it alone.`,
  forgetIt: 'Erase it',
  forgotten: (segments: number, episodes: number, conclusions: number) =>
    `Erased: ${numberText(segments)} segments, ${numberText(episodes)} episodes, ${numberText(conclusions)} conclusions.`,
};

export type CaptureWords = typeof words;
export default words;
