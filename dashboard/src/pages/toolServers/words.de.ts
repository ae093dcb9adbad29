import { numberText } from '../../words/format.ts';
import type { ToolServersWords } from './words.en.ts';

const words: ToolServersWords = {
  title: 'Werkzeugserver',
  about: 'Server des Model Context Protocol, deren Werkzeuge der Assistent benutzen darf.',
  server: 'Server',
  state: 'Zustand',
  tools: 'Werkzeuge',
  version: 'Protokoll',
  since: 'Verbunden',
  states: { connected: 'verbunden', connecting: 'wird verbunden', disconnected: 'nicht verbunden' },
  refused: (count) => `${numberText(count)} nicht zu gebrauchen`,
  toolsOf: (name) => `Werkzeuge von ${name}`,
  probe: 'Prüfen',
  probing: 'Wird gefragt…',
  probed: (name, tools, ms) => `${name} hat in ${ms} geantwortet: ${numberText(tools)} Werkzeuge`,
  notThere: (name) => `${name} ist nicht verbunden`,
  problem: 'Die Datei, die sie beschreibt, wird nicht benutzt',
  empty: 'Kein Werkzeugserver ist eingerichtet',
  emptyNext: 'Nennen Sie sie in der Datei tool-servers.json des Datenordners; docs/mcp.md beschreibt sie.',
};

export default words;
