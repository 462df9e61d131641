import { Ajv2020 } from 'ajv/dist/2020.js';
import { accounts } from '../../../api/control/accounts/accounts.ts';
import { listAgreements } from '../../../api/control/agreements.ts';
import type { ControlEndpoint } from '../../../api/control/control-endpoint.ts';
import { listScas } from '../../../api/control/list-scas.ts';
import { listPayments } from '../../../api/control/payments/list-payments.ts';
import { runs } from '../../../api/control/runs/runs.ts';
import { formats } from '../../../api/pipeline/body/formats.ts';
import type { Answer, ControlClient } from '../control-client.ts';

const endpoints: readonly ControlEndpoint[] = [listPayments, ...accounts, listAgreements, listScas, ...runs];

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, (text: string) => check(text) === null);
ajv.addVocabulary(['expected', 'missing', 'rules', 'longItems']);

/** The answer to a call of one of the lists. Throws unless it is a 200 whose body is exactly what the endpoint says that it answers. */
export async function fitting(
  control: ControlClient,
  method: 'GET' | 'POST',
  target: string,
  body?: unknown,
): Promise<Answer['body']> {
  const answer = await (method === 'GET' ? control.get(target) : control.post(target, body));
  if (answer.status !== 200) throw new Error(`${target}: ${JSON.stringify(answer.body)}`);
  const path = (target.split('?')[0] ?? '').replace('/sandbox', '');
  const endpoint = endpoints.find((each) => each.method === method && fits(each.path, path));
  const { answer: schema, summary } = endpoint ?? {};
  if (schema === undefined || summary === undefined) throw new Error(`${target} has no schema of its answer`);
  if (!ajv.validate(schema, answer.body)) throw new Error(`${target}: ${ajv.errorsText()}`);
  return answer.body;
}

/** Whether a path is one of an endpoint's: its parameters are any segment. */
function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
}
