import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from './error-text.ts';
import { nearest } from '../faults/nearest.ts';

/** A command line that cannot be: one line for the person who typed it. */
export class WrongFlags extends Error {}

/** Node's parseArgs. Throws a WrongFlags, which names the nearest flag for one that there is not. */
export function parseFlags<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new WrongFlags(problemOf(error, Object.keys(config.options ?? {})));
  }
}

/** Node's texts end in advice about words that begin with a hyphen, which helps nobody who mistyped a flag. */
function problemOf(error: unknown, names: readonly string[]): string {
  const line = messageOf(error);
  const unknown = /^Unknown option '(-[^']*)'/.exec(line)?.[1];
  if (unknown === undefined) return line;
  const hint = names.length === 0 ? 'there are none' : `the nearest is ${nearestFlag(unknown, names)}`;
  return `${unknown} is no flag here; ${hint}`;
}

function nearestFlag(unknown: string, names: readonly string[]): string {
  return nearest(
    unknown,
    names.map((name) => `--${name}`),
  );
}
