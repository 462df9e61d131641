import { coverage } from './coverage.ts';

/* npm run coverage: the tests of each rule, and of each part of the interface document. */
console.log(coverage().lines.join('\n'));
