import { numberText } from '../../words/format.ts';
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
  uptime: 'Läuft seit',
  requests: 'Anfragen pro Minute',
  errors: 'Fehler pro Minute',
  median: 'Die Hälfte in',
  slowest: '99 % in',
  memory: 'Speicher',
  metrics: 'Messwerte',
  metricsAbout: 'Wie Prometheus sie liest, zu dem Zeitpunkt, an dem diese Seite geöffnet wurde.',
  findMetric: 'Einen Messwert finden',
  readAgain: 'Neu lesen',
  noMetric: 'Kein Messwert hat das in Namen oder Beschreibung',
  labels: 'Von',
  value: 'Wert',
  upTo: 'Bis',
  count: 'Anzahl',
  more: 'mehr',
  spread: (count, mean) => `${numberText(count)} insgesamt, im Mittel ${mean}`,
  dependencies: 'Worauf hark verzichten kann',
  dependenciesAbout: 'Wo etwas fehlt, steht hier, wozu es dient und woher es kommt.',
  dependencyStates: { ready: 'bereit', missing: 'fehlt', stopped: 'steht', optional: 'nicht benutzt' },
  install: 'Redis in einem Container starten',
  installTitle: 'Redis in einem Container starten?',
  installText:
    'Docker oder Podman holt das Abbild und startet es als „service-redis“, erreichbar nur von diesem Gerät. Das Protokoll zieht nicht von selbst um.',
};

export default words;
