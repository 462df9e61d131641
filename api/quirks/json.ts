/** A JSON object, as quirks see one. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without these members. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The object with only these members, as far as it has them. */
export function only(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** The object with each item of its list of this name changed; the same object without such a list. */
export function withEach(
  object: JsonObject,
  name: string,
  show: (item: unknown, index: number) => unknown,
): JsonObject {
  const list = object[name];
  return Array.isArray(list) ? { ...object, [name]: list.map(show) } : object;
}
