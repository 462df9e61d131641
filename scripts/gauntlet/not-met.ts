import { faultCodes } from '../../engine/values/fault.ts';
import { isFinal, type TransactionStatus, transactionStatuses } from '../../engine/values/transaction-status.ts';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import type { Step } from '../../api/catalogue/scenario.ts';
import type { SeenCall } from '../../api/quirks/hearing.ts';
import type { GauntletNotMet, GauntletReport } from '../../api/harness/types/gauntlet.ts';
import { endpoints } from '../../api/interface/index.ts';
import { operationOf } from '../../api/pipeline/endpoint.ts';
import { interfaceCalls, type Recording } from './recording.ts';

/** Statuses in which a payment can end. Of a bulk payment with final items PART is the last one. */
const lastStatuses = [...(Object.keys(transactionStatuses) as TransactionStatus[]).filter(isFinal), 'PART'];

/** Whether a call or a step shows what has this name. */
type Shows<Of> = (of: Of, name: string) => boolean;

/** What no test met, each with the first scenario whose calls show it. */
export function notMetIn(recording: Recording): GauntletReport['notMet'] {
  const offered = endpoints.filter(({ path, deprecated }) => !path.startsWith('/sandbox') && deprecated !== true);
  const products = new Set(offered.flatMap(({ products: own = [] }) => own));
  const calls = interfaceCalls(recording);
  const lacking = (names: readonly string[], meets: Shows<SeenCall>, shows: Shows<Step>): readonly GauntletNotMet[] => {
    const unmet = names.filter((name) => !calls.some((call) => meets(call, name)));
    return unmet.map((name) => {
      const scenario = catalogue().find(({ steps }) => steps.some((step) => shows(step, name)));
      return { name, scenario: scenario?.name ?? null };
    });
  };
  return {
    operations: lacking(offered.map(operationOf), ({ operation }, name) => operation === name, isOf),
    products: lacking([...products], ({ call }, name) => call.includes(`/${name}`), isForProduct),
    statuses: lacking(lastStatuses, ({ answer }, name) => answer.includes(`"${name}"`), expects),
    codes: lacking(faultCodes, ({ code }, name) => code === name, expects),
  };
}

const expects: Shows<Step> = ({ expect }, name) => JSON.stringify(expect).includes(`"${name}"`);

const isForProduct: Shows<Step> = ({ path }, name) => path.includes(`/${name}`);

/** Whether the path of a step, which may lie below a door or a bank, is one of the operation. */
const isOf: Shows<Step> = ({ method, path }, operation) => {
  const [, ...template] = operation.slice(method.length + 1).split('/');
  const parts = path.replace(/\?.*/, '').split('/').slice(-template.length);
  const isPart = (part: string, at: number) => part === parts[at] || (part.startsWith('{') && Boolean(parts[at]));
  return operation.startsWith(`${method} `) && template.every(isPart);
};
