import { expect } from 'vitest';
import { leaveBundlesOfVitest } from './bundles/vitest-tests.ts';
import { matchers } from './matchers/matchers.ts';

// What importing `sandbank/vitest` does; its types are in vitest-matchers.ts.
expect.extend(matchers);
leaveBundlesOfVitest();
