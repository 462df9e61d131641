import * as Type from 'typebox';
import type { AnswerSchema, SchemaShape } from '../bodies/schema.ts';
import type { ControlSamples } from './control-samples.ts';
import type { Parameter } from './document.ts';

/** The meaning of each parameter of a path, and an example for a bank without such a thing; left out: that bank answers 404. */
const pathParameters: Readonly<Record<string, readonly [description: string, example?: string]>> = {
  'payments/paymentId': ['The id of a payment. GET /sandbox/payments lists them.'],
  'sca/scaId': ['The id of an SCA: the path of scaRedirect ends in it. GET /sandbox/sca lists those that are open.'],
  'consents/consentId': ['The id of a consent. GET /sandbox/consents lists them.'],
  'accounts/number': ['The number of an account, a BBAN or an IBAN. GET /sandbox/accounts lists them.', '09232911044'],
  'life/number': ['The number of an account with a life. GET /sandbox/life lists them.'],
  'runs/runId': [
    'The id of a settlement run that had work; its slash is encoded or written as a hyphen. GET /sandbox/runs lists them.',
  ],
  'requests/requestId': ['The X-Request-ID of a request. GET /sandbox/requests lists the last ones.'],
  'certificates/serial': ['The serial number of a certificate, hexadecimal.', '1A2B'],
  'snapshots/name': ['The name of a snapshot. GET /sandbox/snapshots lists them.', 'before-the-salaries'],
  'banks/name': ['The name of a bank. GET /sandbox/banks lists them.', 'ci-1'],
};

/** A parameter of an endpoint's path, with the value of this bank where it has one. */
export function pathParameter(path: string, name: string, { ids }: ControlSamples): Parameter {
  const [, segment = ''] = path.split('/');
  const [description, usual] = pathParameters[`${segment}/${name}`] ?? [''];
  const example = ids[name] ?? usual;
  const schema = Type.String({ minLength: 1 });
  return { in: 'path', name, description, required: true, schema, ...(example !== undefined && { example }) };
}

/** A parameter of an endpoint's query. `here` puts an example into the bank. */
export function queryParameter(name: string, schema: AnswerSchema, here: (example: unknown) => unknown): Parameter {
  const required = !Type.IsOptional(schema);
  const { description = '', examples }: SchemaShape = schema;
  const example = required && typeof examples?.[0] === 'string' ? here(examples[0]) : undefined;
  return {
    in: 'query',
    name,
    description: sentence(description),
    required,
    schema,
    ...(typeof example === 'string' && { example }),
  };
}

function sentence(description: string): string {
  const text = description.charAt(0).toUpperCase() + description.slice(1);
  return text.endsWith('.') ? text : `${text}.`;
}
