import type { HealthWords } from './words.en.ts';

const words: HealthWords = {
  title: 'Zustand',
  about: 'Jeder Teil des Dienstes und wie es ihm geht.',
  whole: {
    healthy: 'Dem Dienst geht es gut.',
    degraded: 'Der Dienst antwortet; einem Teil geht es nicht gut.',
    unhealthy: 'Dem Dienst geht es nicht gut.',
  },
  states: { healthy: 'gut', off: 'aus', unhealthy: 'nicht gut' },
  part: 'Teil',
  state: 'Zustand',
  answered: 'Antwort in',
  says: 'Sagt',
};

export default words;
