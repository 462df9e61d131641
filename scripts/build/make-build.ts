/*
 * Program: makes the build of the clone in the folder that its one word names, and says in a line on standard error
 * whether there is one. A process of its own, as esbuild leaves its service running, and the sources that seed the
 * ledger stay in memory.
 */
const [folder = ''] = process.argv.slice(2);
try {
  // Imported here, so that a missing esbuild is told like any other reason.
  const { keepBuild } = await import('./keep-build.ts');
  await keepBuild(folder);
  const seconds = process.uptime().toFixed(1);
  console.error(`Made a build of the sources in ${seconds} s: the next start is faster, until they change.`);
} catch (error) {
  const [reason] = String(error instanceof Error ? error.message : error).split('\n');
  console.error(`The sources run without a build: ${reason}`);
}
