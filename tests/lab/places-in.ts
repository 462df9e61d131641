/** The members of a value at all depths: what holds each, and its name. */
export function placesIn(value: unknown): (readonly [holder: object, name: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [[value, name] as const, ...placesIn(member)]);
}
