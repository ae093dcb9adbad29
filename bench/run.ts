import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { provide } from '../scripts/debianTools.ts';
import { type Benchmark, isMeasured, toMarkdown } from './support/table.ts';

/*
 * npm run bench [names…] [-- --rounds N] [--write]
 * Each benchmark measures hark and its limits and peers in turns, and gives medians over the rounds: compare
 * the ratios of one run, not figures of different runs. --write keeps the tables in docs/benchmarks.md. What could
 * not be measured is a failure: it is named, nothing is kept, and the exit code is 1.
 */

const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  append: async () => (await import('./append.ts')).append,
  replay: async () => (await import('./replay.ts')).replay,
  start: async () => (await import('./start.ts')).start,
  http: async () => (await import('./http.ts')).http,
  devices: async () => (await import('./devices.ts')).devices,
  mcp: async () => (await import('./mcp.ts')).mcp,
  models: async () => (await import('./models.ts')).models,
  tools: async () => (await import('./tools.ts')).tools,
  search: async () => (await import('./search.ts')).search,
  memory: async () => (await import('./memory.ts')).memory,
  quality: async () => (await import('./memoryQuality.ts')).memoryQuality,
  contradictions: async () => (await import('./contradictions.ts')).contradictions,
  maintenance: async () => (await import('./maintenance.ts')).maintenance,
  chat: async () => (await import('./chat.ts')).chat,
  streams: async () => (await import('./streams.ts')).streams,
  subscribers: async () => (await import('./subscribers.ts')).subscribers,
  failover: async () => (await import('./failover.ts')).failover,
  language: async () => (await import('./language.ts')).language,
  scheduler: async () => (await import('./scheduler.ts')).scheduler,
  capture: async () => (await import('./capture.ts')).capture,
  deviceList: async () => (await import('./deviceList.ts')).deviceList,
  reminders: async () => (await import('./reminders.ts')).reminders,
  voice: async () => (await import('./voice.ts')).voice,
  voiceInterrupted: async () => (await import('./voiceInterrupted.ts')).voiceInterrupted,
  voiceCrowd: async () => (await import('./voiceCrowd.ts')).voiceCrowd,
  voiceWire: async () => (await import('./voiceWire.ts')).voiceWire,
  voiceStart: async () => (await import('./voiceStart.ts')).voiceStart,
  voiceTurns: async () => (await import('./voiceTurns.ts')).voiceTurns,
  dashboard: async () => (await import('./dashboard.ts')).dashboard,
  intent: async () => (await import('./intent.ts')).intent,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } },
});

const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const tables: string[] = [];
const failures: string[] = [];
for (const name of names) {
  const load = benchmarks[name];
  if (!load) throw new Error(`No benchmark ${name}: there are ${Object.keys(benchmarks).join(', ')}`);
  const benchmark = await load();
  const missing = provide(benchmark.needs ?? []);
  if (missing.length > 0) {
    const named = missing.map(({ command, debian }) => `${command} (Debian package ${debian})`).join(', ');
    failures.push(`${name}: missing is ${named}`);
    continue;
  }
  const rows = await benchmark.run(Number(values.rounds));
  for (const row of rows) if (!isMeasured(row)) failures.push(`${name}: ${row.what}`);
  const table = toMarkdown(benchmark.title, rows);
  console.log(`\n${table}`);
  tables.push(table);
}
for (const failure of failures) console.error(`Not measured: ${failure}`);
if (failures.length > 0) process.exitCode = 1;
else if (values.write) writeFileSync(join(import.meta.dirname, '../docs/benchmarks.md'), page(tables));

function page(parts: readonly string[]): string {
  const [processor] = cpus();
  const machine = [
    `${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.versions.node}`,
    `SQLite ${process.versions.sqlite}`,
  ].join(', ');
  const about = [
    '# Benchmarks',
    '',
    `Seen on ${new Date().toISOString().slice(0, 10)} on a machine with ${machine}, by \`npm run bench\`: medians of`,
    `${values.rounds} rounds in which hark and what it is measured against take turns. Machines are noisy: compare the`,
    'ratios of one run.',
    '',
  ];
  return `${[...about, ...parts].join('\n').trimEnd()}\n`;
}
