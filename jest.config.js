export default {
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
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
