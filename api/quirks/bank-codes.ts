import { accountTransactions, all, cardTransactions, having, inSchemas, lacking } from './contract.ts';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import {
  isoCodes,
  purchaseCode,
  hasReference,
  isCredit,
  isPaidAbroad,
  isSalary,
  kindOf,
  nonEmpty,
} from '../../engine/accounts/rules/bank-texts.ts';
import type { QuirkFile } from './quirk-file.ts';
import { type JsonObject, without } from './json.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

const iso = 'bankTransactionCode';
const isoForm = /^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/;
const proprietary = 'proprietaryBankTransactionCode';

export const quirk: QuirkFile<'bank-codes'> = {
  group: 'texts',
  does: 'Transactions have only the ISO code, only the code of the bank, or no code',
  banks: ['Bien Sparebank', 'SpareBank 1 Sør-Norge'],
  register: [32, 33],
  lines: {
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
  shape: (document, value) => {
    const left = value === 'proprietary' ? lacking(iso) : lacking(iso, proprietary);
    const isoText = {
      type: 'string',
      description: 'the ISO code; `--`: nobody knows it',
      examples: ['PMNT-ICDT-RETP'],
      pattern: `^--$|${isoForm.source}`,
    };
    const change = value === 'iso' ? all(left, having({ [iso]: isoText })) : left;
    const accounts = inSchemas(document, accountTransactions, change);
    return value === 'proprietary' ? accounts : inSchemas(accounts, cardTransactions, lacking(proprietary));
  },
  show: (answer, { quirks }) => {
    const wanted = quirks.get('bank-codes') ?? 'proprietary';
    const shown = eachTransaction(answer, (item, transaction) => {
      const left = without(item, iso, proprietary);
      if (wanted === 'iso') return { ...left, [iso]: isoCode(transaction) };
      const own = wanted === 'proprietary' ? ownCode(transaction) : null;
      return own === null ? left : { ...left, [proprietary]: own };
    });
    // The card interface has no ISO code.
    return wanted === 'proprietary'
      ? shown
      : eachCardTransaction(shown, (item): JsonObject => without(item, proprietary));
  },
};

/** The ISO code of a transaction; `--` if nobody knows (register 32). */
function isoCode(transaction: Transaction): string {
  const { bankTransactionCode: code = '' } = transaction.details;
  if (isoForm.test(code)) return code;
  if (transaction.isReturn === true) return 'PMNT-RCDT-RRTN';
  switch (kindOf(transaction)) {
    case 'card purchase':
      return isPaidAbroad(transaction) ? isoCodes.foreign : isoCodes.domestic;
    case 'fee':
      return isoCodes.fee;
    case 'transfer':
      if (isCredit(transaction)) return isSalary(transaction) ? 'PMNT-RCDT-SALA' : 'PMNT-RCDT-RETP';
      if (isPaidAbroad(transaction)) return 'PMNT-IICT-XBCT';
      return hasReference(transaction) ? 'PMNT-ICDT-PCID' : 'PMNT-ICDT-RETP';
    case 'batch':
    case 'unknown':
      return '--';
  }
}

/** The bank's own code of a kind of transaction (register 20, 33). Returns null if nobody has published one. */
function ownCode(transaction: Transaction): string | null {
  const code = nonEmpty(transaction.details.proprietaryBankTransactionCode);
  if (code !== undefined) return code;
  const kind = kindOf(transaction);
  // Both codes were seen, but not which is whose: that cards have this one is assumed.
  if (transaction.bookingDate === null) return kind === 'card purchase' ? 'R_946' : 'R_943';
  if (kind === 'card purchase') return purchaseCode;
  // Both were seen of transfers. That the direction decides is assumed.
  if (kind === 'transfer') return isCredit(transaction) ? 'R_914' : 'R_260';
  return null;
}
