import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { Credentials } from '../../../src/gateways/credentials/credentials.ts';

type Given = Partial<ConstructorParameters<typeof Credentials>[0]>;

/** A data directory of its own for a test, gone after it. */
export class DataDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'hark-credentials-'));

  constructor(t: TestContext) {
    t.onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** As a process that starts here sees them. */
  open(given: Given = {}): Credentials {
    return new Credentials({ directory: this.path, enforceSalt: false, ...given });
  }

  file(name = 'credentials.json'): string {
    return join(this.path, name);
  }

  read(name?: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  write(text: string | Buffer, name?: string): void {
    writeFileSync(this.file(name), text, { mode: 0o600 });
  }

  names(): string[] {
    return readdirSync(this.path).sort();
  }

  mode(name: string): number {
    return statSync(this.file(name)).mode & 0o777;
  }

  fill(folder: string): void {
    cpSync(folder, this.path, { recursive: true });
  }
}
