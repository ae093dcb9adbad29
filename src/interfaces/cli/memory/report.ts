import { z } from 'zod';
import { counted, print, printRows, showTime, toned } from '../output.ts';

export const reportShape = z.looseObject({
  timestamp: z.number(),
  durationMs: z.number(),
  conclusionsExamined: z.number(),
  episodesChecked: z.number(),
  summary: z.looseObject({
    stale: z.number(),
    decayed: z.number(),
    redundant: z.number(),
    orphans: z.number(),
    contradictions: z.number(),
    pruned: z.number(),
  }),
  issues: z
    .array(
      z.looseObject({
        type: z.string(),
        conclusionId: z.string().optional(),
        episodeId: z.string().optional(),
        action: z.string(),
        description: z.string(),
      }),
    )
    .readonly(),
});

/** What is printed of it. */
interface Report {
  readonly timestamp: number;
  readonly durationMs: number;
  readonly conclusionsExamined: number;
  readonly episodesChecked: number;
  readonly summary: Readonly<
    Record<'stale' | 'decayed' | 'redundant' | 'orphans' | 'contradictions' | 'pruned', number>
  >;
  readonly issues: readonly {
    readonly conclusionId?: string | undefined;
    readonly episodeId?: string | undefined;
    readonly action: string;
    readonly description: string;
  }[];
}

/** Of what there are texts they are shown beside it. */
export function printReport(report: Report, texts: ReadonlyMap<string, string> = new Map()): void {
  const { timestamp, durationMs, conclusionsExamined, episodesChecked, summary, issues } = report;
  const { stale, decayed, redundant, orphans, contradictions, pruned } = summary;
  const looked = `${counted(conclusionsExamined, 'conclusion')}, ${counted(episodesChecked, 'episode')}`;
  print(toned('bold', `${showTime(timestamp)}  ${looked}, ${durationMs} ms`));
  print(
    `stale ${stale}, decayed ${decayed}, merged ${redundant}, orphans ${orphans}, ` +
      `contradictions ${contradictions}, pruned ${pruned}`,
  );
  printRows(
    issues.map(({ action, conclusionId, episodeId, description }) => [
      `  ${action}`,
      conclusionId ?? episodeId ?? '',
      texts.size === 0
        ? description
        : [description, texts.get(conclusionId ?? '')].filter(Boolean).join(': '),
    ]),
  );
}
