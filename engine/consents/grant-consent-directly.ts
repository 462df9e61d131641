import { assert } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import { inspectConsent, liveConsent } from './rows/consents.ts';
import { actingCustomer, type ActingCustomer } from '../parties/rows/agreements.ts';
import type { Reader } from '../ledger/database.ts';
import type { PsuContext } from '../parties/rows/tables.ts';
import { chooseContext, contextsOf } from '../parties/acting.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { consentView, type ConsentView } from './list-consents.ts';
import { chosenAccounts, grantConsent, isNothing } from './grant-consent.ts';
import { rememberPsu } from '../parties/identify-psu.ts';

interface ConsentGrant {
  /** The TPP's id (rules.md G8); may be one that has never called the bank. */
  readonly tppId: string;
  readonly psu: string;
  readonly context: PsuContext;
  readonly agreement: string | null;
  /** Ids, BBANs or IBANs; null: every account that the PSU can share. */
  readonly accounts: readonly string[] | null;
}

/**
 * Grants a consent as the PSU can directly with the bank. It counts as an SCA, so the 180 days begin (rules.md A7;
 * interface: What the service does, 8); no TPP session begins. Unknown PSU: PSU_CREDENTIALS_INVALID; unknown account:
 * RESOURCE_UNKNOWN; none at all: FORMAT_ERROR.
 */
export function grantConsentDirectly(bank: BankContext, grant: ConsentGrant): Promise<ConsentView> {
  return bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const actor = await psuByNumber(tx, grant.psu);
    const { customer } = actor;
    const acting = chooseContext(contextsOf({ agreement_id: null, context: null, context_binds: 0 }, actor), grant);
    const signer = { customer, acting };
    const accounts = await chosenAccounts(tx, signer, grant.accounts);
    if (isNothing(accounts)) throw nothingGranted();
    const psu = await rememberPsu(bank, tx, { tppId: grant.tppId, customer, bySca: false, now });
    await grantConsent(bank, tx, { psu, signer, chosen: accounts, now });
    const live = await liveConsent(tx, psu.id, acting.agreement.id);
    const consent = live === undefined ? undefined : await inspectConsent(tx, live.id);
    assert(consent !== undefined, 'the granted consent exists');
    return consentView(tx, consent);
  });
}

async function psuByNumber(reader: Reader, number: string): Promise<ActingCustomer> {
  const actor = await actingCustomer(reader, number);
  if (actor !== undefined) return actor;
  const text = `No PSU of this bank has the number ${number}. GET /sandbox/info lists the PSUs to try.`;
  throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'psu', text });
}

function nothingGranted(): Refusal {
  const text =
    'A consent opens at least one account or card, and this PSU has none in this context, or accounts names none. ' +
    'DELETE /sandbox/consents/{id} takes a consent away.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'accounts', text });
}
