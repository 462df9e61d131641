import { expect, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { matchers } from './matchers/matchers.ts';
import { leaveBundles, placesOf, type TestPlace } from './bundles/leave-bundles.ts';
import { type TestRun, untoldRun } from './bundles/test-banks.ts';

/** A test of jest-circus, as far as we read it. */
interface JestTest {
  readonly type: 'test';
  readonly name: string;
  readonly concurrent?: boolean;
  readonly failing?: boolean;
  /** An error alone, or with another one that has the stack. */
  readonly errors: unknown[];
  fn?: (...given: unknown[]) => unknown;
}

interface JestGroup {
  readonly type: 'describeBlock';
  readonly name: string;
  readonly children: readonly (JestGroup | JestTest)[];
}

interface JestEvent {
  readonly name: string;
  readonly test?: JestTest;
}

interface JestState {
  readonly rootDescribeBlock: JestGroup;
  readonly currentlyRunningTest?: JestTest | null;
}

/** Of a run of a test, which a retry does not share. */
interface JestRun extends TestRun {
  /** The body of the test is over. */
  isOver: boolean;
}

/** Members that the types of jest lack. */
type ExpectState = ReturnType<typeof expect.getState> & {
  /** The test of the calling code. From jest 30.5 on. */
  readonly currentTestIdentity?: () => unknown;
  /** The names of the concurrent test of the calling code, joined by blanks. */
  readonly currentConcurrentTestName?: () => string | undefined;
};

/**
 * Each red test of this file leaves a bundle of its banks. The hooks of jest know neither the result of a test nor which of several tests
 * with one name it is, and `test.concurrent` calls none. So this uses the event handlers and the state of its runner, jest-circus, which
 * are in the global object.
 */
function leaveBundlesOfJest(): void {
  const runs = new Map<JestTest, JestRun>();
  let places: ReadonlyMap<JestTest, TestPlace> | undefined;
  const current = (): TestRun | null => {
    const { currentTestIdentity: identity, currentConcurrentTestName: concurrentName } = expectState();
    if (identity !== undefined) return runs.get(identity() as JestTest) ?? null;
    const name = concurrentName?.();
    if (name === undefined) return null;
    const ofName = [...runs].filter(([test]) => places?.get(test)?.names.join(' ') === name);
    if (ofName.length > 1) return null;
    return ofName[0]?.[1] ?? untoldRun;
  };
  // Asked for in a test: jest sets it when the tests begin.
  const tellsTests = (): boolean => expectState().currentTestIdentity !== undefined;
  const bundles = leaveBundles({ current, tellsTests, needed: 'jest 30.5' });
  if (bundles === null) return;
  const begin = (test: JestTest, root: JestGroup): void => {
    places ??= placesIn(root);
    const run: JestRun = { isOver: false, isRed: () => isRed(test, run.isOver) };
    runs.set(test, run);
    bundles.begins(run);
  };
  const end = async (test: JestTest): Promise<Error | null> => {
    const [run, place] = [runs.get(test), places?.get(test)];
    if (run === undefined || place === undefined) return null;
    run.isOver = true;
    const error = await bundles.ends(run, run.isRed() ? 'red' : 'green', place);
    runs.delete(test);
    return error;
  };

  const handlers = ofRunner<((event: JestEvent, state: JestState) => unknown)[]>('EVENT_HANDLERS');
  if (handlers !== undefined) {
    handlers.push(async ({ name, test }, { rootDescribeBlock: root }) => {
      // Before the groups of a run in random order are shuffled.
      if (name === 'run_start') places = placesIn(root);
      if (test === undefined) return;
      const run = runs.get(test);
      if (name === 'test_started') begin(test, root);
      else if (run !== undefined && name.startsWith('test_fn_') && name !== 'test_fn_start') run.isOver = true;
      else if (name === 'test_done') {
        const error = await end(test);
        if (error !== null) test.errors.push(error);
      }
    });
    return;
  }

  // Jest 29 has its handlers elsewhere.
  const state = (): JestState | undefined => ofRunner<JestState>('JEST_STATE_SYMBOL');
  beforeAll(() => {
    const root = state()?.rootDescribeBlock;
    if (root === undefined) return;
    places = placesIn(root);
    for (const test of places.keys()) tellWhyMissed(test, bundles.whyMissed());
  });
  beforeEach(() => {
    const { currentlyRunningTest: test, rootDescribeBlock: root } = state() ?? {};
    if (test && root) begin(test, root);
  });
  // Without parameters: with one, jest waits for a call of it.
  afterEach(async () => {
    const test = state()?.currentlyRunningTest;
    const error = test ? await end(test) : null;
    if (error !== null) throw error;
  });
}

/** What jest-circus keeps in the global object, by the description of its symbol. */
function ofRunner<Thing>(description: string): Thing | undefined {
  const place = Object.getOwnPropertySymbols(globalThis).find((symbol) => symbol.description === description);
  return place === undefined ? undefined : (Reflect.get(globalThis, place) as Thing | undefined);
}

function expectState(): ExpectState {
  return expect.getState();
}

function placesIn(root: JestGroup): ReadonlyMap<JestTest, TestPlace> {
  const testsIn = ({ children }: JestGroup, names: readonly string[]): (readonly [JestTest, readonly string[]])[] =>
    children.flatMap((child) => {
      const all = [...names, child.name];
      return child.type === 'test' ? [[child, all] as const] : testsIn(child, all);
    });
  return placesOf(testsIn(root, []), { file: expect.getState().testPath ?? '', project: '' });
}

/** Whether a test has failed so far. `isOver`: its body has ended, so missing assertions count too. */
function isRed({ errors, failing }: JestTest, isOver: boolean): boolean {
  if (errors.length > 0) return true;
  if (!isOver || failing === true) return false;
  const { assertionCalls, expectedAssertionsNumber, isExpectingAssertions } = expect.getState();
  const isShort = expectedAssertionsNumber !== null && assertionCalls !== expectedAssertionsNumber;
  return isShort || (isExpectingAssertions && assertionCalls === 0);
}

/**
 * Adds to the failure of a concurrent test of jest 29 why it leaves no bundle: jest calls no hook for it. A separate error would not work:
 * jest runs these tests early, and later skips a test that has an error.
 */
function tellWhyMissed(test: JestTest, whyMissed: Error): void {
  const { fn, concurrent } = test;
  if (concurrent !== true || fn === undefined) return;
  test.fn = async () => {
    try {
      return await fn();
    } catch (error) {
      const { message, stack } = Object(error) as { readonly message?: unknown; readonly stack?: unknown };
      if (typeof message === 'string' && typeof stack === 'string') {
        const text = `${message}\n\n${whyMissed.message}`;
        Reflect.set(
          error as Error,
          'stack',
          stack.replace(message, () => text),
        );
        Reflect.set(error as Error, 'message', text);
      }
      throw error;
    }
  };
}

// What importing `sandbank/jest` does; its types are in jest-matchers.ts.
expect.extend(matchers);
leaveBundlesOfJest();
