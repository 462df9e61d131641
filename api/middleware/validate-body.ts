import { Ajv2020 } from 'ajv/dist/2020.js';
import advance from '../schemas/advance.json' with { type: 'json' };
import armedFault from '../schemas/armed-fault.json' with { type: 'json' };
import bank from '../schemas/bank.json' with { type: 'json' };
import bulkItem from '../schemas/bulk-payment-item.json' with { type: 'json' };
import bulkPayment from '../schemas/bulk-payment-initiation.json' with { type: 'json' };
import clock from '../schemas/clock.json' with { type: 'json' };
import consentGrant from '../schemas/consent-grant.json' with { type: 'json' };
import common from '../schemas/common.json' with { type: 'json' };
import creditTransfer from '../schemas/credit-transfer-initiation.json' with { type: 'json' };
import crossBorder from '../schemas/cross-border-initiation.json' with { type: 'json' };
import exchangeRates from '../schemas/exchange-rates.json' with { type: 'json' };
import fees from '../schemas/fees.json' with { type: 'json' };
import forcedStatus from '../schemas/forced-status.json' with { type: 'json' };
import knownState from '../schemas/known-state.json' with { type: 'json' };
import paymentChange from '../schemas/payment-change.json' with { type: 'json' };
import periodicPayment from '../schemas/periodic-payment-initiation.json' with { type: 'json' };
import reset from '../schemas/reset.json' with { type: 'json' };
import sandboxAccount from '../schemas/sandbox-account.json' with { type: 'json' };
import sandboxAgreement from '../schemas/sandbox-agreement.json' with { type: 'json' };
import sandboxCardAccount from '../schemas/sandbox-card-account.json' with { type: 'json' };
import sandboxCardTransactions from '../schemas/sandbox-card-transactions.json' with { type: 'json' };
import sandboxCustomer from '../schemas/sandbox-customer.json' with { type: 'json' };
import sandboxEngagement from '../schemas/sandbox-engagement.json' with { type: 'json' };
import sandboxTransaction from '../schemas/sandbox-transaction.json' with { type: 'json' };
import sandboxTransactions from '../schemas/sandbox-transactions.json' with { type: 'json' };
import scaOutcome from '../schemas/sca-outcome.json' with { type: 'json' };
import sepa from '../schemas/sepa-initiation.json' with { type: 'json' };
import signingBasket from '../schemas/signing-basket.json' with { type: 'json' };
import snapshot from '../schemas/snapshot.json' with { type: 'json' };
import straks from '../schemas/straks-initiation.json' with { type: 'json' };
import tppContact from '../schemas/tpp-contact.json' with { type: 'json' };
import userVerification from '../schemas/user-verification.json' with { type: 'json' };
import { mostFaults, refuseAny } from '../../engine/core/bounded-faults.ts';
import type { Bodies, BodyName } from './body/bodies.ts';
import { faultOf } from './body/faults.ts';
import type { Violation } from './body/faults.ts';
import { formats } from './body/formats.ts';
import { longListFaults, type LongList } from './body/long-list.ts';
import type { Members } from './body/rule.ts';
import { rules } from './body/rules.ts';
import type { RuleName } from './body/rules.ts';

/** What the rules may ask for besides the body. */
export interface BodyContext {
  readonly quirks: ReadonlySet<string>;
}

const schemas: Readonly<Record<BodyName, { readonly $id: string }>> = {
  advance,
  'armed-fault': armedFault,
  bank,
  'consent-grant': consentGrant,
  'forced-status': forcedStatus,
  'payment-change': paymentChange,
  'bulk-payment-initiation': bulkPayment,
  'bulk-payment-item': bulkItem,
  clock,
  'credit-transfer-initiation': creditTransfer,
  'cross-border-initiation': crossBorder,
  'exchange-rates': exchangeRates,
  fees,
  'known-state': knownState,
  'periodic-payment-initiation': periodicPayment,
  reset,
  snapshot,
  'sandbox-account': sandboxAccount,
  'sandbox-agreement': sandboxAgreement,
  'sandbox-card-account': sandboxCardAccount,
  'sandbox-card-transactions': sandboxCardTransactions,
  'sandbox-customer': sandboxCustomer,
  'sandbox-engagement': sandboxEngagement,
  'sandbox-transaction': sandboxTransaction,
  'sandbox-transactions': sandboxTransactions,
  'sca-outcome': scaOutcome,
  'tpp-contact': tppContact,
  'user-verification': userVerification,
  'sepa-initiation': sepa,
  'signing-basket': signingBasket,
  'straks-initiation': straks,
};
/** A list without end is judged item by item, so that a body of 8 MB cannot make millions of faults. */
const longLists: { readonly [Name in BodyName]?: LongList } = {
  'bulk-payment-initiation': { member: 'payments', item: 'bulk-payment-item' },
};
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
  const violations = violationsOf(name, value, context);
  const faults = violations.slice(0, mostFaults).map((violation) => faultOf(violation, 'The body'));
  const list = longLists[name];
  if (list !== undefined) {
    faults.push(...longListFaults(list.member, value, (item) => violationsOf(list.item, item, context)));
  }
  refuseAny(faults, Math.max(violations.length, faults.length));
}

function violationsOf(name: BodyName, value: unknown, context: BodyContext): readonly Violation[] {
  validator ??= createValidator();
  const validate = validator.getSchema(schemas[name].$id) ?? validator.compile(schemas[name]);
  return validate.call(context, value) ? [] : (validate.errors ?? []);
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
  return ajv.addSchema([common, sandboxTransaction]);
}

/** The `rules` keyword: every named rule over one object. The validator adds where the object stands. */
function judgeRules(this: BodyContext, names: readonly RuleName[], members: Members): boolean {
  const faults = names.flatMap((name) => rules[name](members, this.quirks));
  judgeRules.errors = faults.map((params) => ({ keyword: 'rules', params }));
  return faults.length === 0;
}
judgeRules.errors = [] as { keyword: string; params: object }[];
