import { mkdirSync, writeFileSync } from 'node:fs';
import { changingProfiles, quirkTexts, Rounds, storyOf } from './banks.ts';
import { ledgers } from './ledgers.ts';
import { writeOthers, writeStory } from './kept-answers.ts';
import type { ToldCall } from './teller.ts';

/* Writes the answers and hashes that are kept: `node tests/golden/rewrite.ts`. It takes some minutes. */

mkdirSync(new URL('kept', import.meta.url), { recursive: true });
const byProfile = new Map<string, readonly ToldCall[]>();
writeStory('story', await storyOf(null));
for (const profile of await changingProfiles()) byProfile.set(profile.id, await storyOf(profile));
writeOthers('profiles', 'story', byProfile);

const byQuirk = new Map<string, readonly ToldCall[]>();
const rounds = await Rounds.begin();
writeStory('round', await rounds.round(null));
for (const quirk of quirkTexts) byQuirk.set(quirk, await rounds.round(quirk));
await rounds.stop();
writeOthers('quirks', 'round', byQuirk);

const hashes: Record<string, string> = {};
for (const [what, hash] of Object.entries(ledgers)) hashes[what] = await hash();
writeFileSync(new URL('kept/ledgers.json', import.meta.url), `${JSON.stringify(hashes, null, 2)}\n`);
