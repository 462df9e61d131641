#!/usr/bin/env node
// Plain JavaScript that Node 12 can read, so that an old Node says what is wrong instead of failing on the first new
// word.
import { createRequire } from 'module';

// Not imported: Node would evaluate every member of what it imports.
const require = createRequire(import.meta.url);
const { existsSync } = require('fs');
const { URL } = require('url');

const isInstalled = import.meta.url.includes('/node_modules/');
// A clone runs TypeScript as it is, which Node 22 does from 22.18 on; the package is JavaScript (its engines).
const needed = isInstalled ? [22, 15] : [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needed[0] || major === 23 || (major === needed[0] && minor < needed[1])) {
  console.error(isInstalled ? ofPackage() : ofClone());
  process.exitCode = 1;
} else {
  require('./launch.cjs').launch(process.argv.slice(2));
}

function ofPackage() {
  const cure = 'npm install --save-dev node@24 gives this project its own, for npx sandbank and npm scripts.';
  return `Sandbank needs Node 22.15, or 24 or newer, and runs on ${process.version}. ${cure}`;
}

function ofClone() {
  const isThere = (path) => existsSync(new URL(`../node_modules/node/${path}`, import.meta.url));
  const problem = `A clone of Sandbank runs on the Node that npm ci brings, not on ${process.version}.`;
  if (!isThere('package.json')) return `${problem} npm ci is the line to run first.`;
  if (isThere('bin/node') || isThere('bin/node.exe'))
    return `${problem} npm scripts run on it: npm start, or npm run sandbank -- COMMAND.`;
  return `${problem} node_modules/node has no Node, because its install script did not run. Run it: npm rebuild node`;
}
