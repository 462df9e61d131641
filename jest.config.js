import { availableParallelism } from 'node:os';

/** What tests/run.js asks for: tests that wait for servers, browsers and programs. */
const isFull = process.argv.includes('--testPathPatterns=/tests/full/');

export default {
  testMatch: ['<rootDir>/tests/**/*.test.ts', '<rootDir>/examples/**/*.test.ts'],
  // The usual one is in the temporary folder, where another user may have made a folder of its name.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // More than cores: while one test waits for a process or a timer, another one works.
  maxWorkers: Math.ceil(availableParallelism() * (isFull ? 2 : 1.5)),
  // Five times this in fact, as every limit: see environment.js.
  testTimeout: 30_000,
  // At its end a worker writes what Node compiled, and frees its memory: on a busy machine that takes longer than the usual 500 ms,
  // after which jest kills it and reports a leak. A leak is still reported.
  workerGracefulExitTimeout: 10_000,
  // Checks every answer of a bank against the API document.
  setupFilesAfterEnv: ['<rootDir>/tests/support/check-answers.ts'],
  testEnvironment: '<rootDir>/tests/support/jest/environment.js',
  runtime: '<rootDir>/tests/support/jest/runtime.js',
  testSequencer: '<rootDir>/tests/support/jest/sequencer.js',
  // For files that share no modules; scripts/own-package.js is for the others.
  moduleNameMapper: {
    '^sandbank$': '<rootDir>/api/harness/index.ts',
    '^sandbank/(jest|client)$': ['<rootDir>/api/harness/$1.ts', '<rootDir>/api/$1/index.ts'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript' },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  // The last line a reader of CI looks for; see tests/support/count-reporter.js.
  reporters: ['default', '<rootDir>/tests/support/count-reporter.js'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};
