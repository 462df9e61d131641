import { knownStateFile } from '../bodies/known-state.ts';
import { Components, type Json } from './components.ts';

/**
 * The JSON Schema of a known state, for editors: what fixtures/known-state.schema.json has. The rules over several members of an object
 * are not in it; the bank checks them when it reads the file (rules.md D4b).
 */
export function knownStateSchema(): Json {
  const components = new Components();
  const file = components.schema({ ...knownStateFile, title: undefined });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...file,
    title: 'A known state of Sandbank',
    $defs: components.collected()['schemas'],
  };
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as Json;
}
