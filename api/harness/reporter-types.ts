/* The options of `sandbank/jest-reporter` and `sandbank/vitest-reporter`. */
export interface CoverageReporterOptions {
  /** Also writes the report as one page of HTML. */
  readonly html?: string;
  /** The run fails if less of the behaviours was met, in per cent. */
  readonly min?: number;
  /** Only behaviours of a client that pays (`pisp`), or of one that reads accounts (`aisp`). */
  readonly for?: 'pisp' | 'aisp';
}
