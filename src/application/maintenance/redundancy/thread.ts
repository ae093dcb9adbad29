import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../../crashReports.ts';
import { giveWayToOthers } from '../../../threadPriority.ts';
import { type CandidatesPart, type MergeCandidate, type PlanReply, planMerges } from './planMerges.ts';

keepEnvironmentOutOfCrashReports();
giveWayToOthers();
const all: MergeCandidate[] = [];

parentPort?.on('message', ({ candidates, least }: CandidatesPart) => {
  for (const candidate of candidates) all.push(candidate);
  if (least === undefined) return;
  const planned = planMerges(all, least);
  const reply: PlanReply = Float64Array.from(
    planned.flatMap(({ loser, winner, like, similarity }) => [loser, winner, like, similarity]),
  );
  parentPort?.postMessage(reply);
});
