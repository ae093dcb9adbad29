import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process of its own whose first line of JSON is its answer. */
export async function startHelper<Answer>(
  file: URL,
  asked: unknown = null,
  options: readonly string[] = [],
): Promise<{ readonly answer: Answer; readonly stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [...options, fileURLToPath(file), JSON.stringify(asked)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { value = '' } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
  return { answer: JSON.parse(value), stop };
}

/** For what ends by itself. */
export async function askHelper<Answer>(
  file: URL,
  asked: unknown,
  options?: readonly string[],
): Promise<Answer> {
  const { answer, stop } = await startHelper<Answer>(file, asked, options);
  await stop();
  return answer;
}
