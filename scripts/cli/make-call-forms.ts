import { globSync, readFileSync } from 'node:fs';
import type { SchemaShape } from '../../api/bodies/schema.ts';
import { bankCalls } from '../../api/control/bank-calls.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { paymentEndpoint } from '../../api/control/payments/make-payment.ts';
import type { ControlEndpoint } from '../../api/control/control-endpoint.ts';
import type { Journal } from '../../api/journal/journal.ts';
import { requestsEndpoints } from '../../api/journal/requests.ts';
import { describeControl } from '../../api/openapi/control-document.ts';
import type { Operation, Parameter } from '../../api/openapi/document.ts';
import { blankSamples, noSamples } from '../../api/openapi/samples.ts';
import { type CallName, partsOf } from '../../api/openapi/calls.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { assert } from '../../engine/values/assert.ts';
import type { CallForm, Taken } from './call-forms.ts';

const notHere = (): Promise<never> => Promise.reject(new Error('a document carries out no call'));

/** The calls whose documents commands and tools have: those of a bank and of the banks of a server. */
const endpoints: readonly ControlEndpoint[] = [
  ...ofEveryBank,
  paymentEndpoint(notHere),
  ...requestsEndpoints({} as Journal),
  ...Object.entries(bankCalls).map(([name, own]) => {
    const [method, path] = partsOf(name as CallName);
    return { ...own, method, path, handle: notHere };
  }),
];

/** A call as the control document has it, and a member that each of its answers has. */
export function documented(calls: readonly CallName[]): { readonly operation: Operation; readonly member: string }[] {
  const named = calls.map((name) => {
    const [method, path] = partsOf(name);
    const endpoint = endpoints.find((one) => one.method === method && one.path === path);
    assert(endpoint !== undefined, `the control document has ${name}`);
    return endpoint;
  });
  const samples = blankSamples(noSamples.today, norwegianCalendar());
  const { operations } = describeControl(named, { address: 'http://127.0.0.1', samples, isRoot: true });
  return named.map(({ method, path, answer }) => {
    const operation = operations.find((one) => one.method === method && one.path === `/sandbox${path}`);
    assert(operation !== undefined, `the control document has ${method} ${path}`);
    const { required: [member = ''] = [] }: SchemaShape = answer;
    return { operation, member };
  });
}

/** The forms of the calls that commands pass on, of the operations of the control document. */
export function makeCallForms(): Readonly<Record<string, CallForm>> {
  const sources = globSync('scripts/commands/*.ts').map((file) => readFileSync(file, 'utf8'));
  const passedOn = sources.flatMap((source) => [...source.matchAll(/\bpassOn\('([^']+)'/g)]);
  const calls = passedOn.map(([, call = '']) => call as CallName).toSorted((one, other) => one.localeCompare(other));
  const forms = documented(calls).map(({ operation, member }, index) => {
    const form: CallForm = { summary: operation.summary, member, takes: takenBy(operation) };
    return [calls[index], form] as const;
  });
  return Object.fromEntries(forms);
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
  return { ...takenOf(name, schema, required), in: place === 'path' ? 'path' : 'query', what: description };
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
  if (Array.isArray(type)) return type.includes('array') ? 'list' : type.includes('object') ? 'file' : 'text';
  const kinds = { integer: 'number', number: 'number', boolean: 'switch', array: 'list' } as const;
  return kinds[type as keyof typeof kinds] ?? 'text';
}
