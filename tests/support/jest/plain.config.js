import { resolve } from 'node:path';
import shared from '../../../jest.config.js';

/** The modules, globals and limits of jest itself, without runtime.js and environment.js: `npm test -- --plain`. */
export default {
  ...shared,
  rootDir: resolve(import.meta.dirname, '../../..'),
  testEnvironment: 'node',
  runtime: undefined,
  testTimeout: 600_000,
};
