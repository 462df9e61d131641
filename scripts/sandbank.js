#!/usr/bin/env node
// Plain JavaScript that an old Node can read, so that it can say what is wrong instead of failing on the first type.
const needed = 24;
const running = Number(process.versions.node.split('.')[0]);
if (running < needed) {
  console.error(
    `Sandbank needs Node ${needed} or newer and runs on ${process.version}: use npm start, which brings its own.`,
  );
  process.exitCode = 1;
} else {
  // What Node compiles is kept in its folder for temporary files: from the second start on a start takes about two thirds.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { main } = await import('./cli/main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
