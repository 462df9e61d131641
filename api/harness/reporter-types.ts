/*
 * The types of `sandbank/jest-reporter` and `sandbank/vitest-reporter`. Published as they are, so nothing of ours is imported.
 */
export interface CoverageReporterOptions {
  /** Also writes the report as one page of HTML. */
  readonly html?: string;
  /** The run fails when less than so many per cent of the behaviours were met. */
  readonly min?: number;
  /** Only what concerns a client that pays (`pisp`) or one that reads accounts (`aisp`). */
  readonly for?: 'pisp' | 'aisp';
}

/** `reporters: ['default', ['sandbank/jest-reporter', { min: 20 }]]` in jest's configuration. */
export declare class JestCoverageReporter {
  constructor(globalConfig: unknown, options?: CoverageReporterOptions);
  onRunStart(): void;
  onRunComplete(): void;
  getLastError(): Error | undefined;
}

/** `reporters: ['default', ['sandbank/vitest-reporter', { min: 20 }]]` in vitest's configuration. */
export declare class VitestCoverageReporter {
  constructor(options?: CoverageReporterOptions);
  onInit(): void;
  onTestRunStart(): void;
  onTestRunEnd(): void;
  onFinished(): void;
}
