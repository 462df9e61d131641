import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { recordingOf } from '../../scripts/drift/recording.ts';
import { tellDrift } from '../../scripts/drift/tell.ts';
import { baseRecording } from '../drift/planted.ts';
import { figure, type Figure, inOwnProcess } from './measure.ts';

/** Processor time of `sandbank drift` (rules.md DW1): a client's exchanges, again and again, in a process that has judged nothing. */
export async function figures(): Promise<Figure[]> {
  const { entries } = await baseRecording();
  const milliseconds = await inOwnProcess(import.meta.url, judge, { entries, count: 1_000 });
  return [figure('1,000 recorded exchanges judged, processor time', milliseconds, 'ms', { atMost: 1_000 })];
}

/** Judges so many of the exchanges; returns the processor time, in ms. Throws an Error if one differs. */
export async function judge({ entries, count }: { entries: readonly object[]; count: number }): Promise<number> {
  const all = Array.from({ length: count }, (_, at) => entries[at % entries.length]);
  const before = process.cpuUsage();
  const { differences } = await tellDrift(recordingOf(all), { quirks: noQuirks, accepted: new Set() });
  const { user, system } = process.cpuUsage(before);
  if (differences.length > 0) throw new Error(JSON.stringify(differences[0]));
  return (user + system) / 1_000;
}
