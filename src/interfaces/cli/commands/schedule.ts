import type { Command } from 'commander';
import { addChanging } from '../schedule/changing.ts';
import { addCreating } from '../schedule/creating.ts';
import { addListing } from '../schedule/listing.ts';

export function addSchedule(program: Command): void {
  const schedule = program.command('schedule').description('what a running service does later');
  addCreating(schedule);
  addListing(schedule);
  addChanging(schedule);
}
