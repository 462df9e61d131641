/** What `vitest.ts` takes of vitest, which is not installed in this clone: `npm run check:wide -- vitest` holds it against the real one. */
declare module 'vitest' {
  interface TestContext {
    readonly task: {
      readonly name: string;
      readonly fails?: boolean;
      readonly result?: { readonly state: string };
    };
  }

  export const expect: {
    extend(matchers: Readonly<Record<string, unknown>>): void;
    getState(): { readonly currentTestName?: string; readonly testPath?: string };
  };
  export function beforeEach(work: () => void): void;
  export function afterEach(work: (context: TestContext) => Promise<void>): void;
}
