import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { resolve } from 'node:path';

const usage = `npm test [-- PATTERN...] [FLAGS OF JEST]
npm run test:full [-- PATTERN...] [FLAGS OF JEST]

npm test runs the core: all tests but those of tests/full. It needs no browser and builds no package.
npm run test:full runs those of tests/full; npm run test:all runs both.
With a pattern of paths both run what it names, wherever that is.
--plain runs them with the modules of jest, without tests/support/jest/runtime.js: it takes three times as long.`;

/** The version of jest that tests/support/jest/runtime.js knows. */
const knownJest = '30.5.2';

const [tier, ...given] = process.argv.slice(2);
const isPlain = given.includes('--plain');
const words = given.filter((word) => word !== '--plain');
if (words.some((word) => word === '--help' || word === '-h')) console.log(usage);
else if (module.registerHooks === undefined) refuseNode();
else if (!isPlain && installedJest() !== knownJest) refuseJest();
else runJest(words.some(isPattern) ? words : [...words, tierFlag()]);

/** Not the Node that `npm ci` brings: the program says so, and what to do. */
function refuseNode() {
  spawnSync(process.execPath, ['scripts/sandbank.js'], { stdio: 'inherit' });
  process.exitCode = 1;
}

/** What calls a runtime. */
function installedJest() {
  return JSON.parse(readFileSync('node_modules/jest-circus/package.json', 'utf8')).version;
}

function refuseJest() {
  console.error(
    `tests/support/jest/runtime.js is for jest ${knownJest}, and ${installedJest()} is installed: npm ci installs ours, npm test -- --plain runs without that file.`,
  );
  process.exitCode = 1;
}

/** Not a flag; nor the value of one, unless it is a path of tests: the flag before it may take none. */
function isPattern(word, place) {
  return !word.startsWith('-') && (/^(tests|examples)\//.test(word) || !(words[place - 1] ?? '').startsWith('-'));
}

function tierFlag() {
  return tier === 'full' ? '--testPathPatterns=/tests/full/' : '--testPathIgnorePatterns=/tests/full/';
}

function runJest(flags) {
  const node = ['--min-semi-space-size=32', '--max-semi-space-size=64', '--initial-old-space-size=512'];
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/sandbank-tests/compiled'),
    NODE_OPTIONS: [process.env.NODE_OPTIONS, ...options].filter(Boolean).join(' '),
  };
  const config = isPlain ? ['--config=tests/support/jest/plain.config.js'] : [];
  const jest = spawn(process.execPath, [...node, resolve('node_modules/jest/bin/jest.js'), ...config, ...flags], {
    stdio: 'inherit',
    env,
  });
  // The terminal sends an interrupt to both; jest ends its workers, and this process ends with it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
  jest.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
