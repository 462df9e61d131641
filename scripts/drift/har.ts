import { readFileSync, statSync } from 'node:fs';
import { memberOf, type Members } from '../../engine/values/members.ts';
import { quote } from '../../engine/values/text.ts';
import { reading } from '../cli/file-input.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** A header, or a parameter of a query, as HAR has it. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** The members of an entry of HAR 1.2 that a replay reads. `time` in ms; `_bankTime`: the clock of a Sandbank at the answer, ISO 8601. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HarPair[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly HarPair[];
    readonly content: { readonly mimeType: string; readonly text?: string };
  };
  readonly _bankTime?: string;
}

/** The text of bytes in UTF-8; null: they are not UTF-8. */
export function utf8Of(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The part of a recording beside its entries. */
export interface HarLog {
  readonly version: string;
  readonly creator: { readonly name: string; readonly version: string };
}

/** Largest file, in bytes. */
export const harLimit = 256 * 1024 * 1024;

/**
 * Reads a HAR file: its items of `log.entries`, in their order, and what stands beside them. Throws a WrongUse for a file that cannot be read,
 * and a Mistake of one line for one that is no whole HAR or has more than 256 MB. The entries are those of a stranger: of any JSON type.
 */
export function readHar(file: string): HarLog & { readonly entries: readonly unknown[] } {
  const { size } = reading(file, () => statSync(file));
  const text = size > harLimit ? null : reading(file, () => readFileSync(file, 'utf8')).replace(/^\uFEFF/, '');
  // A pipe has no size before it is read.
  if (text === null || text.length > harLimit) throw wrongHar(file, 'it has more than 256 MB');
  if (!/\S/.test(text)) throw wrongHar(file, 'it is empty');
  // Of two lists JSON.parse would keep one, and nobody would look through the other.
  const written = text.match(/"entries"\s*:\s*\[/g)?.length ?? 0;
  let kept = 0;
  const countLists = (name: string, value: unknown): unknown => {
    if (name === 'entries' && Array.isArray(value)) kept += 1;
    return value;
  };
  let har: unknown;
  try {
    har = JSON.parse(text, written > 1 ? countLists : undefined);
  } catch {
    throw wrongHar(file, /^\s*\{/.test(text) ? 'it is cut, or no JSON' : 'it is no JSON object');
  }
  if (written > 1 && kept < written) throw wrongHar(file, 'it has two lists of entries');
  const { version, creator, entries } = Object(memberOf(har, 'log')) as Members;
  if (!Array.isArray(entries)) throw wrongHar(file, 'it has no log.entries, as HAR 1.2 has them');
  const { name = '', version: made = '' } = Object(creator) as Members;
  return {
    version: String(version),
    creator: { name: String(name), version: String(made) },
    entries,
  };
}

function wrongHar(file: string, why: string): Mistake {
  return new Mistake(`${quote(file, 200)} is no recording: ${why}`);
}

/** Writes a recording in one piece, as the tests and `sandbank proxy --record` make them. */
export function harText(log: HarLog, entries: readonly HarEntry[]): string {
  return `${JSON.stringify({ log: { ...log, entries } })}\n`;
}
