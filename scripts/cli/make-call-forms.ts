import { globSync, readFileSync } from 'node:fs';
import type { SchemaShape } from '../../api/bodies/schema.ts';
import { bankCalls } from '../../api/control/bank-calls.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import type { ControlEndpoint } from '../../api/control/control-endpoint.ts';
import { describeControl } from '../../api/openapi/control-document.ts';
import type { Operation, Parameter } from '../../api/openapi/document.ts';
import { blankSamples, noSamples } from '../../api/openapi/samples.ts';
import { type CallName, partsOf } from '../../api/openapi/calls.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { assert } from '../../engine/values/assert.ts';
import type { CallForm, Taken } from './call-forms.ts';

/** The forms of the calls that commands pass on, of the operations of the control document. */
export function makeCallForms(): Readonly<Record<string, CallForm>> {
  const sources = globSync('scripts/commands/*.ts').map((file) => readFileSync(file, 'utf8'));
  const passedOn = sources.flatMap((source) => [...source.matchAll(/\bpassOn\('([^']+)'/g)]);
  const calls = passedOn.map(([, call = '']) => call as CallName);
  const ofBanks = Object.entries(bankCalls).map(([name, own]) => {
    const [method, path] = partsOf(name as CallName);
    return { ...own, method, path, handle: () => Promise.reject(new Error(`${name} is not carried out here`)) };
  });
  const endpoints: readonly ControlEndpoint[] = [...ofEveryBank, ...ofBanks];
  const samples = blankSamples(noSamples.today, norwegianCalendar());
  const { operations } = describeControl(endpoints, { address: 'http://127.0.0.1', samples, isRoot: true });
  const formed = calls.map((name) => {
    const [method, path] = partsOf(name);
    const operation = operations.find((one) => one.method === method && one.path === `/sandbox${path}`);
    const endpoint = endpoints.find((one) => one.method === method && one.path === path);
    assert(operation !== undefined && endpoint !== undefined, `the control document has ${name}`);
    const { required = [] }: SchemaShape = endpoint.answer;
    const form = { summary: operation.summary, member: required[0] ?? '', takes: takenBy(operation) };
    return [name, form] as const;
  });
  return Object.fromEntries(formed.toSorted(([one], [other]) => one.localeCompare(other)));
}

function takenBy({ parameters, body }: Operation): readonly Taken[] {
  const [content] = [body ?? []].flat();
  const { properties = {}, required = [] }: SchemaShape = content?.schema ?? {};
  return [
    ...parameters.map(ofParameter),
    ...Object.entries(properties).flatMap(([name, schema]) => members(name, schema, required.includes(name))),
  ];
}

function ofParameter({ in: place, name, description, required, schema }: Parameter): Taken {
  const isInPath = place === 'path';
  return { ...takenOf(name, schema, required), in: isInPath ? 'path' : 'query', what: description };
}

/** A member of a body; of an object the members of it. */
function members(name: string, schema: SchemaShape, isRequired: boolean): readonly Taken[] {
  if (schema.properties === undefined || schema.type !== 'object') return [takenOf(name, schema, isRequired)];
  return Object.entries(schema.properties).map(([inner, one]) => takenOf(`${name}.${inner}`, one, false));
}

function takenOf(name: string, schema: SchemaShape, isRequired: boolean): Taken {
  const { description = '', format } = schema;
  const values = schema.enum ?? (format === 'frequency' ? frequencies : []);
  const text = description.charAt(0).toUpperCase() + description.slice(1);
  const what = text === '' || text.endsWith('.') ? text : `${text}.`;
  return { name, in: 'body', kind: kindOf(schema), isRequired, what, values: values.map(String) };
}

function kindOf({ type }: SchemaShape): Taken['kind'] {
  if (Array.isArray(type)) return 'file';
  const kinds = { integer: 'number', number: 'number', boolean: 'switch', array: 'list' } as const;
  return kinds[type as keyof typeof kinds] ?? 'text';
}
