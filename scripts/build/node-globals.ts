import { runInThisContext } from 'node:vm';

/*
 * What the build takes for the globals of these names: an environment of jest gives tests a global object of its own,
 * and that of jsdom lacks some of them, or has its own. Response is in api/harness/connect.ts, as Node loads it late.
 */
export const {
  AbortController,
  AbortSignal,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  Uint8Array,
  setImmediate,
  structuredClone,
} = runInThisContext('globalThis') as typeof globalThis;
