import { writeFileSync } from 'node:fs';
import { errorsPage } from '../api/faults/errors-page.ts';

// Writes docs/errors.md from the fault table; a test fails if the two differ.
writeFileSync(new URL('../docs/errors.md', import.meta.url), errorsPage());
