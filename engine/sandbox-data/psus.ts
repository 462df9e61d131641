import { type Account, accountsHeldBy } from '../accounts/rows/accounts.ts';
import { cardAccountsHeldBy } from '../cards/rows/cards.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { type Engagement, engagements, firstPsus } from '../parties/rows/customers.ts';
import { osloDate } from '../values/instant.ts';
import type { PaymentService, Product } from '../values/product.ts';
import type { Reader } from '../ledger/database.ts';
import { psuOfCustomer } from '../parties/rows/psus.ts';
import { unsignedStatuses } from '../values/transaction-status.ts';
import { rolesOf } from '../parties/customers-and-agreements.ts';

/** Maximum number of PSUs that are read; those of the known state come first. */
const maxPsus = 100;

/** The first PSUs, with the accounts and cards that they hold and their engagements. */
async function readPsus(reader: Reader) {
  const psus = await firstPsus(reader, maxPsus);
  const ids = psus.map(({ id }) => id);
  return {
    psus,
    accounts: await accountsHeldBy(reader, ids),
    cards: await cardAccountsHeldBy(reader, ids),
    engagements: await engagements(reader, { customerIds: ids }),
  };
}

/** A PSU with its accounts, cards and engagements, as {@link listPsus} lists it. */
export type ListedPsu = Awaited<ReturnType<typeof listPsus>>[number];

/** Lists the PSUs with the accounts and cards that they hold and their engagements (rules.md D3b, D4, D5). */
export function listPsus(bank: BankContext) {
  const notes = new Map(bank.knownState.customers.map(({ customerNumber, note }) => [customerNumber, note ?? null]));
  return bank.ledger.read(async (reader) => {
    const { psus, accounts, cards, engagements } = await readPsus(reader);
    return psus.map((psu) => ({
      /** The number that the PSU enters on the SCA page. */
      customerNumber: psu.customer_number,
      name: psu.name,
      /** The known state's note on it; null without one, and for a PSU that was created later. */
      note: notes.get(psu.customer_number) ?? null,
      accounts: accounts
        .filter((account) => account.customer_id === psu.id)
        .map(({ bban, iban, name, currency }) => ({ bban, iban, name, currency })),
      cards: cards
        .filter((card) => card.customer_id === psu.id)
        .map(({ resource_id, masked_pan, name, currency }) => {
          return { resourceId: resource_id, maskedPan: masked_pan, name, currency };
        }),
      engagements: engagements.filter((engaged) => engaged.customer_id === psu.id).map(listedEngagement),
    }));
  });
}

function listedEngagement(engaged: Engagement) {
  const { agreement_resource_id: id, agreement_name: name, owner_number: owner, bban, iban } = engaged;
  return {
    agreement: { id, name, owner },
    account: { bban, iban, name: engaged.account_name },
    roles: rolesOf(engaged),
  };
}

/**
 * Reads values of this bank that make example requests of this TPP work, in one transaction. They stay the same as long
 * as the first PSUs do. Ids are those of paths. A value that the bank lacks is null. Without a PSU who holds an account
 * in NOK, all values of that PSU are null.
 */
export function exampleValues(bank: BankContext, tppId: string) {
  return bank.ledger.read(async (reader) => {
    const { psus, accounts: held, cards, engagements } = await readPsus(reader);
    const accounts = held.filter(isNorwegian);
    const [debtor] = accounts;
    const creditor = accounts.find((account) => account.customer_id !== debtor?.customer_id);
    const psu = psus.find(({ id }) => id === debtor?.customer_id);
    const card = cards.find((one) => one.customer_id === psu?.id);
    const [engaged] = engagements;
    const known = psu === undefined ? undefined : await psuOfCustomer(reader, tppId, psu.id);
    const inUse = [debtor, creditor, ...cards, ...engagements].map((one) => one?.customer_id);
    const spare = {
      customer: psus.findLast(({ id }) => !inUse.includes(id)),
      account: accounts.findLast((account) => account !== debtor && account.customer_id === debtor?.customer_id),
      card: cards.findLast((one) => one !== card),
      agreement: engagements.findLast((one) => one.agreement_id !== engaged?.agreement_id),
    };
    return {
      today: osloDate(await bankNow(bank, reader)),
      /** The first PSU who holds an account in NOK, and the first one of these accounts. */
      psu: psu?.customer_number ?? null,
      customerId: psu?.resource_id ?? null,
      accountId: debtor?.resource_id ?? null,
      debtorBban: debtor?.bban ?? null,
      debtorIban: debtor?.iban ?? null,
      /** The account in NOK of the next PSU who holds one. */
      creditorBban: creditor?.bban ?? null,
      cardId: card?.resource_id ?? null,
      /**
       * The first agreement under which a PSU acts for a corporation, the corporation's number and an account of it.
       */
      agreementId: engaged?.agreement_resource_id ?? null,
      corporation: engaged?.owner_number ?? null,
      corporateBban: engaged?.bban ?? null,
      /** The PSU-ID that the TPP knows the PSU by. */
      psuId: known?.psu_id ?? null,
      /** Ids for examples of deletions: no other example uses them. */
      spare: {
        customerId: spare.customer?.resource_id ?? null,
        accountId: spare.account?.resource_id ?? null,
        cardId: spare.card?.resource_id ?? null,
        agreementId: spare.agreement?.agreement_resource_id ?? null,
      },
    };
  });
}

/**
 * Id of the latest payment or basket that a TPP made at `payments/{product}`, `payment` (any payment) or
 * `signing-baskets`, or undefined if there is none. `unsigned`: of payments that wait for a signature only
 * (control-plane.md C18).
 */
export function latestMade(
  bank: BankContext,
  tppId: string,
  { at, unsigned }: { readonly at: string; readonly unsigned: boolean },
): Promise<string | undefined> {
  const [service, product] = at.split('/') as [PaymentService, Product?];
  return bank.ledger.read(async (reader) => {
    if (at === 'signing-baskets') {
      const baskets = reader.selectFrom('signing_basket').select('resource_id').where('tpp_id', '=', tppId);
      return (await baskets.orderBy('id', 'desc').limit(1).executeTakeFirst())?.resource_id;
    }
    const latest = await reader
      .selectFrom('payment')
      .select('resource_id')
      .where('tpp_id', '=', tppId)
      .$if(unsigned, (query) => query.where('status', 'in', unsignedStatuses))
      .$if(product !== undefined, (query) =>
        query.where('service', '=', service).where('product', '=', product as Product),
      )
      .orderBy('initiated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return latest?.resource_id;
  });
}

function isNorwegian({ currency, bban }: Account): boolean {
  return currency === 'NOK' && bban !== null;
}
