import { numberText } from '../../words/format.ts';

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
  uptime: 'Runs for',
  requests: 'Requests a minute',
  errors: 'Errors a minute',
  median: 'Half within',
  slowest: '99 % within',
  memory: 'Memory',
  metrics: 'Metrics',
  metricsAbout: 'As Prometheus reads them, at the moment this page was opened.',
  findMetric: 'Find a metric',
  readAgain: 'Read again',
  noMetric: 'No metric has that in its name or description',
  labels: 'Of',
  value: 'Value',
  upTo: 'Up to',
  count: 'Count',
  more: 'more',
  spread: (count: number, mean: string) => `${numberText(count)} in all, ${mean} on average`,
  dependencies: 'What hark can do without',
  dependenciesAbout: 'What each is for, and how to get what is missing.',
  dependencyStates: { ready: 'ready', missing: 'missing', stopped: 'stopped', optional: 'not used' },
  install: 'Run Redis in a container',
  installTitle: 'Run Redis in a container?',
  installText:
    'Docker or Podman pulls the image and runs it as “service-redis”, reachable from this machine alone. The log does not move by itself.',
};

export type HealthWords = typeof words;
export default words;
