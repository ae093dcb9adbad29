import { visible } from '../../parts/plain.tsx';
import type { Shown } from './execution.tsx';
import { type StepNode, statesOf, stepTree } from './stepTree.ts';
import { words } from './words.ts';
import type { Workflow } from './workflows.tsx';

const WIDTH = 168;
const HEIGHT = 46;
/** Between a step and the next, with room for the name of a list. */
const GAP = 26;
const BESIDE = 20;
const MOST_LETTERS = 21;

interface Line {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly says?: string;
}

/** A step, or a list of them, with the place that it takes: lines go in at `middle` above and come out below. */
interface Laid {
  readonly width: number;
  readonly height: number;
  readonly middle: number;
  readonly boxes: readonly { readonly step: StepNode; readonly x: number; readonly y: number }[];
  readonly lines: readonly Line[];
}

/** The steps from top to bottom, and those that lie within one below it, list beside list. */
export function Drawing({
  steps,
  execution,
}: {
  readonly steps: Workflow['steps'];
  readonly execution: Shown | undefined;
}) {
  const tree = stepTree(steps);
  const { width, height, boxes, lines } = inARow(tree, true);
  const states = statesOf(tree, execution);
  return (
    <svg
      class="drawing"
      role="img"
      aria-label={words.drawing}
      width={width + 4}
      height={height + 4}
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
    >
      {lines.map(({ from: [x, y], to: [toX, toY], says }) => (
        <g key={`${x} ${y} ${toX} ${toY}`}>
          <path d={`M${x} ${y} C${x} ${y + GAP / 2} ${toX} ${toY - GAP / 2} ${toX} ${toY}`} />
          {says === undefined ? null : (
            <text
              class="list-name"
              text-anchor={toX < x ? 'end' : 'start'}
              x={toX + (toX < x ? -6 : 6)}
              y={toY - 5}
            >
              {says}
            </text>
          )}
        </g>
      ))}
      {boxes.map(({ step: { id, name, type }, x, y }) => (
        <g key={id} class={`step ${states.get(id) ?? 'none'}`} transform={`translate(${x} ${y})`}>
          <title>{visible(name)}</title>
          <rect width={WIDTH} height={HEIGHT} rx={6} />
          <text x={12} y={20}>
            {shortened(name)}
          </text>
          <text class="kind" x={12} y={36}>
            {execution ? words.stepStates[states.get(id) ?? 'none'] : (kindOf(type) ?? type)}
          </text>
        </g>
      ))}
    </svg>
  );
}

export function kindOf(type: string): string | undefined {
  return Object.entries(words.types).find(([name]) => name === type)?.[1];
}

export function listName(list: string): string {
  return list === 'do' || list === 'else' ? words.lists[list] : words.lists.branch(list);
}

function shortened(name: string): string {
  const shown = visible(name);
  return shown.length > MOST_LETTERS ? `${shown.slice(0, MOST_LETTERS - 1)}…` : shown;
}

/** What stands at the end of all steps has nothing below that its lists would come together in. */
function inARow(steps: readonly StepNode[], isEnd: boolean): Laid {
  const all = steps.map((step, index) => withLists(step, isEnd && index === steps.length - 1));
  const middle = Math.max(0, ...all.map((one) => one.middle));
  const width = middle + Math.max(0, ...all.map((one) => one.width - one.middle));
  let height = 0;
  const boxes: Laid['boxes'][number][] = [];
  const lines: Line[] = [];
  for (const one of all) {
    if (height > 0) {
      lines.push({ from: [middle, height], to: [middle, height + GAP] });
      height += GAP;
    }
    boxes.push(...moved(one, middle - one.middle, height).boxes);
    lines.push(...moved(one, middle - one.middle, height).lines);
    height += one.height;
  }
  return { width, height, middle, boxes, lines };
}

function withLists(step: StepNode, isEnd: boolean): Laid {
  const lists = step.lists.map(({ list, steps }) => ({ list, laid: inARow(steps, isEnd) }));
  const below = lists.reduce((sum, { laid }) => sum + laid.width, BESIDE * Math.max(0, lists.length - 1));
  const width = Math.max(WIDTH, below);
  const middle = width / 2;
  const boxes: Laid['boxes'][number][] = [{ step, x: middle - WIDTH / 2, y: 0 }];
  const lines: Line[] = [];
  if (lists.length === 0) return { width, height: HEIGHT, middle, boxes, lines };
  const deepest = Math.max(...lists.map(({ laid }) => laid.height));
  const top = HEIGHT + GAP;
  const height = top + deepest + (isEnd ? 0 : GAP);
  let x = (width - below) / 2;
  for (const { list, laid } of lists) {
    const at = moved(laid, x, top);
    const line = x + laid.middle;
    boxes.push(...at.boxes);
    lines.push({ from: [middle, HEIGHT], to: [line, top], says: listName(list) }, ...at.lines);
    if (!isEnd) lines.push({ from: [line, top + laid.height], to: [middle, height] });
    x += laid.width + BESIDE;
  }
  return { width, height, middle, boxes, lines };
}

function moved({ boxes, lines }: Laid, by: number, down: number): Pick<Laid, 'boxes' | 'lines'> {
  const shift = ([x, y]: readonly [number, number]) => [x + by, y + down] as const;
  return {
    boxes: boxes.map(({ step, x, y }) => ({ step, x: x + by, y: y + down })),
    lines: lines.map(({ from, to, ...rest }) => ({ from: shift(from), to: shift(to), ...rest })),
  };
}
