import { Command as Parser, Option } from 'commander';
import { quote } from '../../engine/values/text.ts';
import { readConfig, type Config } from '../../api/start/config.ts';
import { settings, type Setting } from '../../api/start/settings.ts';
import type { TrialSettings } from '../../api/gauntlet/own-trial.ts';
import type { Terminal } from './terminal.ts';
import { nearestHint } from './output.ts';
import { bankFlag, jsonFlag, WrongUse, type Flags } from './command.ts';

/** A command, as the command line, `--help` and docs/commands.md have it. */
export interface Command {
  readonly name: string;
  /** The words and necessary flags after the name. `usageOf` adds the other flags. */
  readonly usage?: string;
  /** What it does, as one sentence. */
  readonly summary: string;
  readonly flags: Flags;
  /** Environment names of the settings that are also flags of the command, or `all`. */
  readonly settings: readonly string[] | 'all';
  /** Least and greatest number of words. By default the command takes none. */
  readonly words?: readonly [least: number, most: number];
  /** Further paragraphs at the end of its help. */
  readonly notes: readonly string[];
  /** Command lines that a test runs unchanged, in this order, on a newly started bank. */
  readonly examples: readonly string[];
  /** Throws a Mistake (exit code 2) or a CommandFailed (1) for what the user can correct. */
  run(given: Arguments, terminal: Terminal): Promise<void>;
}

/** The parsed command line of a command: its words, its own flags and the settings. */
export class Arguments {
  readonly words: readonly string[];
  /** The words that start a command here ({@link Terminal.program}). */
  readonly program: string;
  /** Environment variables, also those that are no settings. */
  readonly env: Terminal['env'];
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(
    words: readonly string[],
    values: ReadonlyMap<string, unknown>,
    { env, program }: Pick<Terminal, 'env' | 'program'>,
  ) {
    this.words = words;
    this.program = program;
    this.#values = values;
    this.env = env;
  }

  /** Whether the flag was given. */
  has(flag: string): boolean {
    return this.#values.get(flag) !== undefined;
  }

  /** The last value of a flag; undefined if it was not given. */
  text(flag: string): string | undefined {
    return this.texts(flag).at(-1);
  }

  /** Every value of a flag. */
  texts(flag: string): string[] {
    return [this.#values.get(flag) ?? []].flat().filter((value) => typeof value === 'string');
  }

  /** The given ones of these flags, with their last values. */
  pairs(flags: readonly string[]): [flag: string, value: string][] {
    return flags.flatMap((flag) => {
      const value = this.text(flag);
      return value === undefined ? [] : [[flag, value]];
    });
  }

  /** Whether a setting was given, as a flag or in the environment. */
  isSet(flag: string): boolean {
    const setting = settings.find((each) => each.flag === flag);
    return this.has(flag) || (setting !== undefined && (this.env[setting.name] ?? '') !== '');
  }

  /**
   * The settings: flag, else environment variable, else default. `own`: flags that this command uses for something
   * else. Throws a Mistake for a wrong value.
   */
  config(own: readonly string[] = []): Config {
    return readConfig(this.env, this.#settings(own));
  }

  /**
   * The settings with those of the profile that they name: flag, else environment variable, else profile, else default;
   * under a trial over what it sets (docs/spec/control-plane.md GA2).
   */
  async configOfProfile(trial: TrialSettings | null = null): Promise<Config> {
    // Loaded here only, so that the other commands start faster.
    const { profileNamed, readConfigOfProfile } = await import('../../api/start/profile.ts');
    if (trial === null) return readConfigOfProfile(this.env, this.#settings());
    const profile = await profileNamed(this.env, this.#settings());
    return trial.read((beneath, ofTrial) => readConfig(this.env, this.#settings(), profile ?? ofTrial, beneath));
  }

  #settings(own: readonly string[] = []): string[] {
    const flags = settings.map(({ flag }) => flag).filter((flag) => !own.includes(flag));
    const switches = flags.filter((flag) => this.#values.get(flag) === true);
    return [...this.pairs(flags), ...switches.map((flag) => [flag, '1'])].map(([flag, value]) => `--${flag}=${value}`);
  }
}

/**
 * Parses the command line of a command. The last value of a repeated flag wins. A value that begins with two hyphens
 * follows after `=`. Throws a WrongUse; for an unknown flag it names the nearest one.
 */
export function readArguments(command: Command, args: readonly string[], terminal: Terminal): Arguments {
  const parser = parserOf({ ...flagsOf(settingsOf(command)), ...command.flags });
  const known = parser.options;
  refuseMissingValues(known, args);
  const { operands, unknown } = parser.parseOptions([...args]);
  const [wrong] = unknown;
  if (wrong !== undefined) throw new WrongUse(unknownFlag(wrong, known));
  const values = new Map(
    known.map((option) => [option.name(), parser.getOptionValue(option.attributeName()) as unknown]),
  );
  const given = new Arguments(operands, values, terminal);
  const empty = optionsOf(command.flags).find((option) => option.required && given.texts(option.name()).includes(''));
  if (empty !== undefined) throw new WrongUse(`--${empty.name()} is empty`);
  const [least, most] = command.words ?? [0, 0];
  if (operands.length < least) throw new WrongUse(`something is missing: ${command.name} ${command.usage ?? ''}`);
  const tooMuch = operands[most];
  if (tooMuch !== undefined) throw new WrongUse(`${quote(tooMuch)} is one word too many`);
  return given;
}

/** The settings that a command takes as flags and shows in its help. */
export function settingsOf(command: Command): readonly Setting[] {
  return command.settings === 'all' ? settings : settings.filter(({ name }) => command.settings.includes(name));
}

/**
 * The name of the command, and its command line with the flags before the name, without a `--` right behind the name:
 * gauntlet keeps it, before a command line of others. Null where flags of `serve` stand alone.
 */
export function splitCommand(
  args: readonly string[],
): { readonly name: string; readonly others: readonly string[] } | null {
  const leading = optionsOf({ ...bankFlag, ...jsonFlag, ...flagsOf(settings) });
  let at = 0;
  for (let word = args[0]; word?.startsWith('-') === true; word = args[at]) {
    const [flag = ''] = word.split('=');
    const option = leading.find(({ long }) => long === flag);
    if (option === undefined) return null;
    // A value may be missing here: the command tells.
    at += option.required && flag === word && args[at + 1]?.startsWith('-') === false ? 2 : 1;
  }
  const [name, ...rest] = args.slice(at);
  if (name === undefined) return null;
  if (rest[0] === '--' && name !== 'gauntlet') rest.shift();
  return { name, others: [...args.slice(0, at), ...rest] };
}

function flagsOf(accepted: readonly Setting[]): Flags {
  return Object.fromEntries(
    accepted.map(({ flag, isSwitch, what }) => [isSwitch === true ? `--${flag}` : `--${flag} <VALUE>`, what]),
  );
}

/** The flags as commander has them. */
export function optionsOf(flags: Flags): Option[] {
  return Object.entries(flags).map(([flag, what]) => new Option(flag, what));
}

/** commander's parser of these flags. A flag with a value has a list of its values. */
function parserOf(flags: Flags): Parser {
  const parser = new Parser();
  for (const option of optionsOf(flags)) {
    if (!option.isBoolean()) option.preset('').argParser((text, before: string[] = []) => [...before, text]);
    parser.addOption(option);
  }
  return parser;
}

/** Refuses a flag as the value of another, which commander would take. */
function refuseMissingValues(known: readonly Option[], args: readonly string[]): void {
  const end = args.indexOf('--');
  for (const [at, word] of args.slice(0, end === -1 ? undefined : end).entries()) {
    const option = known.find(({ long, short }) => long === word || short === word);
    if (option?.required !== true) continue;
    const value = args[at + 1];
    if (value === undefined) throw new WrongUse(`${word} has no value`);
    if (!/^(?:--|-[a-z]$)/i.test(value)) continue;
    const whole = asTyped(`--${option.name()}=${value}`);
    throw new WrongUse(`${word} has no value; if ${quote(value)} is meant as one, write ${whole}`);
  }
}

function unknownFlag(typed: string, known: readonly Option[]): string {
  const [flag = ''] = typed.split('=');
  if (flag !== typed && known.some(({ long }) => long === flag)) return `${flag} takes no value`;
  const names = known.map((option) => option.name());
  if (flag === '--bank') return '--bank goes with a command for a running bank, as in "sandbank status --bank demo"';
  return `${asTyped(flag)} is no flag here${nearestHint(flag.replace(/^-+/, ''), names, '--')}`;
}

/** The text as it was typed if it is plain and short, else quoted. */
function asTyped(text: string): string {
  return /^[\w.=-]{1,60}$/.test(text) ? text : quote(text, 60);
}
