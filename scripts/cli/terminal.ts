import { processEnvironment } from '../../api/start/config.ts';

/** Where a command prints, and what it is told beside its arguments. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal, where a line can be drawn anew. */
  readonly isInteractive: boolean;
  /** A line for standard output. */
  out(line: string): void;
  /** A line for standard error. */
  error(line: string): void;
  /** Standard output as it is, without an end of line. */
  draw(text: string): void;
}

const env = processEnvironment();

/** That of this process. */
export const processTerminal: Terminal = {
  env,
  isInteractive: process.stdout.isTTY === true && env['TERM'] !== 'dumb',
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  draw: (text) => void process.stdout.write(text),
};
