#!/usr/bin/env -S node --v8-pool-size=0 --max-semi-space-size=16
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir, constants as systemConstants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// This file alone also runs on older versions of Node: it looks for the runtime that the rest needs.
const OLDEST_NODE = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** A clone runs its sources. A package has what was made of them, since Node reads no TypeScript below node_modules. */
const isClone = existsSync(join(root, 'src', 'main.ts'));
const [folder, language] = isClone ? ['src', 'ts'] : ['dist', 'js'];

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) runPinned();
else {
  // Set for worker threads, which look there themselves; without it each would compile everything anew.
  const cache = process.env.NODE_COMPILE_CACHE ?? cacheFolder();
  if (cache !== undefined) {
    process.env.NODE_COMPILE_CACHE = cache;
    nodeModule.enableCompileCache(cache);
  }
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { resolve, setFolder } = await import('./imports.js');
  const place = pathToFileURL(join(root, folder)).href + '/';
  setFolder(place, language);
  // What the service loads; the other commands need little of it.
  if (!isClone && process.argv.length === 3 && process.argv[2] === 'start') {
    const { useJoined } = await import('./joined.js');
    useJoined(place);
  }
  nodeModule.registerHooks({ resolve });
  await import(`${place}interfaces/cli/main.${language}`);
}

/** Beside the program; where it was installed by somebody else, in the own folder for such things, if there is one. */
function cacheFolder() {
  const beside = join(root, 'node_modules', '.cache', 'hark');
  try {
    mkdirSync(beside, { recursive: true });
    accessSync(beside, constants.W_OK);
    return beside;
  } catch {
    const home = process.env.XDG_CACHE_HOME || folderOfUser('.cache');
    return home && join(home, 'hark', 'compiled');
  }
}

/** None for a user whom the system does not know, as in a container that is run as any user. */
function folderOfUser(name) {
  try {
    return join(homedir(), name);
  } catch {
    return undefined;
  }
}

function runPinned() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (!existsSync(pinned)) {
    console.error(
      `hark needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}. ` +
        (isClone
          ? 'Install a newer Node, or run "npm ci" in the folder of hark, which brings one along.'
          : 'Install a newer one: https://nodejs.org/en/download, or "nvm install 24".'),
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
  child.on('exit', (code, signal) =>
    process.exit(code ?? 128 + (signal ? systemConstants.signals[signal] : 0)),
  );
}
