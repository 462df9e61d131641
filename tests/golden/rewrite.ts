import { mkdirSync, writeFileSync } from 'node:fs';
import { Rounds, storyOf } from './banks.ts';
import { ledgers } from './ledgers.ts';
import { writeAnswers } from './kept-answers.ts';

/* Writes the answers and hashes that are kept: `node tests/golden/rewrite.ts`. */

mkdirSync(new URL('kept', import.meta.url), { recursive: true });
writeAnswers('story', await storyOf());
await using rounds = await Rounds.begin();
writeAnswers('round', await rounds.under({}));

const hashes: Record<string, string> = {};
for (const [what, hash] of Object.entries(ledgers)) hashes[what] = await hash();
writeFileSync(new URL('kept/ledgers.json', import.meta.url), `${JSON.stringify(hashes, null, 2)}\n`);
