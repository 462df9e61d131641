import type { LocalDate } from '../../engine/values/local-date.ts';
import { dayOf } from './card-text.ts';

/** An amount as answers write it. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** A card purchase as its text tells it. */
export interface Purchase {
  /** `DD.MM` */
  readonly day: string;
  /** The text as it was posted, without a day. */
  readonly text: string;
  readonly isPending: boolean;
  /** Four digits of the card. */
  readonly card: string;
  /** Its text names card, amount and rate. */
  readonly isByNumber: boolean;
  /** The amount in the currency of the purchase, of either sign. */
  readonly paid: Money;
  /** The price of one unit of that currency, in the account's currency. */
  readonly rate: number;
}

/** A transfer as its texts tell it. */
interface Transfer {
  readonly direction: 'out' | 'in' | 'salary';
  /** Name or account of the other party. */
  readonly party: string;
  /** Undefined: the transfer has none. */
  readonly message: string | undefined;
  readonly paidOn: LocalDate;
}

interface Fee {
  /** What it is for. */
  readonly label: string;
  readonly amount: string;
}

/** How a bank writes texts. */
export interface Form {
  readonly card: (purchase: Purchase) => string;
  /** All texts, the first of which is the text of the transaction. Null: as by default, as nobody has published them. */
  readonly transfer: ((transfer: Transfer) => readonly string[]) | null;
  /** Null: as above. */
  readonly fee: ((fee: Fee) => string) | null;
  /** False: the amount in another currency stands in the text of a card purchase only. */
  readonly hasOriginalAmount: boolean;
}

const unsigned = (amount: string): string => amount.replace('-', '');

/** The forms of texts by bank (rules.md Q5; register 17, 26 to 29). */
export const forms: Readonly<Record<'sr' | 'bien', Form>> = {
  sr: {
    card: ({ text, isPending }) => (isPending ? text : text.toUpperCase()),
    transfer: null,
    fee: null,
    hasOriginalAmount: true,
  },
  bien: {
    card: ({ day, text, card, isByNumber, paid: { currency, amount }, rate }) =>
      isByNumber
        ? `*${card} ${day} ${currency} ${unsigned(amount)} ${text} Kurs: ${rate.toFixed(4)}`
        : `${day} ${text.toUpperCase()}`,
    transfer: ({ direction, party, message, paidOn }) => {
      if (direction === 'out') return [`Til: ${party}`];
      if (direction === 'salary') return [`Fra: ${party}`];
      const paid = `Fra: ${party} Betalt: ${dayOf(paidOn)}.${paidOn.slice(2, 4)}`;
      return message === undefined ? [paid] : [paid, message];
    },
    // Runs of blanks in the label are columns already.
    fee: ({ label, amount }) =>
      label.includes('  ') ? label : `${label.padEnd(28)}${'1 (stk)'.padStart(10)}${unsigned(amount).padStart(10)}`,
    hasOriginalAmount: false,
  },
};
