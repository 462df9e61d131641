/** Prints `N passed, N failed` as the last line: jest's own summary has no line that a generic reader counts. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // Once jest has written its summary (to stderr, after the reporters ran), so that this line ends the output.
    process.once('exit', () => console.log(`${results.numPassedTests} passed, ${failed} failed`));
  }
}
