import { main } from '../../scripts/cli/main.ts';
import type { Terminal } from '../../scripts/cli/terminal.ts';

export interface Ended {
  readonly code: number;
  /** Standard output, line by line. */
  readonly lines: readonly string[];
  readonly errors: readonly string[];
}

export interface Surroundings {
  readonly env?: Terminal['env'];
  readonly program?: string;
  readonly isInteractive?: boolean;
  /** Aborted when nobody reads the output any more. */
  readonly closed?: AbortSignal;
  /** Hears each line of standard output as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Runs the command line in this process, as a person at a terminal would. */
export async function runMain(
  args: readonly string[],
  {
    env = {},
    program = 'sandbank',
    isInteractive = false,
    closed = new AbortController().signal,
    onLine = () => undefined,
  }: Surroundings = {},
): Promise<Ended> {
  const lines: string[] = [];
  const errors: string[] = [];
  const terminal: Terminal = {
    env,
    program,
    isInteractive,
    closed,
    out: (line) => {
      lines.push(line);
      onLine(line);
    },
    print: (text) => void lines.push(...text.split('\n')),
    pass: (text) => void lines.push(...text.split('\n')),
    error: (line) => void errors.push(...line.split('\n')),
  };
  return { code: await main(args, terminal), lines, errors };
}
