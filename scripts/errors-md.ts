import { writeFileSync } from 'node:fs';
import { errorsPage } from '../api/faults/errors-page.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/errors-md.ts

Writes docs/errors.md from the fault table; a test fails if the two differ.`;

await runScript(usage, {}, () => writeFileSync(new URL('../docs/errors.md', import.meta.url), errorsPage()));
