/**
 * Runs a tool of the command line. `--help` prints how to use it; what a person can put right is told in one line, with
 * exit code 2. An error that `isTheirs` does not know is ours, and keeps its stack.
 */
export async function runScript(
  usage: string,
  main: () => void | Promise<void>,
  isTheirs: (error: unknown) => boolean = (error) => error instanceof Error,
): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage);
    return;
  }
  try {
    await main();
  } catch (error) {
    if (!isTheirs(error)) throw error;
    console.error(`${problemOf(error)} (--help shows how to use this)`);
    process.exitCode = 2;
  }
}

/** The first line; what lies behind a failed request is its cause. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [line = ''] = error.message.split('\n');
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${line}${cause}`;
}
