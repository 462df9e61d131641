import { writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { knownStateSchema, personaSchema, profileSchema } from '../api/openapi/known-state-schema.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/fixtures-schema.ts

Writes the schemas of a known state, a profile and a persona, for editors, into fixtures; a test fails if a file differs from its schema.`;

await runScript(usage, {}, async () => {
  const schemas = [
    ['known-state.schema.json', knownStateSchema()],
    ['profiles/profile.schema.json', profileSchema()],
    ['personas/persona.schema.json', personaSchema()],
  ] as const;
  for (const [file, schema] of schemas) {
    const { code } = await format(file, JSON.stringify(schema), { printWidth: 120 });
    writeFileSync(new URL(`../fixtures/${file}`, import.meta.url), code);
  }
});
