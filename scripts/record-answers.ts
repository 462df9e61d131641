import { writeFileSync } from 'node:fs';
import { recordAnswers } from './openapi/record-answers.ts';

// Writes the answers that the examples of /openapi.json show; a test fails if a bank answers otherwise.
const recording = await recordAnswers();
writeFileSync(
  new URL('../api/openapi/recorded-answers.json', import.meta.url),
  `${JSON.stringify(recording, null, 2)}\n`,
);
