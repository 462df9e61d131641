import { main } from '../../scripts/cli/main.ts';
import type { Terminal } from '../../scripts/cli/terminal.ts';

export interface Ended {
  readonly code: number;
  /** Standard output, line by line. */
  readonly lines: readonly string[];
  readonly errors: readonly string[];
  /** What was drawn without an end of line. */
  readonly drawn: readonly string[];
}

export interface Surroundings {
  readonly env?: Terminal['env'];
  readonly program?: string;
  readonly isInteractive?: boolean;
  readonly isColoured?: boolean;
}

/** Runs the command line in this process, as a person at a terminal would. */
export async function runMain(
  args: readonly string[],
  { env = {}, program = 'sandbank', isInteractive = false, isColoured = false }: Surroundings = {},
): Promise<Ended> {
  const lines: string[] = [];
  const errors: string[] = [];
  const drawn: string[] = [];
  const terminal: Terminal = {
    env,
    program,
    isInteractive,
    isColoured,
    out: (line) => void lines.push(line),
    print: (text) => void lines.push(...text.split('\n')),
    pass: (text) => void lines.push(...text.split('\n')),
    error: (line) => void errors.push(...line.split('\n')),
    draw: (text) => void drawn.push(text),
  };
  return { code: await main(args, terminal), lines, errors, drawn };
}
