import type { ToolRegistry } from '../application/chat/toolRegistry.ts';
import { ToolServerJournal } from '../application/chat/toolServerJournal.ts';
import { ToolServers } from '../application/chat/toolServers.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Config } from '../config.ts';
import { configChanged } from '../events/settings.ts';
import { ToolServerFile } from '../gateways/toolServers/serverFile.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import { toolServerOperations } from '../interfaces/operations/toolServers.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { readToolServerSetting } from '../toolServerSpec.ts';
import type { Topics } from './topics.ts';

interface ToolServersOptions {
  readonly config: Config;
  readonly settings: Pick<RuntimeSettings, 'value'>;
  readonly registry: ToolRegistry;
  readonly topics: Topics;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly kvstore: Pick<Kvstore, 'current' | 'reachable'>;
  readonly version: string;
  readonly onFailure: (what: string, reason: string) => void;
  readonly onBadFile: (problem: string) => void;
}

/** The wiring of the tool servers of others. */
export function wireToolServers({
  config,
  settings,
  topics,
  version,
  kvstore,
  wake,
  ...options
}: ToolServersOptions) {
  const runner = () => kvstore.current?.runner;
  const servers = new ToolServers({
    ...options,
    journal: new ToolServerJournal({ runner, clock: options.clock, wake }),
    connect: async (to, events) => {
      const { connectToolServer } = await import('../gateways/toolServers/connection.ts');
      return connectToolServer(to, version, events);
    },
    file: new ToolServerFile(config.SERVICE_DATA_DIR),
    settings: {
      servers: () => readToolServerSetting(String(settings.value('toolServers'))),
      watch: (onChange) => {
        topics.on(configChanged, ({ changes }) => {
          if ('toolServers' in changes) onChange();
        });
      },
    },
  });
  return {
    operations: () => toolServerOperations(servers, kvstore),
    start: () => servers.start(),
    stop: () => servers.stop(),
  };
}
