import type { SimulationLinkDatum, SimulationNodeDatum } from 'd3-force';
import type { Output } from '../../api/ask.ts';
import { loaded } from '../../api/loaded.ts';

export type Near = Output<'GET /api/entities/:id/neighbourhood'>;
type NearEntity = Near['entities'][number];

/** As which relationships name the one whose memory it is. */
export const USER = 'user';

interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** None for the user. */
  readonly entity?: NearEntity;
}

interface Line {
  readonly id: string;
  readonly from: Placed;
  readonly to: Placed;
  readonly isOfUser: boolean;
}

export interface Picture {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly nodes: readonly Placed[];
  readonly lines: readonly Line[];
}

interface Node extends SimulationNodeDatum {
  readonly id: string;
  readonly radius: number;
  readonly entity?: NearEntity;
}

const TICKS = 220;
const REPELS = 260;
/** Names are wider than high. */
const STRETCHED = 1.5;
const [LEAST_WIDTH, LEAST_HEIGHT, EDGE, APART] = [300, 130, 64, 30];

/** Where each stands, so that what belongs together is near: the same each time for the same. */
export async function pictureOf({ entities, relationships }: Near): Promise<Picture> {
  const { forceLink, forceSimulation, forceX, forceY } = await loaded(() => import('./forces.ts'));
  const isUserThere = relationships.some(({ from, to }) => from === USER || to === USER);
  const nodes: Node[] = entities.map((entity) => ({ id: entity.id, radius: radiusOf(entity), entity }));
  if (isUserThere) nodes.push({ id: USER, radius: 8 });
  const links = relationships.map(
    ({ from, to }): SimulationLinkDatum<Node> => ({ source: from, target: to }),
  );
  const ends = forceLink<Node, SimulationLinkDatum<Node>>(links).id(({ id }) => id);
  forceSimulation(nodes)
    .force('links', ends.distance(80).strength(0.5))
    .force('apart', (alpha) => pushApart(nodes, alpha))
    .force('across', forceX(0).strength(0.05))
    .force('down', forceY(0).strength(0.12))
    .stop()
    .tick(TICKS);
  const placed = nodes.map(({ id, x = 0, y = 0, radius, entity }) => ({
    ...{ id, x: Math.round(STRETCHED * x), y: Math.round(y), radius },
    ...(entity ? { entity } : {}),
  }));
  const byId = new Map(placed.map((one) => [one.id, one]));
  const lines = relationships.flatMap(({ id, from: one, to: other }) => {
    const [from, to] = [byId.get(one), byId.get(other)];
    return from && to ? [{ id, from, to, isOfUser: one === USER || other === USER }] : [];
  });
  return { box: boxAround(placed), nodes: placed, lines };
}

/**
 * Each goes away from each, and where their rooms overlap, out of it. There are sixty at most: the tree in which d3 looks
 * up what is near among thousands would weigh more than all else that the picture is placed with.
 */
function pushApart(nodes: readonly Node[], alpha: number): void {
  for (const [index, one] of nodes.entries())
    for (const other of nodes.slice(index + 1)) {
      const [x, y] = [nextOf(other, 'x') - nextOf(one, 'x'), nextOf(other, 'y') - nextOf(one, 'y')];
      const distance = Math.hypot(x, y) || 1;
      const overlap = Math.max(0, one.radius + other.radius + 2 * APART - distance);
      const push = ((REPELS * alpha) / Math.max(1, distance) + overlap / 2) / distance;
      move(one, -push * x, -push * y);
      move(other, push * x, push * y);
    }
}

/** Where it will be. */
const nextOf = (node: Node, axis: 'x' | 'y') => (node[axis] ?? 0) + (node[`v${axis}`] ?? 0);

function move(node: Node, x: number, y: number): void {
  node.vx = (node.vx ?? 0) + x;
  node.vy = (node.vy ?? 0) + y;
}

function radiusOf({ hops, mentions }: NearEntity): number {
  return hops === 0 ? 12 : Math.min(10, 5 + Math.log2(1 + mentions));
}

/** Never so small that the names at its edge are cut off. */
function boxAround(nodes: readonly Placed[]): Picture['box'] {
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs) - EDGE, Math.max(...xs) + EDGE];
  const [top, bottom] = [Math.min(...ys) - EDGE / 2, Math.max(...ys) + EDGE / 2];
  const width = Math.max(LEAST_WIDTH, right - left);
  const height = Math.max(LEAST_HEIGHT, bottom - top);
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}
