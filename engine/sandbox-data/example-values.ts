import type { Account } from '../accounts/rows/accounts.ts';
import { accountsHeldBy, engagementsOf, firstPsus } from '../accounts/rows/psu-roles.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cardAccountsHeldBy } from '../cards/rows/card-accounts.ts';
import { osloDate } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { psuOfCustomer } from '../parties/rows/psus.ts';

/** Values of this bank that make example requests work. Ids are those of paths. */
interface ExampleValues {
  readonly today: LocalDate;
  /** The first PSU who holds an account in NOK. Without one it is null, and so are the values that depend on it. */
  readonly psu: string | null;
  readonly customerId: string | null;
  /** The PSU's first account in NOK. */
  readonly accountId: string | null;
  readonly debtorBban: string | null;
  readonly debtorIban: string | null;
  /** The account in NOK of the next PSU who holds one. */
  readonly creditorBban: string | null;
  /** The PSU's first card. */
  readonly cardId: string | null;
  /** The first agreement under which a PSU acts for a corporation, the corporation's number and an account of it. */
  readonly agreementId: string | null;
  readonly corporation: string | null;
  readonly corporateBban: string | null;
  /** The PSU-ID that the TPP knows the PSU by; null: it does not know the PSU. */
  readonly psuId: string | null;
  /** Ids for examples of deletions: no other example uses them. Null if nothing is spare. */
  readonly spare: Readonly<Record<'customerId' | 'accountId' | 'cardId' | 'agreementId', string | null>>;
}

/** Maximum number of PSUs that are searched. */
const maxPsus = 100;

/** Reads {@link ExampleValues} for requests of this TPP in one transaction. They stay the same as long as the first PSUs do. */
export function exampleValues(bank: BankContext, tppId: string): Promise<ExampleValues> {
  return bank.ledger.read(async (reader) => {
    const psus = await firstPsus(reader, maxPsus);
    const ids = psus.map(({ id }) => id);
    const accounts = (await accountsHeldBy(reader, ids)).filter(isDomestic);
    const [debtor] = accounts;
    const creditor = accounts.find((account) => account.customer_id !== debtor?.customer_id);
    const psu = psus.find(({ id }) => id === debtor?.customer_id);
    const cards = await cardAccountsHeldBy(reader, ids);
    const card = cards.find((one) => one.customer_id === psu?.id);
    const engagements = await engagementsOf(reader, ids);
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
      psu: psu?.customer_number ?? null,
      customerId: psu?.resource_id ?? null,
      accountId: debtor?.resource_id ?? null,
      debtorBban: debtor?.bban ?? null,
      debtorIban: debtor?.iban ?? null,
      creditorBban: creditor?.bban ?? null,
      cardId: card?.resource_id ?? null,
      agreementId: engaged?.agreement_id ?? null,
      corporation: engaged?.owner_number ?? null,
      corporateBban: engaged?.bban ?? null,
      psuId: known?.psu_id ?? null,
      spare: {
        customerId: spare.customer?.resource_id ?? null,
        accountId: spare.account?.resource_id ?? null,
        cardId: spare.card?.resource_id ?? null,
        agreementId: spare.agreement?.agreement_id ?? null,
      },
    };
  });
}

function isDomestic({ currency, bban }: Account): boolean {
  return currency === 'NOK' && bban !== null;
}
