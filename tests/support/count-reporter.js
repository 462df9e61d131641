/** What the name of a skipped test, or of its suite, ends with: see test-with.ts. */
const reason = / \(skipped: (.+?)\)/;

/**
 * Prints `N passed, N failed` as the last line, which jest's own summary lacks, and above it how many tests were skipped, and why:
 * `123 skipped: no Chromium`, or `9 skipped: 7 no Go, 2 no JUnit`. Jest skips what a pattern of names leaves out too: then it counts none.
 */
export default class CountReporter {
  #isWhole;

  constructor({ testNamePattern }) {
    this.#isWhole = !testNamePattern;
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const lines = [`${results.numPassedTests} passed, ${failed} failed`];
    if (this.#isWhole && results.numPendingTests > 0) lines.unshift(skippedLine(results.testResults));
    // Once jest has written its summary (to stderr, after the reporters ran), so that this line ends the output.
    process.once('exit', () => console.log(lines.join('\n')));
  }
}

function skippedLine(files) {
  const skipped = files.flatMap(({ testResults }) => testResults).filter(({ status }) => status === 'pending');
  const byReason = Object.groupBy(skipped, ({ fullName }) => reason.exec(fullName)?.[1] ?? 'no reason given');
  const counts = Object.entries(byReason).map(([why, { length }]) => `${length} ${why}`);
  return `${skipped.length} skipped: ${counts.length === 1 ? Object.keys(byReason)[0] : counts.join(', ')}`;
}
