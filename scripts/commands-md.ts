import { writeFileSync } from 'node:fs';
import { commandsPage } from './cli/commands-page.ts';

// Writes docs/commands.md from the commands; a test fails if the two differ.
writeFileSync(new URL('../docs/commands.md', import.meta.url), commandsPage());
