import type { Quirk } from '../../engine/bank/rules/quirk.ts';

/** One line of docs/habits.md: what banks do beside the document, and the mistake that it leads to. */
export interface HabitLine {
  /** What a client sees, as one sentence. */
  readonly what: string;
  /** The value of its quirk that shows it; left out: the quirk takes none. */
  readonly value?: string;
  /** Where it was seen. */
  readonly seen: {
    /** Lines of the register of production habits. */
    readonly register: readonly number[];
    /** Keys of the facts that tell of it, in fixtures/profiles. */
    readonly facts?: readonly string[];
    /** The profiles in which they do. Left out: any. */
    readonly profiles?: readonly string[];
    /** Other banks that were seen to do so, each with the day of the source and how it is known. */
    readonly others?: readonly string[];
  };
  /** What clients do wrong because of it. */
  readonly mistake: string;
}

/** Lines by their numbers, such as `H1`. A number is never given to another line. */
type HabitLines = Readonly<Record<`H${number}`, HabitLine>>;

const srBank = ['sparebank1-sor-norge-sr'];
const bien = ['bien-sparebank'];
const alliance = 'the SpareBank 1 alliance in another API, 2026-06-24: published by the bank';

/** The lines of each habit that has a quirk, in the order of the quirk table. */
export const habitLines: Readonly<Partial<Record<Quirk, HabitLines>>> = {
  'status-before-approval': {
    H1: {
      what: 'The status of a payment can be read before the PSU has approved the payment. It is RCVD.',
      seen: { register: [48], facts: ['statusBeforeApproval'] },
      mistake: 'The client expects the 403 of one bank, or the RCVD of another, from every bank.',
    },
  },
  'lenient-headers': {
    H2: {
      what: 'A periodic payment is accepted without `x-accept-fix` and `TPP-Session-ID`.',
      seen: {
        register: [44],
        others: [
          'SpareBank 1 Sogn og Fjordane, undated: published by the bank; the pages of Sparebanken Møre, OBOS-banken and others require `x-accept-fix`',
        ],
      },
      mistake: 'The client omits the headers, and a bank that demands them refuses the payment.',
    },
  },
  'id-lengths': {
    H3: {
      what: 'The id of a transaction has 241 characters.',
      value: 'transaction:241',
      seen: { register: [4], facts: ['transactionIdLength'], profiles: srBank },
      mistake: 'A column of 64 or 128 characters cuts the ids, and two cut ids can be equal.',
    },
    H4: {
      what: 'The id of a transaction has 69 characters.',
      value: 'transaction:69',
      seen: { register: [5], facts: ['transactionIdLength'], profiles: bien },
      mistake: 'A column of 64 characters is five too short. Tests with short ids do not show this.',
    },
    H5: {
      what: 'Ids end in `=` at one bank and not at another. Both contain `-` and `_`.',
      value: 'transaction:241/unpadded',
      seen: { register: [6], facts: ['transactionIdPadded'] },
      mistake: 'The client strips or escapes the `=`, and gets 404 or 403 for the details.',
    },
  },
  'reissued-ids': {
    H6: {
      what: 'A booked transaction gets a new id later. The bank then does not know the old id.',
      value: 'P60D',
      seen: { register: [1, 2], facts: ['transactionIdStable'] },
      mistake: 'A program that knows transactions by their ids imports each of them again.',
    },
    H7: {
      what: 'An id is valid in one session: the next session shows another id.',
      value: 'session',
      seen: { register: [3], others: [alliance] },
      mistake: 'The client stores a link to details, and the link is dead in the next session.',
    },
  },
  'pending-dates': {
    H8: {
      what: 'Pending transactions have a `bookingDate` and no `valueDate`.',
      value: 'booking',
      seen: { register: [14], facts: ['pendingDates'], profiles: srBank },
      mistake: 'The client takes them for booked transactions, or counts them twice.',
    },
    H9: {
      what: 'Pending transactions have both dates.',
      value: 'both',
      seen: { register: [15], facts: ['pendingDates'], profiles: bien },
      mistake: 'The client takes every transaction with a `bookingDate` for booked.',
    },
  },
  'pending-members': {
    H10: {
      what: 'Pending transactions have dates, an amount and a text, and nothing else.',
      value: 'bare',
      seen: { register: [16], facts: ['pendingMembers'] },
      mistake: 'The client reads `debtorAccount` of each transaction and fails at the first pending one.',
    },
  },
  'rewritten-texts': {
    H11: {
      what: 'The text of a booked card purchase begins with the day of the purchase. Later it loses the day: `12.03 KIOSK` becomes `KIOSK`.',
      value: 'P1D',
      seen: { register: [2], facts: ['textRewritten'] },
      mistake:
        'If the id changes too (`reissued-ids`), neither id nor text matches, and the client has each transaction twice.',
    },
  },
  'text-forms': {
    H12: {
      what: 'The text of a pending card purchase has no day at one bank and begins with `DD.MM` at another.',
      value: 'sr',
      seen: { register: [17], facts: ['textPatterns'] },
      mistake: 'A pattern that fits the texts of one bank cuts the payee out of the texts of the other.',
    },
    H13: {
      what: 'A card text has the number of the card, the day, the currency, the amount and a rate. A purchase in NOK has the rate 1.0000.',
      value: 'bien',
      seen: { register: [26], facts: ['textPatterns'], profiles: bien },
      mistake: 'The client takes a purchase in NOK for a foreign one, because its text has a rate.',
    },
    H14: {
      what: 'The texts of fees have columns, which are padded with blanks.',
      value: 'bien',
      seen: { register: [27], facts: ['textPatterns'], profiles: bien },
      mistake: 'The client joins the blanks into one, and so changes its own hash of the text.',
    },
    H15: {
      what: 'A transfer has the text `Til: NAME` or `Fra: NAME`. An incoming transfer has a second text, the message.',
      value: 'bien',
      seen: { register: [28], facts: ['textPatterns', 'unstructuredArray'], profiles: bien },
      mistake: 'The client drops the second text, and with it the message of the payer.',
    },
    H16: {
      what: 'A payment with a KID has both a text and a structured reference.',
      value: 'bien',
      seen: { register: [29], facts: ['structuredReference'], profiles: bien },
      mistake:
        'The client copies the text and the reference into a new payment. The bank refuses this payment, because a payment has only one of the two.',
    },
  },
  'structured-references': {
    H17: {
      what: 'A structured reference is a list of two strings at one bank and one joined string at another.',
      value: 'strings',
      seen: { register: [30], facts: ['structuredReference'] },
      mistake: 'The client reads one of the two forms, and finds no KID in the other.',
    },
  },
  'bank-codes': {
    H18: {
      what: 'Transactions have an ISO code and no code of the bank. If the ISO code is unknown, it is `--`.',
      value: 'iso',
      seen: { register: [32], facts: ['bankTransactionCodes'] },
      mistake: 'The client splits `--` into domain, family and subfamily, and gets three empty texts.',
    },
    H19: {
      what: 'Transactions have a code of the bank, such as `R_710`, and no ISO code.',
      value: 'proprietary',
      seen: { register: [33], facts: ['proprietaryBankTransactionCodes'] },
      mistake: 'The client chooses a category by the ISO code, which this group of banks does not send.',
    },
    H20: {
      what: 'Many transactions have the same code of the bank: the code is a type, not an id.',
      value: 'proprietary',
      seen: { register: [10], facts: ['proprietaryBankTransactionCodeAsId'] },
      mistake: 'The client takes the code for an id, and loses the second purchase of a day.',
    },
  },
  counterparty: {
    H21: {
      what: 'Card purchases name no merchant and no account.',
      value: 'transfers',
      seen: { register: [31], facts: ['counterpartyMembers'] },
      mistake: 'The client takes the payee from `creditorName`, and finds no payee for four of five transactions.',
    },
  },
  order: {
    H22: {
      what: 'The list is in the order of posting: a transaction with an earlier booking date can stand above one with a later date.',
      value: 'posting',
      seen: { register: [34], facts: ['order'] },
      mistake: 'The client stops at the first date that it has already read, and misses the transactions below it.',
    },
  },
  'no-next-link': {
    H37: {
      what: 'A list of transactions has no link to its next page, even if there is a next page.',
      seen: { register: [35], facts: ['nextLinkMissing'] },
      mistake: 'The client reads one page and believes that it has all transactions. Read the next page with `offset`.',
    },
  },
  'full-history': {
    H38: {
      what: 'Transactions older than 90 days can be read for an hour after the consent. After that hour the bank refuses them with PERIOD_INVALID.',
      value: 'PT60M',
      seen: { register: [38], facts: ['fullHistoryWindowMinutes'] },
      mistake:
        'A job at night asks for all years, and the bank refuses. Read the history as soon as the PSU has consented.',
    },
  },
  'consent-days': {
    H39: {
      what: "A consent lapses 90 days after the PSU's last SCA.",
      value: '90',
      seen: { register: [40], facts: ['consentDays'] },
      mistake: 'The client plans to renew the consent after 180 days. From day 91 on the bank refuses its reads.',
    },
  },
  'details-days': {
    H45: {
      what: 'Without the PSU, lists of transactions can be read for 180 days after the last SCA, and details of a transaction for 90 days.',
      value: '90',
      seen: {
        register: [39],
        facts: ['unattendedReads'],
        profiles: ['obos-banken', 'skue-sparebank'],
        others: ['Spareskillingsbanken, undated: published by the bank'],
      },
      mistake:
        'The client stores one end date for the consent. From day 91 on the details fail, while the lists still work.',
    },
  },
  'revoked-403': {
    H40: {
      what: 'The bank refuses reads with a revoked consent with 403, and sends no `scaRedirect`.',
      seen: { register: [42], facts: ['revokedConsent'] },
      mistake: 'The client waits for the `scaRedirect` of a 401, which never comes, and tries again for ever.',
    },
  },
  'no-cards-404': {
    H41: {
      what: 'If a consent has no cards, the list of card accounts is refused with 404.',
      seen: { register: [43], facts: ['cardsMissing'] },
      mistake: 'The client ends its refresh at the 404, and does not read the accounts either.',
    },
  },
  'fee-indicator': {
    H23: {
      what: '`transactionFeeIndicator` is true for a payment that costs 0.00.',
      seen: { register: [47], facts: ['feeIndicator'] },
      mistake: 'The client warns the PSU of a fee that is zero.',
    },
  },
  'no-status-in-details': {
    H24: {
      what: 'The details of a payment have no `transactionStatus`.',
      seen: { register: [51], facts: ['statusInDetails'] },
      mistake: 'The client looks for the status in the details, and finds none.',
    },
  },
  'plain-json': {
    H25: {
      what: 'The content type is `application/json`, without a charset.',
      seen: { register: [], facts: ['contentType'], profiles: srBank },
      mistake: 'The client compares the whole header, or falls back on ISO 8859-1 for æ, ø and å.',
    },
  },
  'accept-fix-dates': {
    H42: {
      what: 'Until the date of the change, the two amounts of a card transaction are swapped, unless `x-accept-fix` names the change.',
      value: 'card-amounts:2030-01-01',
      seen: { register: [45], facts: ['acceptFixSent'] },
      mistake: 'The client books 100.00 EUR as 100.00 NOK at one bank, and the right amount at another.',
    },
    H43: {
      what: 'Each bank makes a change of `x-accept-fix` its default on another day. Until that day the bank cuts long names.',
      value: 'longer-names:2030-01-01',
      seen: { register: [46], facts: ['acceptFixDefaults'] },
      mistake:
        'The client expects the change on the same day at all banks. Send the header until every bank has made the change.',
    },
  },
  'status-lag': {
    H44: {
      what: 'For some time after the SCA, the status of a payment is still RCVD.',
      value: 'PT26S',
      seen: { register: [49], facts: ['statusLag'] },
      mistake:
        'The client reads the status once, when the PSU comes back, and takes the payment for refused or unsigned.',
    },
  },
  'own-accounts-at-once': {
    H51: {
      what: 'A transfer between accounts of one customer settles when it is authorised. A transfer to another customer of the bank waits for a run.',
      seen: {
        register: [58],
        facts: ['ownAccountTransfers'],
        profiles: ['sparebank1-ostfold-akershus', 'sparebank1-modum', 'den-gule-banken'],
      },
      mistake: 'The client expects every transfer inside the bank to settle at once, and promises the money too early.',
    },
  },
  'same-bank-at-once': {
    H52: {
      what: 'A transfer to another customer of the bank settles when it is authorised. With a KID it settles in a run.',
      value: 'without-kid',
      seen: {
        register: [59],
        facts: ['sameBankTransfers'],
        profiles: ['orskog-sparebank', 'skagerrak-sparebank', 'sparebanken-din'],
      },
      mistake: 'The client does not find the payment with a KID at once, and sends it again.',
    },
    H53: {
      what: 'Money inside the bank is available at once, and booked on the next banking day.',
      value: 'all',
      seen: { register: [60], facts: ['sameBankTransfers'], profiles: ['kvinesdal-sparebank', 'sparebanken-sor'] },
      mistake: 'The client adds up booked transactions, and its sum lacks money that is in the balance.',
    },
  },
  'card-value-dates': {
    H54: {
      what: 'The value date of a foreign card purchase is the banking day after its booking date.',
      seen: { register: [22], facts: ['valueDateRule'], profiles: bien },
      mistake: 'The client sorts by value date, and shows transactions of tomorrow.',
    },
  },
  'weekend-values': {
    H55: {
      what: 'A transfer that is due on a Saturday or a Sunday has that day as its value date, and is booked on Monday.',
      seen: { register: [23], facts: ['valueDateRule'], profiles: bien },
      mistake: 'The client uses the value date to find duplicates or to compute a balance.',
    },
  },
  'month-end-bookings': {
    H56: {
      what: 'Fees are booked on the last day of a month, even if it is a Saturday or a Sunday.',
      seen: { register: [25], facts: ['weekendRule'], profiles: bien },
      mistake: 'The client expects every booking date to be a banking day.',
    },
  },
};

/** Habits of banks that the bank has without a quirk. */
export const defaultLines: HabitLines = {
  H26: {
    what: 'Pending transactions have no id.',
    seen: { register: [13], facts: ['pendingHasId'] },
    mistake: 'The client matches pending and booked transactions one by one. Replace the whole pending list instead.',
  },
  H27: {
    what: 'Every page and every range of dates has all pending transactions.',
    seen: {
      register: [18],
      facts: ['pendingUnfiltered'],
      others: ['OKQ8, 2023-02-14: published by the bank as a known issue'],
    },
    mistake: 'The client reads until a page is empty, and never ends.',
  },
  H28: {
    what: 'Two purchases can have the same date, amount and text. They are two transactions with two ids.',
    seen: { register: [11], facts: ['duplicateLookalikes'] },
    mistake: 'The client drops the second purchase as a duplicate.',
  },
  H29: {
    what: 'The bank accepts a limit of several hundred (`limit=499`). `_links.next` says whether more transactions follow.',
    seen: {
      register: [36],
      facts: ['pageLimitAccepted'],
      others: ['Fana Sparebank, undated: published by the bank, which advises 100 to 200'],
    },
    mistake: 'The client counts the items of a page instead of following `_links.next`.',
  },
  H30: {
    what: 'A list without `dateFrom` begins 90 days ago.',
    seen: { register: [37], others: ['Fana Sparebank and others, undated: published by the bank'] },
    mistake: 'The client believes that it has the whole history.',
  },
  H31: {
    what: 'Transactions older than 90 days can be read within an hour after the SCA.',
    seen: { register: [38], facts: ['fullHistoryWindowMinutes'] },
    mistake: 'A job at night asks for all years, and the bank refuses.',
  },
  H32: {
    what: 'Without the PSU, a client can read an account four times in 24 hours, 90 days back, and for 180 days after the SCA.',
    seen: { register: [39], others: ['Fana Sparebank, undated: published by the bank'] },
    mistake: 'The client reads every hour, and the bank refuses the fifth read.',
  },
  H33: {
    what: 'The PSU revokes a consent with the bank (`DELETE /sandbox/consents/{consentId}`), and the bank does not tell the TPP.',
    seen: { register: [41], others: ['Sparebanken Øst and SpareBank 1 Helgeland, undated: published by the bank'] },
    mistake: 'The client cannot handle a consent that ends early.',
  },
  H34: {
    what: 'The bank refuses a read with a lapsed consent with 401 and a `scaRedirect`.',
    seen: { register: [42], facts: ['consentExpired'] },
    mistake: 'The client tries again instead of sending the PSU to the link.',
  },
  H35: {
    what: 'The bank accepts every value of `x-accept-fix` that clients send. All these changes are its default.',
    seen: { register: [45], facts: ['acceptFixSent'] },
    mistake: 'The client reads amounts as numbers, which they were before these changes.',
  },
  H36: {
    what: 'After the SCA, a payment for today cannot be deleted, and has no link to start an authorisation.',
    seen: { register: [50], facts: ['statusAfterApproval'] },
    mistake: 'The client cancels the payment, and the bank refuses.',
  },
  H57: {
    what: 'A card purchase is booked some days later. Only its text may have the day of the purchase.',
    seen: { register: [24], facts: ['bookingLagAfterPurchase'], profiles: bien },
    mistake: 'The client reports the purchase in the month of its booking.',
  },
};
