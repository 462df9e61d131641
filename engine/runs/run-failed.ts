import { clip } from '../values/text.ts';
import { formatInstant } from '../values/instant.ts';
import { runId, type SettlementRun, type RunReport } from '../time/rules/settlement-run.ts';

/**
 * A settlement run threw: its transaction is rolled back and the advance stops there (rules.md T5). Earlier runs stay; the
 * next advance begins with this run.
 */
export class RunFailed extends Error {
  readonly run: SettlementRun;
  /** The runs of this advance before it. */
  readonly before: readonly RunReport[];

  constructor(run: SettlementRun, before: readonly RunReport[], cause: unknown) {
    super(`run ${runId(run)} at ${formatInstant(run.at)} failed`, { cause });
    this.name = 'RunFailed';
    this.run = run;
    this.before = before;
  }

  /** The cause in one line, without a stack. */
  reason(): string {
    const text = this.cause instanceof Error ? this.cause.message : String(this.cause);
    return clip(text.split('\n')[0] ?? '', 300);
  }
}

/** The bank stops during a run: its transaction is rolled back, and the next start carries the run out. */
export class RunAbandoned extends Error {
  constructor() {
    super('the bank is stopping');
    this.name = 'RunAbandoned';
  }
}
