/**
 * Names the tests that were skipped, such as those of a language that the machine lacks, and prints `N passed, N failed` as the
 * last line: jest's own summary has neither.
 */
export default class CountReporter {
  #isWhole;

  constructor({ testNamePattern }) {
    this.#isWhole = !testNamePattern;
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.testResults
      .flatMap(({ testResults }) => testResults)
      .filter(({ status }) => this.#isWhole && status === 'pending')
      .map(({ fullName }) => `skipped: ${fullName}`);
    // Once jest has written its summary (to stderr, after the reporters ran), so that this line ends the output.
    process.once('exit', () =>
      console.log([...skipped, `${results.numPassedTests} passed, ${failed} failed`].join('\n')),
    );
  }
}
