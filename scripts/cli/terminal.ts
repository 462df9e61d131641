import { processEnvironment } from '../../api/start/config.ts';
import { fileReason } from '../../api/start/error-text.ts';
import { ownProgramLine } from '../../api/start/program-line.ts';
import { escaped } from '../../engine/values/json-text.ts';

/** Output and environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start a command here, for lines to paste: `npx --no sandbank`. */
  readonly program: string;
  /** Whether standard output is a terminal. */
  readonly isInteractive: boolean;
  /** Aborted when nobody reads the output any more, as after `| head`: what is printed then is lost. */
  readonly closed: AbortSignal;
  /** Called when a server has said where it is. */
  readonly onReady?: (() => void) | undefined;
  /** A line for standard output: what would end it is escaped. */
  out(line: string): void;
  /** Lines for standard output. */
  print(lines: string): void;
  /** Bytes for another program, on standard output. */
  pass(text: string): void;
  /** Lines for standard error. */
  error(lines: string): void;
}

/** C0, DEL, C1, and what ends a line or changes the direction of letters. */
const control = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** The same, but for line feeds. */
const controlInLines = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A terminal that foreign text cannot control (docs/spec/control-plane.md C7): it escapes control characters as JSON
 * does, so JSON stays valid.
 */
export function guarded(terminal: Terminal): Terminal {
  return {
    ...terminal,
    out: (line) => terminal.out(line.replace(control, escaped)),
    print: (lines) => terminal.print(lines.replace(controlInLines, escaped)),
    error: (lines) => terminal.error(lines.replace(controlInLines, escaped)),
  };
}

const env = processEnvironment();
const isInteractive = process.stdout.isTTY === true && env['TERM'] !== 'dumb';

const closing = new AbortController();
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return closing.abort();
    console.error(`the output cannot be written: ${fileReason(error)}`);
    process.exit(1);
  });
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  env,
  program: ownProgramLine(),
  isInteractive,
  closed: closing.signal,
  out: (line) => console.log(line),
  print: (lines) => console.log(lines),
  pass: (text) => console.log(text),
  error: (line) => console.error(line),
};
