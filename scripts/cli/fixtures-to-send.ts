import type { Arguments } from './arguments.ts';
import { WrongUse } from './command.ts';
import { readInput } from './file-input.ts';

/**
 * The value of --fixtures for a call of the control plane: a name as it is, of a file its JSON, since a server reads no path that a caller names.
 * Throws a WrongUse for a file that cannot be read. Undefined: the flag was not given.
 */
export function fixturesToSend(given: Arguments): string | object | undefined {
  const text = given.text('fixtures');
  if (text === undefined || /^[\w-]+$/.test(text)) return text;
  const source = `--fixtures ${text}`;
  try {
    const value: unknown = JSON.parse(readInput(source, text).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (error instanceof WrongUse) throw error;
  }
  throw new WrongUse(`${source} is no JSON object`);
}
