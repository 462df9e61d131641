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
  const operations = new Set(calls.map(({ operation }) => operation));
  const codes = new Set(calls.map(({ code }) => code));
  const answers = calls.map(({ answer }) => answer);
  const isAsked = (part: string): boolean => calls.some(({ call }) => call.includes(part));
  const offered = endpoints.filter(({ path, deprecated }) => !path.startsWith('/sandbox') && deprecated !== true);
  const products = [...new Set(offered.flatMap(({ products: own = [] }) => own))];
  return {
    operations: offered
      .filter((each) => !operations.has(operationOf(each)))
      .map((each) =>
        notMet(operationOf(each), ({ method, path }) => method === each.method && isCallOf(path, each.path)),
      ),
    products: products
      .filter((product) => !isAsked(`/${product}`))
      .map((product) => notMet(product, ({ path }) => path.includes(`/${product}`))),
    statuses: lastStatuses
      .filter((status) => !answers.some((answer) => answer.includes(`"${status}"`)))
      .map((status) => notMet(status, ({ expect }) => JSON.stringify(expect).includes(`"${status}"`))),
    codes: faultCodes
      .filter((code) => !codes.has(code))
      .map((code) => notMet(code, ({ expect }) => JSON.stringify(expect).includes(`"${code}"`))),
  };
}

/** Whether a path, below a door or a bank, is that of an endpoint: `/v1/accounts/abc` of `/accounts/:accountId`. */
function isCallOf(path: string, template: string): boolean {
  const parts = `v1${template}`.split('/');
  const asked = (path.split('?', 1)[0] ?? '').split('/').slice(-parts.length);
  return asked.length === parts.length && parts.every((part, at) => part.startsWith(':') || part === asked[at]);
}

function notMet(name: string, shows: (step: Step) => boolean): GauntletNotMet {
  return { name, scenario: catalogue().find(({ steps }) => steps.some(shows))?.name ?? null };
}
