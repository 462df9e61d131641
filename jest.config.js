export default {
  testMatch: ['<rootDir>/tests/**/*.test.ts', '<rootDir>/examples/**/*.test.ts'],
  // All cores: what one test waits for, another one uses. Limits are for a machine that does other work too.
  maxWorkers: '100%',
  testTimeout: 30_000,
  // Checks every answer of a bank against the API document.
  setupFilesAfterEnv: ['<rootDir>/tests/support/check-answers.ts'],
  testEnvironment: '<rootDir>/tests/support/jest/environment.js',
  runtime: '<rootDir>/tests/support/jest/runtime.js',
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
