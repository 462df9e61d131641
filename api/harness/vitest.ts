import { afterEach, beforeEach, expect } from 'vitest';
import { leaveBundles } from './bundles/leave-bundles.ts';
import { matchers } from './matchers/matchers.ts';

// What importing `sandbank/vitest` does; its types are in vitest-matchers.ts.
expect.extend(matchers);

const bundles = leaveBundles();
if (bundles !== null) {
  beforeEach(() => bundles.testBegins());
  afterEach(({ task }) => {
    const { currentTestName: name = task.name, testPath: file = '' } = expect.getState();
    return bundles.testEnds({ name, file, hasFailed: task.result?.state === 'fail' && task.fails !== true });
  });
}
