import { CoverageReporter } from './coverage/coverage-reporter.ts';
import type { CoverageReporterOptions } from './reporter-types.ts';

/** Reports what the tests have not met. In vitest's configuration: `reporters: ['default', ['sandbank/vitest-reporter', { min: 20 }]]`. */
export default class VitestCoverageReporter {
  readonly #coverage: CoverageReporter;

  constructor(options?: CoverageReporterOptions) {
    this.#coverage = new CoverageReporter(options);
  }

  onInit(): void {
    this.#coverage.start();
  }

  /** In watch mode each run has a report of its own. */
  onTestRunStart(): void {
    this.#coverage.start();
  }

  /** Vitest until 3. */
  onFinished(): void {
    this.onTestRunEnd();
  }

  /** Vitest from 3 on; a second call has nothing left to report. */
  onTestRunEnd(): void {
    const failure = this.#coverage.finish((line) => console.log(line));
    if (failure === null) return;
    console.error(`Sandbank coverage: ${failure}.`);
    process.exitCode = 1;
  }
}
