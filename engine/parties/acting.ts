import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import type { ActingCustomer, OwnedAgreement } from './rows/agreements.ts';
import type { PsuContext } from './rows/tables.ts';

/** On whose behalf a PSU acts: its own, or a corporation's under an agreement (interface: What the service does, 9). */
export interface Acting {
  readonly context: PsuContext;
  /** A private customer has an agreement too: its own. */
  readonly agreement: OwnedAgreement;
}

/** A context as it is named to the PSU's browser. */
export interface ChosenContext {
  readonly context: PsuContext;
  /** The agreement's id; null in PRIVATE. */
  readonly agreement: string | null;
}

export function chosenContext({ context, agreement }: Acting): ChosenContext {
  return { context, agreement: context === 'PRIVATE' ? null : agreement.resource_id };
}

/** What was chosen: a corporate agreement by its id, its name or its owner's number. Null: the only one there is. */
export interface ContextGiven {
  readonly context: PsuContext;
  readonly agreement: string | null;
}

/**
 * Every context that a PSU can act in during an SCA: its own, then each corporate agreement. Where the request named
 * one in PSU-Corporate-ID there is no further choice (interface: PSU identification and SCA, 10).
 */
export function contextsOf(
  sca: { readonly agreement_id: number | null },
  { customer, agreements }: ActingCustomer,
): Acting[] {
  return agreements
    .filter(({ id }) => sca.agreement_id === null || sca.agreement_id === id)
    .map((agreement) => ({ context: agreement.owner_id === customer.id ? 'PRIVATE' : 'CORPORATE', agreement }));
}

/** The context that was chosen. None of them, or more than one: CORPORATE_ID_INVALID (rules.md A4). */
export function chooseContext(contexts: readonly Acting[], given: ContextGiven): Acting {
  const { agreement: name } = given;
  const alike = contexts.filter(
    ({ context, agreement }) =>
      context === given.context &&
      (name === null || [agreement.resource_id, agreement.name, agreement.owner_number].includes(name)),
  );
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) return only;
  const offered = contexts.map(({ context, agreement }) => `${context} ${agreement.name}`).join(', ') || 'none';
  const wanted = `${given.context}${name === null ? '' : ` ${clip(name, 60)}`}`;
  const what = others.length > 0 ? `${wanted} is more than one agreement` : `The PSU has no context ${wanted}`;
  throw new Refusal({ code: 'CORPORATE_ID_INVALID', text: clip(`${what}. Choose one of: ${offered}.`, 500) });
}
