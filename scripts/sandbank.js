#!/usr/bin/env node
// Plain JavaScript that Node 12 can read, so that an old Node says what is wrong instead of failing on the first new word.
const isInstalled = import.meta.url.includes('/node_modules/');
// A clone runs TypeScript as it is, which Node 22 does from 22.18 on; the package is JavaScript (its engines).
const needed = isInstalled ? [22, 15] : [22, 18];
const cure = isInstalled
  ? 'npm install --save-dev node@24 gives this project its own, for npx sandbank and npm scripts.'
  : 'npm scripts bring their own: npm start, or npm run sandbank -- COMMAND.';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needed[0] || major === 23 || (major === needed[0] && minor < needed[1])) {
  console.error(`Sandbank needs Node ${needed.join('.')}, or 24 or newer, and runs on ${process.version}. ${cure}`);
  process.exitCode = 1;
} else {
  import('./launch.js').then(({ launch }) => launch(process.argv.slice(2)));
}
