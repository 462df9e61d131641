import { parseArgs, type ParseArgsConfig } from 'node:util';
import { quote } from '../../engine/values/text.ts';
import { nearest } from '../faults/nearest.ts';

/** A wrong command line: one line for the person who typed it. */
export class WrongFlags extends Error {}

/**
 * Node's parseArgs with our texts: throws a WrongFlags, which names the nearest known flag. A value may begin with one hyphen (`--runs
 * -1`), so that its reader says what it expects.
 */
export function parseFlags<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  const { args = process.argv.slice(2), options = {} } = config;
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  const flags: string[] = [];
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind === 'option') flags.push(checked(token, options));
  }
  const [first] = words;
  if (first !== undefined && config.allowPositionals !== true)
    throw new WrongFlags(`${quote(first)} is one word too many`);
  const whole: Config = { ...config, args: words.length === 0 ? flags : [...flags, '--', ...words] };
  return parseArgs(whole);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** The flag as one word that parseArgs takes. */
function checked({ name, rawName, value, inlineValue }: OptionToken, options: ParseArgsConfig['options'] = {}): string {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw new WrongFlags(unknownFlag(rawName, Object.keys(options)));
  if (option.type === 'boolean') {
    if (value !== undefined) throw new WrongFlags(`${rawName} takes no value`);
    return `--${name}`;
  }
  if (value === undefined) throw new WrongFlags(`${rawName} has no value`);
  if (inlineValue !== true && /^(?:--|-[a-z]$)/i.test(value)) {
    const whole = `--${name}=${value}`;
    throw new WrongFlags(`${rawName} has no value; if ${quote(value)} is meant as one, write ${oneWord(whole)}`);
  }
  return `--${name}=${value}`;
}

function unknownFlag(flag: string, names: readonly string[]): string {
  if (names.length === 0) return `${oneWord(flag)} is no flag here; there are none`;
  const hint = nearest(flag.replace(/^-+/, ''), names);
  return `${oneWord(flag)} is no flag here${hint === null ? '' : `; the nearest is --${hint}`}`;
}

/** As it was typed when it is plain and short, else quoted. */
function oneWord(text: string): string {
  return /^[\w.=-]{1,60}$/.test(text) ? text : quote(text, 60);
}
