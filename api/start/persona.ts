import type { Persona } from '../../engine/life/rules/persona.ts';
import { faultWithin, Refusal } from '../../engine/values/fault.ts';
import { ConfigError } from './config.ts';
import { checkedBy, fixturesFolder } from './fixtures.ts';
import { loadFile, loadListed, namesIn } from './listed-files.ts';

const personas = { noun: 'persona', folder: new URL('personas/', fixturesFolder), check: personaOf };

/** The names of the listed personas, in alphabetical order. */
export function personaNames(): string[] {
  return namesIn(personas.folder);
}

/** Reads a persona, by its name in fixtures/personas or by the path of a JSON file. Throws a ConfigError that names the mistake. */
export function loadPersona(nameOrPath: string): Promise<Persona> {
  return loadFile(personas, nameOrPath);
}

/** Reads a listed persona. Throws a ConfigError that names the nearest one for an unknown name. Takes no path. */
export function listedPersona(name: string): Promise<Persona> {
  return loadListed(personas, name);
}

/** Checks a persona that is given as an object. Throws a Refusal that names every mistake with its path. */
export async function personaOf(given: unknown): Promise<Persona> {
  const { personaFile } = await import('../bodies/persona.ts');
  const { name, description, netPerYear, events } = await checkedBy(personaFile, given);
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
    throw new Refusal(faultWithin(path, first), ...more.map((fault) => faultWithin(path, fault)));
  }
}
