import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from './error-text.ts';
import { nearest } from '../faults/nearest.ts';

/** A wrong command line: one line for the person who typed it. */
export class WrongFlags extends Error {}

/** Node's parseArgs. Throws a WrongFlags, which names the nearest flag to an unknown one. */
export function parseFlags<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new WrongFlags(problemOf(error, Object.keys(config.options ?? {})));
  }
}

/** Replaces Node's text for an unknown flag, whose advice is about arguments that begin with a hyphen. */
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
