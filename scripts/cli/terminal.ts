import { processEnvironment } from '../../api/start/config.ts';

/** Output and environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal, where a line can be redrawn. */
  readonly isInteractive: boolean;
  /** A line for standard output. */
  out(line: string): void;
  /** A line for standard error. */
  error(line: string): void;
  /** Writes to standard output without an end of line. */
  draw(text: string): void;
}

const env = processEnvironment();

/** The terminal of this process. */
export const processTerminal: Terminal = {
  env,
  isInteractive: process.stdout.isTTY === true && env['TERM'] !== 'dumb',
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  draw: (text) => void process.stdout.write(text),
};
