import { processEnvironment } from '../../api/start/config.ts';
import { ownProgramLine } from '../../api/start/program-line.ts';

/** Output and environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start a command here, for lines to paste: `npx sandbank`. */
  readonly program: string;
  /** Whether standard output is a terminal, where a line can be redrawn. */
  readonly isInteractive: boolean;
  /** Whether standard output takes colours. */
  readonly isColoured: boolean;
  /** A line for standard output. */
  out(line: string): void;
  /** A line for standard error. */
  error(line: string): void;
  /** Writes to standard output without an end of line. */
  draw(text: string): void;
}

/** Codes of ANSI (SGR). */
const colours = { red: 31, green: 32, yellow: 33 } as const;

/** The text in a colour where colours are shown, else as it is. */
export function inColour(terminal: Terminal, colour: keyof typeof colours, text: string): string {
  return terminal.isColoured ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text;
}

/** Colours are for a terminal: `NO_COLOR` (no-color.org) switches them off there, `FORCE_COLOR` on everywhere; 0 is off. */
export function wantsColours(variables: Terminal['env'], isInteractive: boolean): boolean {
  if ((variables['NO_COLOR'] ?? '') !== '') return false;
  const forced = variables['FORCE_COLOR'] ?? '';
  return forced === '' ? isInteractive : forced !== '0';
}

const env = processEnvironment();
const isInteractive = process.stdout.isTTY === true && env['TERM'] !== 'dumb';

/** The terminal of this process. */
export const processTerminal: Terminal = {
  env,
  program: ownProgramLine(),
  isInteractive,
  isColoured: wantsColours(env, isInteractive),
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  draw: (text) => void process.stdout.write(text),
};
