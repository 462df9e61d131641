import { readFileSync } from 'node:fs';
import type { BodySchema, Static } from '../bodies/schema.ts';
import type * as Validation from '../pipeline/validate-body.ts';
import { type FixturesKind, prepared } from './prepared.ts';

/**
 * Reads a JSON file of this kind, which `loadSchema` loads the schema of. A text that a build has checked is not checked again:
 * the checks take longer to load than all else. Throws what readFileSync, parseJson and validateBody throw.
 */
export async function readFixtures<Schema extends BodySchema>(
  kind: FixturesKind,
  file: string | URL,
  loadSchema: () => Promise<Schema>,
): Promise<Static<Schema>> {
  const bytes = readFileSync(file);
  const text = bytes.toString('utf8');
  if (text === prepared?.checked[kind]) return JSON.parse(text) as Static<Schema>;
  const { parseJson } = await import('../pipeline/parse-json.ts');
  const validation: typeof Validation = await import('../pipeline/validate-body.ts');
  const value = parseJson(bytes);
  validation.validateBody<Schema>(await loadSchema(), value, { quirks: new Set() });
  return value;
}
