import { writeFileSync } from 'node:fs';
import { banksPage } from '../api/habits/banks-page.ts';
import { listedProfiles } from '../api/start/profile.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/banks-md.ts

Writes docs/banks.md from the profiles; a test fails if they differ.`;

await runScript(usage, {}, async () =>
  writeFileSync(new URL('../docs/banks.md', import.meta.url), banksPage(await listedProfiles())),
);
