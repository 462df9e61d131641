import { writeFileSync } from 'node:fs';
import { recordAnswers } from './openapi/record-answers.ts';
import { recordControlAnswers } from './openapi/record-control-answers.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/record-answers.ts

Writes the answers that the examples of the API documents show, api/openapi/recorded-*.json; a test fails if a bank answers otherwise.`;

await runScript(usage, {}, async () => {
  const recordings = {
    'recorded-answers.json': await recordAnswers(),
    'recorded-control-answers.json': await recordControlAnswers(),
  };
  for (const [name, recording] of Object.entries(recordings)) {
    writeFileSync(new URL(`../api/openapi/${name}`, import.meta.url), `${JSON.stringify(recording, null, 2)}\n`);
  }
});
