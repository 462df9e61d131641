import { nearest } from '../../faults/nearest.ts';
import type { Control } from '../control.ts';
import { membersGiven, textGiven } from '../given.ts';
import type { Coverage, CoverageOptions } from '../types.ts';

/**
 * What the bank counted for all TPPs, or for one. `own`: names of the TPPs that the test made, by id. Throws an Error for an unknown
 * option, and for the id of a TPP that the bank has not met.
 */
export async function coverageOf(
  control: Control,
  own: ReadonlyMap<string, string>,
  options: CoverageOptions,
): Promise<Coverage> {
  membersGiven('bank.coverage', ['tpp', 'for'], options);
  const { tpp, for: area } = options;
  const given = typeof tpp === 'object' && tpp !== null && 'id' in tpp ? tpp.id : tpp;
  const id = given === undefined ? undefined : textGiven('bank.coverage', 'a TPP or its id in tpp', given);
  const { behaviours } = await control('GET /coverage', { query: { tpp: id, for: area } });
  if (id !== undefined && !own.has(id) && behaviours.every(({ met }) => !met)) throw unknownTpp(id, own);
  return { tpp: id ?? null, for: area ?? null, behaviours };
}

function unknownTpp(id: string, own: ReadonlyMap<string, string>): Error {
  const names = [...own.values()];
  const hint = nearest(id, [...own.keys(), ...names]);
  const advice = hint === null ? '' : ` Is it ${names.includes(hint) ? `bank.tpp({ name: '${hint}' })` : hint}?`;
  return new Error(
    `bank.coverage takes a TPP or its id in tpp, and no TPP with the id ${id} has met this bank.${advice}`,
  );
}
