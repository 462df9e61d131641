/**
 * Runs a command-line script. `--help` prints its usage. An error that `isTheirs` accepts is the user's: one line and exit
 * code 2. Other errors are thrown on.
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

/** The first line of the message, with the cause, which has the reason of a failed request. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [line = ''] = error.message.split('\n');
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${line}${cause}`;
}
