import type { Command } from 'commander';
import { z } from 'zod';
import { readConfig } from '../../../config.ts';
import type { OtlpTraces } from '../../../gateways/telemetry/otlpTraces.ts';
import { completing, spansOf } from '../../../projections/telemetry/spansOf.ts';
import { readVersion } from '../../../version.ts';
import { wrongUsage } from '../failure.ts';
import { momentForms, parseMoment } from '../moment.ts';
import { addLogOptions, findMoment, logPlace, withLog } from '../openLog.ts';
import { globalOptions, readOptions, refuseUrl } from '../options.ts';
import { print, printDocument } from '../output.ts';

const optionsSchema = z.object({ since: z.string(), until: z.string().default('now') });
const VARIABLES =
  /^OTEL_(EXPORTER_OTLP_ENDPOINT|SERVICE_NAME|INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT)$/;

export function addOtel(program: Command): void {
  const otel = program.command('otel').description('traces for a collector of OpenTelemetry');
  const command = otel
    .command('export')
    .description('sends what happened to the collector, from the log; sent again, it has the same ids')
    .requiredOption('--since <moment>', momentForms)
    .option('--until <moment>', `${momentForms} (default: now)`);
  addLogOptions(command).action((_options: unknown, invoked: Command) => exportTraces(invoked));
}

async function exportTraces(command: Command): Promise<void> {
  refuseUrl(command);
  const { json } = globalOptions(command);
  const { since, until } = readOptions(command, optionsSchema);
  // Other variables may be wrong here without harm.
  const config = readConfig(
    Object.fromEntries(Object.entries(process.env).filter(([name]) => VARIABLES.test(name))),
  );
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = config;
  if (endpoint === undefined) throw wrongUsage('otel export: OTEL_EXPORTER_OTLP_ENDPOINT names no collector');
  const withContent = config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT;
  const now = Date.now();
  const [from, to] = [parseMoment(since, now), parseMoment(until, now)];
  const { OtlpTraces } = await import('../../../gateways/telemetry/otlpTraces.ts');
  const traces = new OtlpTraces({ endpoint, serviceName, version: readVersion() });
  const sent = await withLog(logPlace(command), async (log) => {
    const range = {
      after: (await findMoment(log, from)).position,
      until: (await findMoment(log, to)).position,
      types: new Set(completing.map(({ type }) => type)),
    };
    let count = 0;
    for await (const { events } of log.store.readAll(range)) {
      const spans = (
        await Promise.all(events.map((event) => spansOf(log.store, event, { withContent })))
      ).flat();
      await sendInParts(traces, spans);
      count += spans.length;
    }
    return count;
  });
  await traces.stop();
  if (json) printDocument({ spans: sent });
  else print(`${sent} spans sent`);
}

const AT_ONCE = 512;

async function sendInParts(traces: OtlpTraces, spans: Parameters<OtlpTraces['send']>[0]): Promise<void> {
  for (let from = 0; from < spans.length; from += AT_ONCE)
    await traces.send(spans.slice(from, from + AT_ONCE));
}
