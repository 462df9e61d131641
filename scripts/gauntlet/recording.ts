import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOr } from '../../engine/values/json-text.ts';
import type { SeenCall } from '../../api/quirks/hearing.ts';
import type { Line } from '../../api/gauntlet/trial.ts';

/** What the processes of one run have recorded. */
export interface Recording {
  /** In the order of each process. */
  readonly calls: readonly SeenCall[];
  /** The names of the trials that the bank itself has heard. */
  readonly heard: ReadonlySet<string>;
  /** Whether the trial changed a bank or acted on a call. */
  readonly isApplied: boolean;
}

/** Reads the recordings of a folder. The last line of a process that was killed may be cut: it is left out. */
export function readRecording(folder: string): Recording {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap((text) => jsonOr(text, []) as Line | []);
  const calls = lines.flatMap((line) => ('seen' in line ? [line.seen] : []));
  return {
    calls,
    heard: new Set(lines.flatMap((line) => ('heard' in line ? [line.heard] : []))),
    isApplied: lines.some((line) => 'applied' in line) || calls.some(({ did }) => did),
  };
}

/** The calls of the interface, without answers to SCAs and the openings of banks. */
export function interfaceCalls({ calls }: Recording): readonly SeenCall[] {
  return calls.filter(({ call }) => / \S*\/v1\//.test(call));
}
