import type { ParseArgsOptionsConfig } from 'node:util';
import { quote } from '../../engine/values/text.ts';
import { addressFile, readConfig, type Config } from '../../api/start/config.ts';
import { parseFlags, WrongFlags } from '../../api/start/parse-flags.ts';
import { flagOf, settings, type Setting } from '../../api/start/settings.ts';
import type { Terminal } from './terminal.ts';
import { WrongUse, type Command } from './command.ts';

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** The parsed command line of a command: its words, its own flags and the settings. */
export class Arguments {
  readonly words: readonly string[];
  /** The words that start a command here ({@link Terminal.program}). */
  readonly program: string;
  readonly #values: Values;
  readonly #env: Terminal['env'];

  constructor(words: readonly string[], values: Values, { env, program }: Pick<Terminal, 'env' | 'program'>) {
    this.words = words;
    this.program = program;
    this.#values = values;
    this.#env = env;
  }

  /** Whether the flag was given. */
  has(flag: string): boolean {
    return this.#values[flag] !== undefined;
  }

  /** The last value of a flag; undefined if it was not given. */
  text(flag: string): string | undefined {
    return this.texts(flag).at(-1);
  }

  /** Every value of a flag. */
  texts(flag: string): string[] {
    return [this.#values[flag] ?? []].flat().filter((value) => typeof value === 'string');
  }

  /** Whether a setting was given, as a flag or in the environment. */
  isSet(flag: string): boolean {
    const setting = settings.find((each) => flagOf(each) === flag);
    return this.has(flag) || (setting !== undefined && (this.#env[setting.name] ?? '') !== '');
  }

  /** An environment variable that is no setting. */
  variable(name: string): string | undefined {
    return this.#env[name];
  }

  /** The file in which a server leaves its address; null: none. */
  addressFile(): string | null {
    return addressFile(this.#env);
  }

  /** The settings: flag, else environment variable, else default. Throws a ConfigError for a wrong value. */
  config(): Config {
    const flags = settings.map(flagOf).flatMap((flag) => {
      const value = this.text(flag);
      return value === undefined ? [] : [`--${flag}=${value}`];
    });
    return readConfig(this.#env, flags);
  }
}

/** Parses the command line of a command. Throws a WrongUse; for an unknown flag it names the nearest one. Of a flag that is given again the last value counts. */
export function readArguments(command: Command, args: readonly string[], terminal: Terminal): Arguments {
  const options = optionsOf(command);
  const { values, positionals } = parse(withValues(command, args), options);
  const given = new Arguments(positionals, values, terminal);
  const empty = command.flags.find(
    ({ name, mayBeEmpty, mayBeAlone }) => mayBeEmpty !== true && mayBeAlone !== true && given.texts(name).includes(''),
  );
  if (empty !== undefined) throw new WrongUse(`--${empty.name} is empty: expected ${empty.value ?? ''}`);
  const [least, most] = command.words;
  if (positionals.length < least) throw new WrongUse(`something is missing: ${command.name} ${command.usage}`);
  const tooMuch = positionals[most];
  if (tooMuch !== undefined) throw new WrongUse(`${quote(tooMuch)} is one word too many`);
  return given;
}

/** The words with an empty value for each flag that stands alone and may. */
function withValues(command: Command, args: readonly string[]): string[] {
  const alone = new Set(command.flags.filter(({ mayBeAlone }) => mayBeAlone === true).map(({ name }) => `--${name}`));
  return args.map((word, at) => (alone.has(word) && /^-|^$/.test(args[at + 1] ?? '') ? `${word}=` : word));
}

/** The settings that a command takes as flags and shows in its help. */
export function settingsOf(command: Command): readonly Setting[] {
  return command.settings === 'all' ? settings : settings.filter(({ name }) => command.settings.includes(name));
}

function optionsOf(command: Command): ParseArgsOptionsConfig {
  const accepted = command.takesAllSettings === true ? settings : settingsOf(command);
  const fromSettings = accepted.map((setting) => [flagOf(setting), { type: 'string', multiple: true }] as const);
  const own = command.flags.map(({ name, value, short }) => {
    const type = value === undefined ? 'boolean' : 'string';
    return [name, { type, multiple: value !== undefined, ...(short !== undefined && { short }) }] as const;
  });
  return Object.fromEntries([...fromSettings, ...own]);
}

function parse(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    return parseFlags({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw error instanceof WrongFlags ? new WrongUse(error.message) : error;
  }
}
