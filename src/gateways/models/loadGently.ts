import { readFile } from 'node:fs/promises';
import { fairShare } from '../../fairShare.ts';

const IMPORT = /^(?:import|export)\s*(?:[\w*{][^'";=()]*\bfrom\s*)?['"]([^'"]+)['"]/gm;
const MOST_READ_AT_ONCE = 16;

const loaded = new Map<string, Promise<void>>();

/**
 * Loads a package's modules one by one, each after those that it imports, with others in between: as a whole, an
 * SDK of some hundred modules would keep the main thread for 70 to 200 ms. Whoever imports the package afterwards
 * finds it there. Where the imports of a module cannot be told, it comes in a larger step; nothing else changes.
 */
export function loadGently(specifier: '@anthropic-ai/sdk' | 'openai'): Promise<void> {
  const loading = loaded.get(specifier) ?? load(import.meta.resolve(specifier));
  loaded.set(specifier, loading);
  return loading;
}

async function load(entry: string): Promise<void> {
  for (const module of leavesFirst(await importsFrom(entry))) {
    // What is wrong with it is told to whoever imports the package.
    await import(module).catch(() => undefined);
    await fairShare();
  }
}

/** The modules that are reached from one, by their addresses, with the addresses of what each imports. */
async function importsFrom(entry: string): Promise<Map<string, ReadonlySet<string>>> {
  const graph = new Map<string, ReadonlySet<string>>();
  const waiting = new Set([entry]);
  while (waiting.size > 0) {
    const some = [...waiting].slice(0, MOST_READ_AT_ONCE);
    const read = some.map(async (module) => [module, await importsOf(module)] as const);
    for (const [module, imports] of await Promise.all(read)) {
      waiting.delete(module);
      graph.set(module, imports);
      for (const one of imports) if (!graph.has(one)) waiting.add(one);
    }
  }
  return graph;
}

async function importsOf(module: string): Promise<ReadonlySet<string>> {
  const text = await readFile(new URL(module), 'utf8').catch(() => '');
  return new Set(
    Array.from(text.matchAll(IMPORT), ([, specifier = '']) => addressOf(specifier, module)).flat(),
  );
}

/** None of what is part of the runtime, or cannot be found from here. */
function addressOf(specifier: string, from: string): readonly string[] {
  try {
    const url = /^\.{1,2}\//.test(specifier) ? new URL(specifier, from).href : import.meta.resolve(specifier);
    return url.startsWith('file:') ? [url] : [];
  } catch {
    return [];
  }
}

/** Modules that import each other in a circle come when nothing else is left before them, and then together. */
function leavesFirst(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const waiting = new Map(Array.from(graph, ([module, imports]) => [module, new Set(imports)]));
  const order: string[] = [];
  const take = (module: string) => {
    order.push(module);
    waiting.delete(module);
    for (const imports of waiting.values()) imports.delete(module);
  };
  while (waiting.size > 0) {
    const free = Array.from(waiting).filter(([, imports]) => imports.size === 0);
    const [first] = waiting.keys();
    if (free.length > 0) for (const [module] of free) take(module);
    else if (first !== undefined) take(first);
  }
  return order;
}
