import { knownStateFile } from '../bodies/known-state.ts';
import { personaFile } from '../bodies/persona.ts';
import { profileFile } from '../start/setting-schemas.ts';
import type { BodySchema } from '../bodies/schema.ts';
import { Components, type Json } from './components.ts';

/**
 * The JSON Schema of a known state, for editors: what fixtures/known-state.schema.json has. It refuses a wrong text of
 * a single member as the bank does. Rules over several members are not in it; the bank checks them when it reads the
 * file (rules.md D4b).
 */
export function knownStateSchema(): Json {
  return schemaOfFile(knownStateFile, 'A known state of Sandbank');
}

/** The JSON Schema of a profile, for editors: what fixtures/profiles/profile.schema.json has (rules.md Q8). */
export function profileSchema(): Json {
  return schemaOfFile(profileFile, 'A profile of Sandbank');
}

/** The JSON Schema of a persona, for editors: what fixtures/personas/persona.schema.json has. */
export function personaSchema(): Json {
  return schemaOfFile(personaFile, 'A persona of Sandbank');
}

function schemaOfFile(body: BodySchema, title: string): Json {
  const components = new Components();
  const file = components.schema({ ...body, title: undefined });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...file,
    title,
    $defs: components.collected()['schemas'],
  };
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  return JSON.parse(text, withPattern) as Json;
}

/** Our formats as patterns: programs warn of a format that they do not know. */
const patterns: Readonly<Record<string, string>> = {
  'clearing-text': String.raw`^(?: *[!-~\u00a1-\u00ac\u00ae-\u00ff][ -~\u00a1-\u00ac\u00ae-\u00ff]*)?$`,
  iban: '^[A-Z]{2}[0-9]{2}[0-9A-Za-z]{11,30}$',
};

const decimal = String.raw`(?:0|[1-9][0-9]{0,12})(?:\.[0-9]{1,5})?$`;
const zero = String.raw`0(?:\.0+)?$`;

/**
 * Patterns of texts that the bank checks by a rule, by the name of the member. How many fraction digits a currency has
 * is no part of them.
 */
const patternsOfMembers: Readonly<Record<string, string>> = {
  Bban: '^[0-9]{11}$',
  iban: '^NO[0-9]{13}$',
  balance: `^(?!-${zero})-?${decimal}`,
  netPerYear: `^(?!-${zero})-?${decimal}`,
  amount: `^(?!-?${zero})-?${decimal}`,
  upTo: `^(?!-?${zero})-?${decimal}`,
  reserved: `^(?!-${zero})-${decimal}`,
  creditLine: `^${decimal}`,
  creditLimit: `^${decimal}`,
};

/** A reviver of JSON.parse: gives the schema of a text its pattern. */
function withPattern(member: string, value: unknown): unknown {
  const { type, format, ...others } = Object(value) as { readonly type?: unknown; readonly format?: unknown };
  if (type !== 'string') return value;
  const pattern = patternsOfMembers[member] ?? (typeof format === 'string' ? patterns[format] : undefined);
  return pattern === undefined ? value : { type, ...others, pattern };
}
