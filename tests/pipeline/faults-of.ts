import { Refusal } from '../../engine/values/fault.ts';
import type { Fault } from '../../engine/values/fault.ts';
import type { BodySchema } from '../../api/bodies/schema.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';
import { bodySchemas, type BodyName } from './body-schemas.ts';

/** What a call refuses; none when it does not. */
export function faultsOf(call: () => unknown): readonly Fault[] {
  try {
    call();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.faults;
    throw error;
  }
}

/** What the schema finds in a body, under the quirks given. */
export function bodyFaults(name: BodyName, body: unknown, ...quirks: readonly string[]): readonly Fault[] {
  return faultsOf(() => {
    validateBody<BodySchema>(bodySchemas[name], body, { quirks: new Set(quirks) });
  });
}

/** The body with one member, named by a dotted path, set or (undefined) taken away. */
export function changed(body: object, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const target = names.reduce((object, name) => Reflect.get(object as object, name) as unknown, copy) as object;
  if (value === undefined) Reflect.deleteProperty(target, last);
  else Reflect.set(target, last, value);
  return copy;
}
