import { writeFileSync } from 'node:fs';
import { coverage } from './coverage-page.ts';
import { formatted } from './formatted.ts';

/* The end of `npm run generate`: docs/coverage.md, from the names of the tests. */
writeFileSync('docs/coverage.md', await formatted('coverage.md', coverage().page));
