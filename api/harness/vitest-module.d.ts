/** What `vitest.ts` takes of vitest, which is not installed in this clone: `npm run check:wide -- vitest` holds it against the real one. */
declare module 'vitest' {
  export const expect: { extend(matchers: Readonly<Record<string, unknown>>): void };
}
