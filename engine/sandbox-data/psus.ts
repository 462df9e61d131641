import type { Currency } from '../values/currency.ts';
import { accountsHeldBy, type Engaged, engagementsOf, firstPsus } from '../accounts/rows/psu-roles.ts';
import { cardAccountsHeldBy } from '../cards/rows/card-accounts.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** Maximum number of PSUs in the list; those of the known state come first. */
const maxPsus = 100;

interface HeldAccount {
  readonly bban: string | null;
  readonly iban: string | null;
  readonly name: string;
  readonly currency: Currency;
}

interface HeldCard {
  readonly resourceId: string;
  readonly maskedPan: string;
  readonly name: string;
  readonly currency: Currency;
}

interface ListedEngagement {
  readonly agreement: { readonly id: string; readonly name: string; readonly owner: string };
  readonly account: Pick<HeldAccount, 'bban' | 'iban' | 'name'>;
  readonly roles: readonly ('VIEW' | 'REGISTER')[];
}

export interface ListedPsu {
  /** The number that the PSU enters on the SCA page. */
  readonly customerNumber: string;
  readonly name: string;
  /** The known state's note on it; null without one, and for a PSU that was created later. */
  readonly note: string | null;
  readonly accounts: readonly HeldAccount[];
  readonly cards: readonly HeldCard[];
  readonly engagements: readonly ListedEngagement[];
}

/** Lists the PSUs with the accounts and cards that they hold and their engagements (rules.md D3b, D4, D5). */
export function listPsus(bank: BankContext): Promise<ListedPsu[]> {
  const notes = new Map(bank.knownState.customers.map(({ customerNumber, note }) => [customerNumber, note ?? null]));
  return bank.ledger.read(async (reader) => {
    const psus = await firstPsus(reader, maxPsus);
    const ids = psus.map(({ id }) => id);
    const accounts = await accountsHeldBy(reader, ids);
    const cards = await cardAccountsHeldBy(reader, ids);
    const engagements = await engagementsOf(reader, ids);
    return psus.map((psu) => ({
      customerNumber: psu.customer_number,
      name: psu.name,
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

function listedEngagement(engaged: Engaged): ListedEngagement {
  const { agreement_id: id, agreement_name: name, owner_number: owner, bban, iban } = engaged;
  const view = engaged.may_view === 1 ? (['VIEW'] as const) : [];
  const register = engaged.may_register === 1 ? (['REGISTER'] as const) : [];
  return {
    agreement: { id, name, owner },
    account: { bban, iban, name: engaged.account_name },
    roles: [...view, ...register],
  };
}
