import { createHmac } from 'node:crypto';
import { type BankContext, bankNow, wireKey } from '../bank/bank-context.ts';
import { type Customer, customerByNumber, customersByKey } from '../parties/rows/customers.ts';
import { Refusal } from '../values/fault.ts';
import { type ConsentView, listConsents, tellConsents } from './consents.ts';
import { reopenConsent } from './rows/consents.ts';

/** A PSU with its consents, as its page of access shows them. */
export interface Access {
  readonly psu: Customer;
  /** The latest first. An ended consent is left out if a later one of the same TPP and agreement replaced it. */
  readonly consents: readonly ConsentView[];
}

/**
 * The id of the page of access of a PSU (rules.md A7e): nobody can guess it, and it stays the same until the bank is reset. Null: the bank has
 * no such PSU.
 */
export async function accessIdOf(bank: BankContext, customerNumber: string): Promise<string | null> {
  const psu = await bank.ledger.read((reader) => customerByNumber(reader, customerNumber));
  return psu?.type === 'private' ? idOf(await wireKey(bank), psu) : null;
}

/** It begins with the key of the customer, which finds it. */
function idOf(wireKeyOfBank: string, { id }: Customer): string {
  return `${id}.${createHmac('sha256', wireKeyOfBank).update(`page of access of ${id}`).digest('base64url')}`;
}

/** The PSU of a page of access; undefined: no PSU has this id. */
export async function psuOfAccess(bank: BankContext, id: string): Promise<Customer | undefined> {
  const key = Number(/^(\d{1,15})\./.exec(id)?.[1] ?? 0);
  const psu = (await bank.ledger.read((reader) => customersByKey(reader, [key]))).get(key);
  const isThere = psu?.type === 'private' && psu.deleted_at === null;
  return isThere && idOf(await wireKey(bank), psu) === id ? psu : undefined;
}

/** The PSU and consents of a page of access. Unknown id: NOT_FOUND. */
export async function readAccess(bank: BankContext, id: string): Promise<Access> {
  const psu = await psuOfAccess(bank, id);
  if (psu === undefined) throw new Refusal({ code: 'NOT_FOUND', text: 'The bank has no such page.' });
  const own = await listConsents(bank, psu.id);
  const latest = new Map(own.map((view) => [`${view.consent.tpp_id} ${view.consent.agreement_id}`, view]));
  return { psu, consents: [...latest.values()].toSorted((one, other) => other.consent.id - one.consent.id) };
}

/** Gives a consent again that has ended, without prolonging it (rules.md A7e). CONFLICT if it is live, replaced or opens nothing. */
export function giveAgain(bank: BankContext, { consent: { id }, accounts, cards }: ConsentView): Promise<void> {
  return bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const isPossible = accounts.length + cards.length > 0 && (await reopenConsent(tx, id));
    if (!isPossible)
      throw new Refusal({
        code: 'CONFLICT',
        text: 'This access cannot be given again. The TPP must ask for a new consent.',
      });
    tellConsents(bank, 'granted', [id], now);
  });
}
