import { faultCodes } from '../../engine/values/fault.ts';
import { isFinal, type TransactionStatus, transactionStatuses } from '../../engine/values/transaction-status.ts';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import type { Step } from '../../api/catalogue/scenario.ts';
import type { GauntletNotMet, GauntletReport } from '../../api/harness/types/gauntlet.ts';
import { endpoints } from '../../api/interface/index.ts';
import { operationOf } from '../../api/pipeline/endpoint.ts';
import { interfaceCalls, type Recording } from './recording.ts';

/** Statuses in which a payment can end. Of a bulk payment with final items PART is the last one. */
const lastStatuses = [...(Object.keys(transactionStatuses) as TransactionStatus[]).filter(isFinal), 'PART'];

/** What no test met, each with the first scenario whose calls show it. */
export function notMetIn(recording: Recording): GauntletReport['notMet'] {
  const calls = interfaceCalls(recording);
  const offered = endpoints.filter(({ path, deprecated }) => !path.startsWith('/sandbox') && deprecated !== true);
  const products = new Set(offered.flatMap(({ products: own = [] }) => own));
  const expects = ({ expect }: Step, name: string): boolean => JSON.stringify(expect).includes(`"${name}"`);
  return {
    operations: lacking(
      offered.map(operationOf),
      (name) => calls.some(({ operation }) => operation === name),
      ({ method, path }, name) => name.startsWith(`${method} `) && isPathOf(path, name),
    ),
    products: lacking(
      [...products],
      (name) => calls.some(({ call }) => call.includes(`/${name}`)),
      ({ path }, name) => path.includes(`/${name}`),
    ),
    statuses: lacking(lastStatuses, (name) => calls.some(({ answer }) => answer.includes(`"${name}"`)), expects),
    codes: lacking(faultCodes, (name) => calls.some(({ code }) => code === name), expects),
  };
}

function lacking(
  names: readonly string[],
  isMet: (name: string) => boolean,
  shows: (step: Step, name: string) => boolean,
): GauntletNotMet[] {
  return names
    .filter((name) => !isMet(name))
    .map((name) => {
      const scenario = catalogue().find(({ steps }) => steps.some((step) => shows(step, name)));
      return { name, scenario: scenario?.name ?? null };
    });
}

/** Whether a path, which may lie below a door or a bank, is one of an operation. */
function isPathOf(path: string, operation: string): boolean {
  const template = operation.slice(operation.indexOf('/')).split('/').slice(1);
  const parts = (path.split('?')[0] ?? '').split('/').slice(-template.length);
  return template.every((part, index) => (part.startsWith('{') ? Boolean(parts[index]) : part === parts[index]));
}
