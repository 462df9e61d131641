import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { knownStateSchema } from '../api/openapi/known-state-schema.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/fixtures-schema.ts

Writes fixtures/known-state.schema.json from the schema of a known state; a test fails if the two differ.`;

await runScript(usage, {}, async () => {
  const text = await format(JSON.stringify(knownStateSchema()), { parser: 'json', printWidth: 120 });
  writeFileSync(new URL('../fixtures/known-state.schema.json', import.meta.url), text);
});
