const words = {
  title: 'Health',
  about: 'Every part of the service and how it is.',
  whole: {
    healthy: 'The service is healthy.',
    degraded: 'The service answers; a part of it is not well.',
    unhealthy: 'The service is not well.',
  },
  states: { healthy: 'healthy', off: 'off', unhealthy: 'not well' },
  part: 'Part',
  state: 'State',
  answered: 'Answered in',
  says: 'Says',
};

export type HealthWords = typeof words;
export default words;
