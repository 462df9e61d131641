/**
 * What `sandbank/vitest` takes of vitest, which is not installed in this clone: `npm run check:wide -- vitest` holds it
 * against the real one.
 */
declare module 'vitest' {
  export interface VitestTest {
    /** The same in each run. */
    readonly id: string;
    readonly name: string;
    readonly file: { readonly filepath: string };
    readonly suite?: VitestSuite;
    readonly fails?: boolean;
    readonly result?: { readonly state: string };
  }

  interface VitestSuite {
    readonly name: string;
    readonly suite?: VitestSuite;
  }

  interface TestContext {
    readonly task: VitestTest;
    onTestFinished(work: () => Promise<void>): void;
    onTestFailed(work: () => Promise<void>): void;
  }

  export const expect: { extend(matchers: Readonly<Record<string, unknown>>): void };
  export function beforeEach(work: (context: TestContext) => void): void;
}
