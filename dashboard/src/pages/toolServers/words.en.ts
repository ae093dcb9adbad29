import { numberText } from '../../words/format.ts';

const words = {
  title: 'Tool servers',
  about: 'Servers of the Model Context Protocol whose tools the assistant may use.',
  server: 'Server',
  state: 'State',
  tools: 'Tools',
  version: 'Protocol',
  since: 'Connected',
  states: { connected: 'connected', connecting: 'connecting', disconnected: 'not connected' },
  refused: (count: number) => (count === 1 ? '1 cannot be used' : `${numberText(count)} cannot be used`),
  toolsOf: (name: string) => `Tools of ${name}`,
  probe: 'Probe',
  probing: 'Asking…',
  probed: (name: string, tools: number, ms: string) =>
    `${name} answered in ${ms}: ${numberText(tools)} tools`,
  notThere: (name: string) => `${name} is not connected`,
  problem: 'The file that describes them is not used',
  empty: 'No tool server is configured',
  emptyNext: 'Name them in the file tool-servers.json of the data folder; docs/mcp.md describes it.',
};

export type ToolServersWords = typeof words;
export default words;
