import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import type { ActingCustomer, OwnedAgreement, PsuContext } from './rows/customers.ts';
import type { Flag } from '../ledger/queries.ts';

/** A PSU acts for itself, or for a corporation under an agreement (interface: What the service does, 9). */
export interface Acting {
  readonly context: PsuContext;
  /** In PRIVATE context the customer's own agreement: every private customer has one. */
  readonly agreement: OwnedAgreement;
}

/** A context as the SCA pages name it. */
export interface ChosenContext {
  readonly context: PsuContext;
  /** The agreement's resource id; null in PRIVATE. */
  readonly agreement: string | null;
}

/** The chosen context as the SCA pages name it. */
export function chosenContext({ context, agreement }: Acting): ChosenContext {
  return { context, agreement: context === 'PRIVATE' ? null : agreement.resource_id };
}

/**
 * A choice of context. `agreement` is a resource id, a name or the owner's number, or null for the only one there is.
 */
interface ContextGiven {
  readonly context: PsuContext;
  readonly agreement: string | null;
}

/** What the request of an SCA leaves to choose. */
interface NamedContext {
  /** The agreement of PSU-Corporate-ID. */
  readonly agreement_id: number | null;
  /** The header PSU-Context; null lets the PSU choose. */
  readonly context: PsuContext | null;
  /** Whether only that context can be chosen; otherwise it is preselected. */
  readonly context_binds: Flag;
}

/**
 * Every context that a PSU can act in during an SCA: its own, then each corporate agreement. A binding PSU-Context
 * leaves only the context that it names (rules.md A7d), PSU-Corporate-ID only its agreement (interface: PSU
 * identification and SCA, 10).
 */
export function contextsOf(named: NamedContext, { customer, agreements }: ActingCustomer): Acting[] {
  return agreements
    .filter(({ id }) => named.agreement_id === null || named.agreement_id === id)
    .map((agreement): Acting => ({
      context: agreement.owner_id === customer.id ? 'PRIVATE' : 'CORPORATE',
      agreement,
    }))
    .filter(({ context }) => !isOtherContext(named, context));
}

/** Whether the request named another context, which binds its SCA (rules.md A7d). */
export function isOtherContext({ context, context_binds }: Omit<NamedContext, 'agreement_id'>, given: PsuContext) {
  return context_binds === 1 && given !== context;
}

/** Returns the context chosen. No match, or several: CORPORATE_ID_INVALID (rules.md A4). */
export function chooseContext(contexts: readonly Acting[], given: ContextGiven): Acting {
  const { agreement: name } = given;
  const matching = contexts.filter(
    ({ context, agreement }) =>
      context === given.context &&
      (name === null || [agreement.resource_id, agreement.name, agreement.owner_number].includes(name)),
  );
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only;
  const offered = contexts.map(({ context, agreement }) => `${context} ${agreement.name}`).join(', ') || 'none';
  const wanted = `${given.context}${name === null ? '' : ` ${clip(name, 60)}`}`;
  const what = others.length > 0 ? `${wanted} is more than one agreement` : `The PSU has no context ${wanted}`;
  throw new Refusal({ code: 'CORPORATE_ID_INVALID', text: clip(`${what}. Choose one of: ${offered}.`, 500) });
}
