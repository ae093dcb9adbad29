#!/usr/bin/env -S node --v8-pool-size=0 --max-semi-space-size=16
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// This file alone also runs on older versions of Node: it looks for the runtime that the rest needs.
const OLDEST_NODE = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) runPinned();
else {
  // Set for worker threads, which look there themselves; without it each would translate TypeScript anew.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'hark');
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  if (existsSync('.env')) process.loadEnvFile('.env');
  nodeModule.registerHooks(await import('./imports.js'));
  await import('../src/interfaces/cli/main.ts');
}

function runPinned() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (!existsSync(pinned)) {
    console.error(
      `hark needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}. ` +
        'Install a newer Node, or run "npm ci" in the folder of hark, which brings one along.',
    );
    process.exit(1);
  }
  const child = spawn(pinned, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
  for (const signal of signals) {
    // What is typed at a terminal reaches the child without us; a second one would mean "at once".
    const typed = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');
    process.on(signal, () => typed || child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`The runtime that came with hark does not start: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}
