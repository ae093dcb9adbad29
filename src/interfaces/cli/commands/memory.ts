import type { Command } from 'commander';
import { addBelieving } from '../memory/believing.ts';
import { addExporting } from '../memory/exporting.ts';
import { addFinding } from '../memory/finding.ts';
import { addForgetting } from '../memory/forgetting.ts';
import { addImporting } from '../memory/importing.ts';
import { addMaintaining } from '../memory/maintaining.ts';

export function addMemory(program: Command): void {
  const memory = program.command('memory').description('what a running service remembers');
  addFinding(memory);
  addBelieving(memory);
  addMaintaining(memory);
  addImporting(memory);
  addExporting(memory);
  addForgetting(memory);
}
