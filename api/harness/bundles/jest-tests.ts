import { afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { leaveBundles } from './leave-bundles.ts';
import { type TestRun, untoldRun } from './test-banks.ts';
import { placesOf, type TestPlace } from './test-place.ts';

/** What is read of a test of jest-circus. */
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

/** What the types of jest do not name. */
type ExpectState = ReturnType<typeof expect.getState> & {
  /** The test that the asking code runs in. From jest 30.5 on. */
  readonly currentTestIdentity?: () => unknown;
  /** The names of the concurrent test that the asking code runs in, joined by blanks. */
  readonly currentConcurrentTestName?: () => string | undefined;
};

/**
 * Has each red test of this file leave a bundle of its banks. Jest tells its hooks neither how a test goes nor which one of several tests with
 * one name it is, and calls none for `test.concurrent`: its runner, jest-circus, has its handlers of events and its state in the global object.
 */
export function leaveBundlesOfJest(): void {
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

/** What jest-circus has in the global object under a symbol of this description. */
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

/** Whether a test has failed so far. `isOver`: so that the assertions that it announced were to be made by now. */
function isRed({ errors, failing }: JestTest, isOver: boolean): boolean {
  if (errors.length > 0) return true;
  if (!isOver || failing === true) return false;
  const { assertionCalls, expectedAssertionsNumber, isExpectingAssertions } = expect.getState();
  const isShort = expectedAssertionsNumber !== null && assertionCalls !== expectedAssertionsNumber;
  return isShort || (isExpectingAssertions && assertionCalls === 0);
}

/**
 * Has the failure of a concurrent test of jest 29 tell why the test leaves nothing, as no hook is called for it. An error of its own would not
 * do: jest runs these tests before their turn, and then leaves out one that has an error.
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
