import { CoverageReporter } from './coverage/coverage-reporter.ts';
import type { CoverageReporterOptions } from './reporter-types.ts';

/** Reports what the tests have not met. In jest's configuration: `reporters: ['default', ['sandbank/jest-reporter', { min: 20 }]]`. */
export default class JestCoverageReporter {
  readonly #coverage: CoverageReporter;
  #failure: string | null = null;

  constructor(_globalConfig: unknown, options?: CoverageReporterOptions) {
    this.#coverage = new CoverageReporter(options);
  }

  onRunStart(): void {
    this.#coverage.start();
  }

  onRunComplete(): void {
    this.#failure = this.#coverage.finish((line) => console.log(line));
    if (this.#failure !== null) console.error(`Sandbank coverage: ${this.#failure}.`);
  }

  /** Jest ends with exit code 1 for it. */
  getLastError(): Error | undefined {
    return this.#failure === null ? undefined : new Error(this.#failure);
  }
}
