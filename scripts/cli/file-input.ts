import { readFileSync } from 'node:fs';
import { isObject } from '../../api/quirks/json.ts';
import { closedToUs, fileReason } from '../../api/start/error-text.ts';
import { jsonOr } from '../../engine/values/json-text.ts';
import { quote } from '../../engine/values/text.ts';
import { CommandFailed, WrongUse } from './command.ts';

/**
 * Reads a file that the user named, or standard input for null. `source` is what was typed (`--data @body.json`).
 * Throws a WrongUse in our words.
 */
export function readInput(source: string, file: string | null): Buffer {
  return reading(source, () => readFileSync(file ?? 0));
}

/** Runs what reads a file. Throws a WrongUse in our words when it cannot be read; `source` is what was typed. */
export function reading<Result>(source: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new WrongUse(`${source} cannot be read: ${fileReason(error)}`);
  }
}

/**
 * Runs what writes files, or a file at this path. Throws a CommandFailed in our words for what the file system refuses;
 * rethrows the rest.
 */
export async function writing<Result>(file: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('syscall' in error)) throw error;
    // A full disk is told of an open file, without its path.
    const path = 'path' in error ? String(error.path) : file;
    // Whose a folder is does not matter to a full disk.
    const owner = 'code' in error && error.code === 'ENOSPC' ? '' : closedToUs(path);
    throw new CommandFailed(`${quote(path, 200)} cannot be used: ${fileReason(error)}${owner}`);
  }
}

/**
 * A value of --fixtures or --profile for a call of the control plane: a name as it is, of a file its JSON, since a
 * server reads no path that a caller names. Throws a WrongUse for a file that cannot be read.
 */
export function fixturesToSend(text: string, flag = 'fixtures'): string | object {
  if (/^[\w-]+$/.test(text)) return text;
  const source = `--${flag} ${text}`;
  const value = jsonOr(readInput(source, text).toString('utf8'), null);
  if (isObject(value)) return value;
  throw new WrongUse(`${source} is no JSON object`);
}
