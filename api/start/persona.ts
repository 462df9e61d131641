import { readdirSync, readFileSync } from 'node:fs';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { type Fault, Refusal } from '../../engine/values/fault.ts';
import { oneLine } from '../../engine/values/text.ts';
import { nearest } from '../faults/nearest.ts';
import type * as Validation from '../pipeline/validate-body.ts';
import { ConfigError } from './config.ts';
import { fileProblem, fixturesFolder } from './fixtures.ts';

const folder = new URL('personas/', fixturesFolder);

/** The names of the listed personas, in alphabetical order. */
export function personaNames(): string[] {
  return readdirSync(folder)
    .flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? [])
    .toSorted();
}

/** Reads a persona, by its name in fixtures/personas or by the path of a JSON file. Throws a ConfigError that names the mistake. */
export async function loadPersona(nameOrPath: string): Promise<Persona> {
  return /^[\w-]+$/.test(nameOrPath) ? listedPersona(nameOrPath) : readPersona(nameOrPath, nameOrPath);
}

/** Reads a listed persona. Throws a ConfigError that names the nearest one for an unknown name. Takes no path. */
export async function listedPersona(name: string): Promise<Persona> {
  const names = personaNames();
  if (names.includes(name)) return readPersona(name, new URL(`${name}.json`, folder));
  const near = nearest(name, names);
  throw new ConfigError(
    `there is no persona ${oneLine(name)}; ${near === null ? `there are ${names.join(', ')}` : `the nearest is ${near}`}`,
  );
}

/** Checks a persona that is given as an object. Throws a Refusal that names every mistake with its path. */
export async function personaOf(given: unknown): Promise<Persona> {
  const { personaFile } = await import('../bodies/persona.ts');
  const validation: typeof Validation = await import('../pipeline/validate-body.ts');
  validation.validateBody<typeof personaFile>(personaFile, given, { quirks: noQuirks });
  const { name, description, netPerYear, events } = given;
  // The rules of the schema have checked the members of each kind.
  return { name, description, netPerYear, events } as unknown as Persona;
}

/** The persona at a path of a known state: the name of a listed one, or one itself. Throws a Refusal or ConfigError with the path. */
export async function personaAt(path: string, given: string | object): Promise<Persona> {
  try {
    return await (typeof given === 'string' ? listedPersona(given) : personaOf(given));
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${path}: ${error.message}`);
    if (!(error instanceof Refusal)) throw error;
    const [first, ...more] = error.faults;
    const within = (fault: Fault): Fault => ({ ...fault, path: [path, fault.path ?? []].flat().join('.') });
    throw new Refusal(within(first), ...more.map(within));
  }
}

async function readPersona(shown: string, file: string | URL): Promise<Persona> {
  try {
    const { parseJson } = await import('../pipeline/parse-json.ts');
    return await personaOf(parseJson(readFileSync(file)));
  } catch (error) {
    throw new ConfigError(`the persona ${oneLine(shown)} cannot be used: ${fileProblem(error)}`);
  }
}
