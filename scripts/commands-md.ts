import { writeFileSync } from 'node:fs';
import { commandsPage } from './cli/commands-page.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/commands-md.ts

Writes docs/commands.md from the commands; a test fails if the two differ.`;

await runScript(usage, {}, () => writeFileSync(new URL('../docs/commands.md', import.meta.url), commandsPage()));
