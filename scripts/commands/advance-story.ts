import type { Terminal } from '../cli/terminal.ts';
import { formatTime } from '../cli/output.ts';

/** A run, as the control plane reports it. */
export interface RunAnswer {
  readonly id: string;
  readonly at: string;
  readonly settled: number;
  readonly retried: number;
  readonly rejected: number;
  readonly booked: number;
  readonly registered: number;
}

/** The answer to an advance. */
export interface AdvanceAnswer {
  readonly from: string;
  readonly to: string;
  readonly runs: readonly RunAnswer[];
  readonly skippedEmptyRuns: number;
  readonly reached?: boolean;
}

const counts = ['settled', 'retried', 'rejected', 'booked', 'registered'] as const;
const barLength = 30;

/** Prints an advance while it goes on: a row for each run with work and, on a terminal, a progress bar. */
export class AdvanceStory {
  readonly #terminal: Terminal;
  #hasRows = false;
  #bar = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  progress({ at, done }: { readonly at: string; readonly done: number }): void {
    if (!this.#terminal.isInteractive) return;
    const full = Math.floor(done * barLength);
    const percent = `${Math.floor(done * 100)}`.padStart(3);
    this.#bar = `[${'#'.repeat(full).padEnd(barLength, '.')}] ${percent} %  ${formatTime(at)}`;
    this.#terminal.draw(`\r${this.#bar}`);
  }

  run(run: RunAnswer): void {
    this.clear();
    if (!this.#hasRows) this.#terminal.out(row('Run', 'Oslo', counts));
    this.#hasRows = true;
    const figures = counts.map((name) => String(run[name]));
    this.#terminal.out(row(run.id, run.at.slice(11, 16), figures));
    if (this.#bar !== '') this.#terminal.draw(this.#bar);
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#bar !== '') this.#terminal.draw('\r\u001b[2K');
  }

  end({ from, to, runs, skippedEmptyRuns }: AdvanceAnswer): void {
    this.clear();
    this.#bar = '';
    const totals = counts.map((name) => `${runs.reduce((sum, run) => sum + run[name], 0)} ${name}`);
    const did = runs.length === 0 ? '' : `: ${totals.join(', ')}`;
    this.#terminal.out(
      `${runs.length} ${runs.length === 1 ? 'run' : 'runs'} with work, ${skippedEmptyRuns} without${did}.`,
    );
    this.#terminal.out(`The bank clock went from ${from} to ${to}.`);
  }
}

function row(id: string, time: string, figures: readonly string[]): string {
  const cells = figures.map((figure) => figure.padStart(12));
  return `${id.padEnd(14)}${time.padEnd(5)}${cells.join('')}`;
}
