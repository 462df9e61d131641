import type { KnownState } from '../../../engine/bank/known-state.ts';
import { Refusal } from '../../../engine/values/fault.ts';
import type * as Validation from '../../pipeline/validate-body.ts';
import { fixturesByName } from './fixtures-by-name.ts';

/** A known state that this server has already, by the name that `GET /sandbox/info` reports. */
export type KnownNames = ReadonlyMap<string, KnownState>;

/**
 * The known state of `fixtures` in a body: an object is one itself, a name is one of the fixtures folder or of `known`. Takes no path: a caller
 * could read any file of the machine. Throws a Refusal for an object that is none, a Problem (400) for an unknown name.
 */
export async function knownStateOf(fixtures: string | object, known: KnownNames): Promise<KnownState> {
  if (typeof fixtures === 'string') {
    const isOfFolder = /^[\w-]+$/.test(fixtures);
    return (isOfFolder ? undefined : known.get(fixtures)) ?? fixturesByName(fixtures);
  }
  const { knownStateFile } = await import('../../bodies/known-state.ts');
  const validation: typeof Validation = await import('../../pipeline/validate-body.ts');
  const value: object = fixtures;
  try {
    validation.validateBody<typeof knownStateFile>(knownStateFile, value, { quirks: new Set() });
    return value;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first, ...others] = error.faults;
    const within = (fault: typeof first): typeof first => ({
      ...fault,
      path: fault.path === undefined ? 'fixtures' : `fixtures.${fault.path}`,
      text: fault.text.replace(/\bThe body\b/g, 'The known state'),
    });
    throw new Refusal(within(first), ...others.map(within));
  }
}
