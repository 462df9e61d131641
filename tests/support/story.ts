import { expect } from '@jest/globals';
import type { Bank, BankOptions } from '../../engine/open-bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import type { RunReport } from '../../engine/time/rules/settlement-run.ts';
import { memoryBank } from '../lab/bank.ts';
import { osloTime } from './oslo-time.ts';
import { storyCommands, type StoryState } from './story-commands.ts';

/**
 * A story is a table of steps, one to a line: `step | outcome`. A step without an outcome must only not be refused.
 * The whole table is compared at once, so that a failure shows every step that went another way.
 *
 *     at 2027-03-24 12:00
 *     pay  rent 100.00 nora -> shop on 2027-03-25 | RCVD, moved to 2027-03-30
 *     sign rent                                   | ACSP
 *     at 2027-03-30 05:30                         | 2027-03-30/1 settled 1
 *
 * The commands are those of story-commands.ts. Times are Oslo's; `at` carries out the runs up to it.
 */
export async function tell(text: string, options: Partial<BankOptions> = {}): Promise<StoryState> {
  const begin = /^\s*at\s+(\S+\s+\S+)/.exec(text)?.[1]?.replace(/\s+/, ' ');
  if (begin === undefined) throw new Error('a story begins with: at DATE TIME');
  const bank = await memoryBank(new Date(osloTime(begin)).toISOString(), options);
  const state = newStory(bank);
  await goOn(state, text);
  return state;
}

/** A story about a bank that is open already. */
export function newStory(bank: Bank): StoryState {
  return { bank, payments: new Map(), scas: new Map() };
}

/** Tells more of a story. */
export async function goOn(state: StoryState, text: string): Promise<void> {
  const expected: string[] = [];
  const told: string[] = [];
  for (const line of text.trim().split('\n')) {
    const [step = '', outcome] = line.split('|').map((part) => part.trim().replaceAll(/\s+/g, ' '));
    const actual = await carryOut(state, step);
    expected.push(outcome === undefined ? step : `${step} | ${outcome}`);
    told.push(outcome === undefined && !actual.startsWith('refused') ? step : `${step} | ${actual}`);
  }
  expect(told.join('\n')).toBe(expected.join('\n'));
}

function carryOut(state: StoryState, step: string): Promise<string> {
  const [verb = '', ...words] = step.split(' ');
  if (verb === 'at') return advance(state.bank, osloTime(words.join(' ')));
  const command = storyCommands[verb];
  if (command === undefined) throw new Error(`no story command: ${step}`);
  return command(state, words);
}

async function advance(bank: Bank, to: Instant): Promise<string> {
  const { runs } = await advanceClock(bank, to);
  return runs.length === 0 ? 'no runs' : runs.map(runInWords).join('; ');
}

/** `2027-03-30/1 settled 1, booked 2`: what is zero is left out. */
export function runInWords(run: RunReport): string {
  const counts = ['settled', 'retried', 'rejected', 'booked', 'registered'] as const;
  const told = counts.filter((name) => run[name] > 0).map((name) => `${name} ${run[name]}`);
  return `${run.id} ${told.join(', ') || 'closed'}`;
}
