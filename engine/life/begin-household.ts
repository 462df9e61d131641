import { followAccount } from '../payments/plan-payments.ts';
import { openAccount, requireAccountByNumber } from '../accounts/customer-accounts.ts';
import { accountByNumber, type Account } from '../accounts/rows/accounts.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { openCustomer } from '../parties/customers-and-agreements.ts';
import { customerByNumber } from '../parties/rows/customers.ts';
import { isBbanMod11, norwegianIban } from '../values/account-number.ts';
import { assert } from '../values/assert.ts';
import { Refusal } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { beginTogether, type LifeReport, type Member, type WantedLife } from './begin-life.ts';
import { ore } from './rules/event-amounts.ts';
import { roles } from './rules/persona.ts';
import type { HouseholdAccount, Role } from './rules/persona.ts';

/**
 * Begins the life of a household (rules.md L12): on the accounts that are given, the shared one among them, and on the
 * others that its persona has, which are made with their owners. Unknown account: NOT_FOUND; one with a life: CONFLICT;
 * a persona without a household, or a role that it does not have: BAD_REQUEST.
 */
export function beginHousehold(
  bank: BankContext,
  given: ReadonlyMap<Role, string>,
  wanted: WantedLife,
): Promise<LifeReport[]> {
  const { household = [], name } = wanted.persona;
  const has: readonly Role[] = ['shared', ...household.map(({ role }) => role)];
  const strange = [...given.keys()].find((role) => !has.includes(role));
  if (household.length === 0 || strange !== undefined) {
    const text = `The persona ${name} has no account ${strange ?? 'beside the shared one'}. It has: ${has.join(', ')}.`;
    throw new Refusal({ code: 'BAD_REQUEST', path: 'accounts', text, allowed: has });
  }
  return bank.ledger.write(async (tx) => {
    const shared = await requireAccountByNumber(tx, given.get('shared') ?? '');
    const members: Member[] = [{ role: 'shared', account: shared }];
    const openedOn = addDays(osloDate(await bankNow(bank, tx)), -1);
    for (const account of household) {
      const number = given.get(account.role);
      const found = number === undefined ? null : await requireAccountByNumber(tx, number);
      members.push({ role: account.role, account: found ?? (await make(bank, tx, account, { shared, openedOn })) });
    }
    const place = ({ role }: Member): number => (role === null ? -1 : roles.indexOf(role));
    const inOrder = members.toSorted((one, other) => place(one) - place(other));
    return beginTogether(bank, tx, inOrder, wanted);
  });
}

/** Opens an account of a household for its holder, who becomes a customer. */
async function make(
  { ids }: BankContext,
  tx: Writer,
  { name, holder, balance, creditLine = '0.00' }: HouseholdAccount,
  { shared, openedOn }: { readonly shared: Account; readonly openedOn: LocalDate },
): Promise<Account> {
  const known = holder === undefined ? undefined : await customerByNumber(tx, holder.customerNumber);
  const customer = holder && (known ?? (await openCustomer(ids, tx, { ...holder, type: 'private' })));
  const customerId = customer?.id ?? shared.customer_id;
  assert(customerId !== null, 'an account of a customer has a holder');
  const bban = await freeNumber(tx, shared);
  const numbers = { bban, iban: norwegianIban(bban), currency: 'NOK', product: name, cashAccountType: 'CACC' } as const;
  const defaults = { kidAgreement: null, signaturesRequired: 1, paymentsAllowed: true } as const;
  const amounts = { openingBalance: ore(balance), creditLine: ore(creditLine) };
  const wanted = { customerId, name, ...numbers, ...defaults, ...amounts };
  const account = await openAccount(ids, tx, wanted, openedOn);
  await followAccount(tx, account);
  return account;
}

/** The next free number of the bank of an account. */
async function freeNumber(reader: Reader, { bban }: Account): Promise<string> {
  for (let count = 1; ; count += 1) {
    const stem = `${(bban ?? '9987').slice(0, 4)}${String(610_000 + count)}`;
    const number = Array.from({ length: 10 }, (_, digit) => `${stem}${digit}`).find(isBbanMod11);
    if (number !== undefined && (await accountByNumber(reader, number)) === undefined) return number;
  }
}
