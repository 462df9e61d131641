import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line, SeenBank, SeenCall } from '../../api/trials/trial.ts';

/** What the processes of one run have recorded. */
export interface Recording {
  readonly banks: readonly SeenBank[];
  /** In the order of each process. */
  readonly calls: readonly SeenCall[];
  /** The trials that an answer would have heard, each with the operation. */
  readonly heard: ReadonlyMap<string, string>;
  /** Whether the trial changed the settings of a bank, or acted on a call. */
  readonly isApplied: boolean;
}

/** Reads the recordings of a folder. The last line of a process that was killed may be cut: it is left out. */
export function readRecording(folder: string): Recording {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').flatMap(lineIn));
  return {
    banks: lines.flatMap((line) => ('opened' in line ? [line.opened] : [])),
    calls: lines.flatMap((line) => ('seen' in line ? [line.seen] : [])),
    isApplied: lines.some((line) => 'applied' in line || ('seen' in line && line.seen.did)),
    heard: new Map(lines.flatMap((line) => ('heard' in line ? [[line.heard, line.by] as const] : []))),
  };
}

function lineIn(text: string): Line[] {
  try {
    return text === '' ? [] : [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}

/** The calls of the interface, without the answers to SCAs. */
export function interfaceCalls({ calls }: Recording): readonly SeenCall[] {
  return calls.filter(({ call }) => !call.includes('/sandbox/sca/'));
}
