import type { Command } from 'commander';
import { z } from 'zod';
import { globalOptions } from '../options.ts';
import { print, printDocument, printRows, showBytes, showDuration, toned } from '../output.ts';
import { RestClient } from '../restClient.ts';

const shapes = {
  health: z.looseObject({
    status: z.string(),
    version: z.string(),
    uptime: z.number(),
    notice: z.string().optional(),
  }),
  services: z.looseObject({
    status: z.string(),
    services: z.record(
      z.string(),
      z.looseObject({
        status: z.string(),
        responseTime: z.number().optional(),
        note: z.string().optional(),
        error: z.string().optional(),
      }),
    ),
  }),
  info: z.looseObject({
    nodeVersion: z.string(),
    platform: z.string(),
    arch: z.string(),
    memoryUsage: z.looseObject({ rss: z.number(), heapUsed: z.number() }),
    ports: z.record(z.string(), z.number().nullable()),
  }),
  kvstore: z.looseObject({ connected: z.boolean(), url: z.string(), version: z.string() }),
};

type Status = { readonly [Part in keyof typeof shapes]: z.output<(typeof shapes)[Part]> };

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('show the state of the running service')
    .action((_options: unknown, command: Command) => showStatus(command));
}

async function showStatus(command: Command): Promise<void> {
  const { json, ...service } = globalOptions(command);
  const status = await askStatus(new RestClient(service));
  if (json) printDocument({ url: service.url, ...status });
  else printStatus(service.url, status);
}

export async function askStatus(client: RestClient): Promise<Status> {
  const health = await client.get('health', shapes.health);
  const [services, info, kvstore] = await Promise.all([
    client.get('api/health', shapes.services),
    client.get('api/system/info', shapes.info),
    client.get('api/system/kvstore-status', shapes.kvstore),
  ]);
  return { health, services, info, kvstore };
}

function showKvstore({ connected, url, version }: Status['kvstore']): string {
  const state = `${connected ? 'connected' : 'not connected'}, ${url}`;
  return version === '' ? state : `${state}, version ${version}`;
}

function printStatus(url: string, { health, services, info, kvstore }: Status): void {
  const { rss, heapUsed } = info.memoryUsage;
  const ports = Object.entries(info.ports).flatMap(([name, port]) => (port ? [`${name} ${port}`] : []));
  printRows([
    ['service', `${url}, ${health.status}, hark ${health.version}, up ${showDuration(health.uptime)}`],
    ...(health.notice === undefined ? [] : [['notice', health.notice]]),
    ['runtime', `Node ${info.nodeVersion.replace(/^v/, '')}, ${info.platform} ${info.arch}`],
    ['memory', `${showBytes(rss)}, of it ${showBytes(heapUsed)} heap`],
    ['ports', ports.join(', ')],
    ['kvstore', showKvstore(kvstore)],
    ['health', services.status],
  ]);
  print();
  const rows = Object.entries(services.services).map(([name, { status, responseTime, note, error }]) => [
    `  ${name}`,
    status,
    responseTime === undefined ? '' : `${responseTime} ms`,
    error ?? note ?? '',
  ]);
  if (rows.length > 0) printRows(rows);
  else print(toned('dim', '  no parts to check'));
}
