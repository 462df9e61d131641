import { readFileSync, statSync } from 'node:fs';
import { memberOf, type Members } from '../../api/bodies/rule.ts';
import { quote } from '../../engine/values/text.ts';
import { reading } from '../cli/file-input.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** A header, or a parameter of a query, as HAR has it. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** The text of bytes in UTF-8, or null if they are not UTF-8. */
export function utf8Of(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Largest file, in bytes. */
export const harLimit = 256 * 1024 * 1024;

/**
 * Reads the items of `log.entries` of a HAR file, in their order. Throws a WrongUse for a file that
 * cannot be read, and a Mistake of one line for one that is no whole HAR or has more than 256 MB. The entries are those
 * of a stranger: of any JSON type.
 */
export function readHar(file: string): readonly unknown[] {
  const { size } = reading(file, () => statSync(file));
  const text = size > harLimit ? null : reading(file, () => readFileSync(file, 'utf8')).replace(/^\uFEFF/, '');
  // A pipe has no size before it is read.
  if (text === null || text.length > harLimit) throw wrongHar(file, 'it has more than 256 MB');
  if (!/\S/.test(text)) throw wrongHar(file, 'it is empty');
  let har: unknown;
  try {
    har = JSON.parse(text);
  } catch {
    throw wrongHar(file, /^\s*\{/.test(text) ? 'it is cut, or no JSON' : 'it is no JSON object');
  }
  const { entries } = Object(memberOf(har, 'log')) as Members;
  if (!Array.isArray(entries)) throw wrongHar(file, 'it has no log.entries, as HAR 1.2 has them');
  return entries;
}

function wrongHar(file: string, why: string): Mistake {
  return new Mistake(`${quote(file, 200)} is no recording: ${why}`);
}
