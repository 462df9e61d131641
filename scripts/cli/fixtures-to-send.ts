import { WrongUse } from './command.ts';
import { readInput } from './file-input.ts';

/**
 * A value of --fixtures for a call of the control plane: a name as it is, of a file its JSON, since a server reads no path that a caller names.
 * Throws a WrongUse for a file that cannot be read.
 */
export function fixturesToSend(text: string): string | object {
  if (/^[\w-]+$/.test(text)) return text;
  const source = `--fixtures ${text}`;
  try {
    const value: unknown = JSON.parse(readInput(source, text).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (error instanceof WrongUse) throw error;
  }
  throw new WrongUse(`${source} is no JSON object`);
}
