import { denies, pairsAsked, verdictsOn } from '../../../../src/demo/model/demoJudge.ts';
import { type Reply, saysJson } from '../../../../src/demo/model/script.ts';

/** Decides rightly on pairs of which one denies the other. */
export function fairJudge(request: { readonly lastText: string }): Reply {
  return saysJson(verdictsOn(pairsAsked(request), denies));
}
