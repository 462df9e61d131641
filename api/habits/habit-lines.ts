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
      what: 'The status of a payment can be read before the PSU has approved it: RCVD.',
      seen: { register: [48], facts: ['statusBeforeApproval'] },
      mistake: 'The client takes the 403 of one bank for the rule, or the RCVD of another one.',
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
      mistake: 'The client forgets the headers, and meets a bank that demands them.',
    },
  },
  'id-lengths': {
    H3: {
      what: 'The id of a transaction has 241 characters.',
      value: 'transaction:241',
      seen: { register: [4], facts: ['transactionIdLength'], profiles: srBank },
      mistake: 'A column of 64 or 128 characters cuts the id, and cut ids are equal.',
    },
    H4: {
      what: 'The id of a transaction has 69 characters.',
      value: 'transaction:69',
      seen: { register: [5], facts: ['transactionIdLength'], profiles: bien },
      mistake: 'A column of 64 characters is too short by five, and tests with short ids do not show it.',
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
      what: 'A booked transaction gets another id later. The old id is then unknown.',
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
      mistake: 'The client sorts them into the booked transactions, or counts them twice.',
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
      what: 'The text of a booked card purchase begins with its day, and loses the day later: `12.03 KIOSK` becomes `KIOSK`.',
      value: 'P1D',
      seen: { register: [2], facts: ['textRewritten'] },
      mistake:
        'With another id as well (`reissued-ids`), neither id nor text matches, and each transaction is there twice.',
    },
  },
  'text-forms': {
    H12: {
      what: 'The text of a pending card purchase has no day at one bank and begins with `DD.MM` at another.',
      value: 'sr',
      seen: { register: [17], facts: ['textPatterns'] },
      mistake: 'A pattern that was made for one bank cuts the payee at the other.',
    },
    H13: {
      what: 'A card text has the number of the card, the day, the currency, the amount and a rate, for NOK at the rate 1.0000 too.',
      value: 'bien',
      seen: { register: [26], facts: ['textPatterns'], profiles: bien },
      mistake: 'The client takes purchases in NOK for foreign ones; no `originalAmount` says otherwise.',
    },
    H14: {
      what: 'Texts of fees are columns, padded with runs of blanks.',
      value: 'bien',
      seen: { register: [27], facts: ['textPatterns'], profiles: bien },
      mistake: 'The client collapses the blanks, and its own hash of the text changes.',
    },
    H15: {
      what: 'A transfer is `Til: NAME` or `Fra: NAME`. An incoming one has two texts: the second is the message.',
      value: 'bien',
      seen: { register: [28], facts: ['textPatterns', 'unstructuredArray'], profiles: bien },
      mistake: 'The client drops the second text, and with it the message of the payer.',
    },
    H16: {
      what: 'A payment with KID has a text and a structured reference.',
      value: 'bien',
      seen: { register: [29], facts: ['structuredReference'], profiles: bien },
      mistake: 'The client copies both into a new payment, and the bank refuses it: one of them is allowed.',
    },
  },
  'structured-references': {
    H17: {
      what: 'A structured reference is a list of two strings at one bank and one joined string at another.',
      value: 'strings',
      seen: { register: [30], facts: ['structuredReference'] },
      mistake: 'The client reads one form, and finds no KID in the other.',
    },
  },
  'bank-codes': {
    H18: {
      what: 'Transactions have an ISO code, `--` if nobody knows it, and no code of the bank.',
      value: 'iso',
      seen: { register: [32], facts: ['bankTransactionCodes'] },
      mistake: 'The client splits `--` into domain, family and subfamily, and gets three empty texts.',
    },
    H19: {
      what: 'Transactions have a code of the bank, such as `R_710`, and no ISO code.',
      value: 'proprietary',
      seen: { register: [33], facts: ['proprietaryBankTransactionCodes'] },
      mistake: 'The client sorts into categories by a member that this group of banks lacks.',
    },
    H20: {
      what: 'A code of the bank stands on many transactions: it is a type, and no id.',
      value: 'proprietary',
      seen: { register: [10], facts: ['proprietaryBankTransactionCodeAsId'] },
      mistake: 'The client takes the code for the id, and swallows the second purchase of a day.',
    },
  },
  counterparty: {
    H21: {
      what: 'Card purchases name no merchant and no account.',
      value: 'transfers',
      seen: { register: [31], facts: ['counterpartyMembers'] },
      mistake: 'The client takes the payee from `creditorName`, and has none for four of five transactions.',
    },
  },
  order: {
    H22: {
      what: 'The list is in the order of posting: an older booking date can stand above a later one.',
      value: 'posting',
      seen: { register: [34], facts: ['order'] },
      mistake: 'The client stops at the first date that it has already read, and misses what stands below.',
    },
  },
  'no-next-link': {
    H37: {
      what: 'A list of transactions has no link to its next page, though more follow.',
      seen: { register: [35], facts: ['nextLinkMissing'] },
      mistake: 'The client reads one page and believes that it has all. `offset` reads on.',
    },
  },
  'full-history': {
    H38: {
      what: 'Transactions older than 90 days can be read for an hour after the consent, then no session opens them: PERIOD_INVALID.',
      value: 'PT60M',
      seen: { register: [38], facts: ['fullHistoryWindowMinutes'] },
      mistake:
        'The job at night asks for all years, and is refused. Read the history at once when the PSU has consented.',
    },
  },
  'consent-days': {
    H39: {
      what: 'A consent lapses 90 days after the last SCA of the PSU.',
      value: '90',
      seen: { register: [40], facts: ['consentDays'] },
      mistake: 'The client plans the renewal after 180 days, and reads nothing for 90 of them.',
    },
  },
  'details-days': {
    H45: {
      what: 'Without the PSU, the details of a transaction can be read until 90 days after the last SCA, and lists until 180.',
      value: '90',
      seen: {
        register: [39],
        facts: ['unattendedReads'],
        profiles: ['obos-banken', 'skue-sparebank'],
        others: ['Spareskillingsbanken, undated: published by the bank'],
      },
      mistake: 'The client keeps one date for the consent: from day 91 the details fail while the list works.',
    },
  },
  'revoked-403': {
    H40: {
      what: 'Reading with a consent that the PSU has revoked is refused with 403, without a `scaRedirect`.',
      seen: { register: [42], facts: ['revokedConsent'] },
      mistake: 'The client waits for the link of a 401 and tries again for ever, as no link comes.',
    },
  },
  'no-cards-404': {
    H41: {
      what: 'The list of card accounts of a consent without cards is 404.',
      seen: { register: [43], facts: ['cardsMissing'] },
      mistake: 'One 404 ends the whole refresh, and the accounts are not read either.',
    },
  },
  'fee-indicator': {
    H23: {
      what: 'A payment that costs 0.00 has `transactionFeeIndicator` true.',
      seen: { register: [47], facts: ['feeIndicator'] },
      mistake: 'The client tells the PSU of a fee of nothing.',
    },
  },
  'no-status-in-details': {
    H24: {
      what: 'The details of a payment have no `transactionStatus`.',
      seen: { register: [51], facts: ['statusInDetails'] },
      mistake: 'The client reads the details and has no status.',
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
      what: 'Before its date, a transaction of a card has its two amounts exchanged, unless `x-accept-fix` names the change.',
      value: 'card-amounts:2030-01-01',
      seen: { register: [45], facts: ['acceptFixSent'] },
      mistake: 'The client books 100.00 EUR as 100.00 NOK at one bank, and the right amount at another.',
    },
    H43: {
      what: 'Each bank makes a change of `x-accept-fix` its default on a day of its own. Before it, long names are cut.',
      value: 'longer-names:2030-01-01',
      seen: { register: [46], facts: ['acceptFixDefaults'] },
      mistake:
        'The client takes the day of one bank for that of all. Send the header until each bank has made the change.',
    },
  },
  'status-lag': {
    H44: {
      what: 'After the SCA the status of a payment is RCVD for some time still.',
      value: 'PT26S',
      seen: { register: [49], facts: ['statusLag'] },
      mistake:
        'The client reads the status once, when the PSU comes back, and takes the payment for refused or unsigned.',
    },
  },
  'own-accounts-at-once': {
    H51: {
      what: 'A transfer between accounts of one customer settles when it is authorised; one to another customer of the bank waits for a run.',
      seen: {
        register: [58],
        facts: ['ownAccountTransfers'],
        profiles: ['sparebank1-ostfold-akershus', 'sparebank1-modum', 'den-gule-banken'],
      },
      mistake: 'The client takes "inside the bank" for "at once", and promises money that a run brings.',
    },
  },
  'same-bank-at-once': {
    H52: {
      what: 'A transfer to another customer of the bank settles when it is authorised, one with a KID in a run.',
      value: 'without-kid',
      seen: {
        register: [59],
        facts: ['sameBankTransfers'],
        profiles: ['orskog-sparebank', 'skagerrak-sparebank', 'sparebanken-din'],
      },
      mistake: 'The client sees the payment with a KID late, and sends it again.',
    },
    H53: {
      what: 'Money inside the bank is available at once, and booked on the next banking day.',
      value: 'all',
      seen: { register: [60], facts: ['sameBankTransfers'], profiles: ['kvinesdal-sparebank', 'sparebanken-sor'] },
      mistake: 'The client sums up booked transactions, and misses money that the balance has.',
    },
  },
  'card-value-dates': {
    H54: {
      what: 'A foreign card purchase has a value date after its booking date: the banking day that follows.',
      seen: { register: [22], facts: ['valueDateRule'], profiles: bien },
      mistake: 'The client orders by value date, and finds transactions of tomorrow.',
    },
  },
  'weekend-values': {
    H55: {
      what: 'A transfer of a Saturday or a Sunday has that day as its value date, and is booked on Monday.',
      seen: { register: [23], facts: ['valueDateRule'], profiles: bien },
      mistake: 'The client finds duplicates, or computes a balance, by the value date.',
    },
  },
  'month-end-bookings': {
    H56: {
      what: 'Fees are booked on the last day of a month, also on a Saturday or a Sunday.',
      seen: { register: [25], facts: ['weekendRule'], profiles: bien },
      mistake: 'The client requires that a booking date is a banking day.',
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
    what: 'Every page, and every range of dates, has all pending transactions.',
    seen: {
      register: [18],
      facts: ['pendingUnfiltered'],
      others: ['OKQ8, 2023-02-14: published by the bank as a known issue'],
    },
    mistake: 'The client reads on while a page is not empty, and never ends.',
  },
  H28: {
    what: 'Two purchases can have the same date, amount and text. They are two transactions with two ids.',
    seen: { register: [11], facts: ['duplicateLookalikes'] },
    mistake: 'The client drops the second one as a duplicate.',
  },
  H29: {
    what: 'A list takes a limit of several hundred (`limit=499`), and `_links.next` says whether there is more.',
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
    mistake: 'A job at night asks for all years, and is refused.',
  },
  H32: {
    what: 'Without the PSU an account is read four times in 24 hours and 90 days back, until 180 days after the SCA.',
    seen: { register: [39], others: ['Fana Sparebank, undated: published by the bank'] },
    mistake: 'The client reads each hour, and is refused from the fifth time on.',
  },
  H33: {
    what: 'The PSU ends a consent at the bank, without notice to the TPP (`DELETE /sandbox/consents/{consentId}`).',
    seen: { register: [41], others: ['Sparebanken Øst and SpareBank 1 Helgeland, undated: published by the bank'] },
    mistake: 'The client has no path for a consent that ended early.',
  },
  H34: {
    what: 'A read with a lapsed consent is refused with 401 and a `scaRedirect`.',
    seen: { register: [42], facts: ['consentExpired'] },
    mistake: 'The client tries again instead of sending the PSU to the link.',
  },
  H35: {
    what: 'The bank takes the values of `x-accept-fix` that clients send, and all of them are the default.',
    seen: { register: [45], facts: ['acceptFixSent'] },
    mistake: 'The client reads amounts as numbers, as they were before.',
  },
  H36: {
    what: 'After the SCA a payment of today can no longer be deleted, and has no link to start an authorisation.',
    seen: { register: [50], facts: ['statusAfterApproval'] },
    mistake: 'The client cancels by habit, and is refused.',
  },
  H57: {
    what: 'A card purchase is booked some days after it. Its day stands in the text alone, if anywhere.',
    seen: { register: [24], facts: ['bookingLagAfterPurchase'], profiles: bien },
    mistake: 'The client reports the purchase in the month of its booking.',
  },
};
