import type { Command } from 'commander';
import { addBelieving } from '../memory/believing.ts';
import { addExporting } from '../memory/exporting.ts';
import { addFinding } from '../memory/finding.ts';
import { addForgetting } from '../memory/forgetting.ts';
import { addImporting } from '../memory/importing.ts';

export function addMemory(program: Command): void {
  const memory = program.command('memory').description('what a running service remembers');
  addFinding(memory);
  addBelieving(memory);
  addImporting(memory);
  addExporting(memory);
  addForgetting(memory);
}
