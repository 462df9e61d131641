import type { Json } from './scenario.ts';

/** A name that a value can be kept under. */
export const keptName = /^\w{1,40}$/;
const place = /\{(\w+)\}/g;

/** The text with the kept values in the places of their names. */
export function filled(text: string, kept: ReadonlyMap<string, string>): string {
  return text.replaceAll(place, (_place, name: string) => {
    const value = kept.get(name);
    if (value === undefined) throw new Error(`no step before has kept ${name}`);
    return value;
  });
}

/** The value with the kept values in all its texts. */
export function filledJson(value: Json, kept: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return filled(value, kept);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => filledJson(item, kept));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filledJson(member, kept)]));
}

function isList(value: readonly Json[] | { readonly [member: string]: Json }): value is readonly Json[] {
  return Array.isArray(value);
}

/** The names of the places in the texts of a value. Regular expressions of an expectation have none. */
export function placesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(place)].map(([, name = '']) => name);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === 'matches' ? [] : placesIn(member)));
}
