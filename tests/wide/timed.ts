/** Runs a step of a check, and prints how long it took. */
export async function timed<Result>(
  what: string,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly seconds: number }> {
  const begun = performance.now();
  const result = await run();
  const seconds = (performance.now() - begun) / 1000;
  console.log(`  ${what.padEnd(18)}${seconds.toFixed(1).padStart(6)} s`);
  return { result, seconds };
}
