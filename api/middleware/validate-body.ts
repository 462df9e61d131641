import { Ajv2020 } from 'ajv/dist/2020.js';
import advance from '../schemas/advance.json' with { type: 'json' };
import clock from '../schemas/clock.json' with { type: 'json' };
import common from '../schemas/common.json' with { type: 'json' };
import creditTransfer from '../schemas/credit-transfer-initiation.json' with { type: 'json' };
import knownState from '../schemas/known-state.json' with { type: 'json' };
import periodicPayment from '../schemas/periodic-payment-initiation.json' with { type: 'json' };
import reset from '../schemas/reset.json' with { type: 'json' };
import sandboxAccount from '../schemas/sandbox-account.json' with { type: 'json' };
import sandboxCustomer from '../schemas/sandbox-customer.json' with { type: 'json' };
import sandboxTransactions from '../schemas/sandbox-transactions.json' with { type: 'json' };
import scaOutcome from '../schemas/sca-outcome.json' with { type: 'json' };
import { Refusal } from '../../engine/core/fault.ts';
import type { Fault } from '../../engine/core/fault.ts';
import type { Bodies, BodyName } from './body/bodies.ts';
import { faultOf } from './body/faults.ts';
import type { Violation } from './body/faults.ts';
import { formats } from './body/formats.ts';
import type { Members } from './body/rule.ts';
import { rules } from './body/rules.ts';
import type { RuleName } from './body/rules.ts';

/** What the rules may ask for besides the body. */
export interface BodyContext {
  readonly quirks: ReadonlySet<string>;
}

const schemas: Readonly<Record<BodyName, { readonly $id: string }>> = {
  advance,
  clock,
  'credit-transfer-initiation': creditTransfer,
  'known-state': knownState,
  'periodic-payment-initiation': periodicPayment,
  reset,
  'sandbox-account': sandboxAccount,
  'sandbox-customer': sandboxCustomer,
  'sandbox-transactions': sandboxTransactions,
  'sca-outcome': scaOutcome,
};
const mostFaults = 20;
// Compiled schemas depend on nothing but the schemas; each is compiled when a first body needs it.
let validator: Ajv2020 | undefined;

/**
 * Lets a body through, or throws a Refusal with every FORMAT_ERROR in it (rules.md E3), 20 at most: the text of the last
 * one says how many more there are. Judges form only; what the bank knows is judged by the operations.
 */
export function validateBody<Name extends BodyName>(
  name: Name,
  value: unknown,
  context: BodyContext,
): asserts value is Bodies[Name] {
  validator ??= createValidator();
  const validate = validator.getSchema(schemas[name].$id) ?? validator.compile(schemas[name]);
  if (validate.call(context, value)) return;
  const violations: readonly Violation[] = validate.errors ?? [];
  const [first, ...others] = violations.slice(0, mostFaults).map(faultOf);
  if (first === undefined) throw new Error(`${name} is refused without a reason`);
  const more = violations.length - mostFaults;
  throw more > 0 ? new Refusal(first, ...withCount(others, more)) : new Refusal(first, ...others);
}

function withCount(faults: readonly Fault[], more: number): readonly Fault[] {
  const last = faults.length - 1;
  return faults.map((fault, index) =>
    index === last ? { ...fault, text: `${fault.text} (${more} more ${more === 1 ? 'fault' : 'faults'})` } : fault,
  );
}

function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    verbose: true,
    passContext: true,
    allowUnionTypes: true,
    logger: false,
  });
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, (text: string) => check(text) === null);
  ajv.addKeyword({ keyword: 'rules', type: 'object', schemaType: 'array', errors: true, validate: judgeRules });
  return ajv.addSchema(common);
}

/** The `rules` keyword: every named rule over one object. The validator adds where the object stands. */
function judgeRules(this: BodyContext, names: readonly RuleName[], members: Members): boolean {
  const faults = names.flatMap((name) => rules[name](members, this.quirks));
  judgeRules.errors = faults.map((params) => ({ keyword: 'rules', params }));
  return faults.length === 0;
}
judgeRules.errors = [] as { keyword: string; params: object }[];
