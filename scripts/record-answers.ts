import { writeFileSync } from 'node:fs';
import { recordAnswers } from './openapi/record-answers.ts';
import { recordControlAnswers } from './openapi/record-control-answers.ts';

// Writes the answers that the examples of the API documents show; a test fails if a bank answers otherwise.
const recordings = {
  'recorded-answers.json': await recordAnswers(),
  'recorded-control-answers.json': await recordControlAnswers(),
};
for (const [name, recording] of Object.entries(recordings)) {
  writeFileSync(new URL(`../api/openapi/${name}`, import.meta.url), `${JSON.stringify(recording, null, 2)}\n`);
}
