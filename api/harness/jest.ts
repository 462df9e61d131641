import { expect } from '@jest/globals';
import { matchers } from './matchers.ts';

// What importing `sandbank/jest` does; its types are in jest-matchers.ts.
expect.extend(matchers);
