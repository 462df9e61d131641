/** What `sandbank/vitest` takes of vitest, which is not installed in this clone: `npm run check:wide -- vitest` holds it against the real one. */
declare module 'vitest' {
  export interface VitestTest {
    readonly type: 'test';
    readonly name: string;
    readonly file: VitestFile;
    readonly fails?: boolean;
    readonly repeats?: number;
    readonly result?: { readonly state: string };
  }

  export interface VitestSuite {
    readonly type: 'suite';
    readonly name: string;
    readonly tasks: readonly (VitestSuite | VitestTest)[];
  }

  export interface VitestFile extends VitestSuite {
    readonly filepath: string;
    readonly projectName?: string;
  }

  interface TestContext {
    readonly task: VitestTest;
    onTestFinished(work: () => Promise<void>): void;
  }

  export const expect: { extend(matchers: Readonly<Record<string, unknown>>): void };
  export function beforeEach(work: (context: TestContext) => void): void;
  export const aroundEach:
    | ((work: (runTest: () => Promise<void>, context: TestContext) => Promise<void>) => void)
    | undefined;
}
