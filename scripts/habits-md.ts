import { writeFileSync } from 'node:fs';
import { habitsPage } from '../api/habits/habits-page.ts';
import { listedProfiles } from '../api/start/profile.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/habits-md.ts

Writes docs/habits.md from the quirk table, the profiles and the lines of api/habits; a test fails if they differ.`;

await runScript(usage, {}, async () =>
  writeFileSync(new URL('../docs/habits.md', import.meta.url), habitsPage(await listedProfiles())),
);
