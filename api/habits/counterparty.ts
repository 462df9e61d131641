import type { Habit } from './habit.ts';
import { without } from './json.ts';
import { isCredit, kindOf } from '../../engine/accounts/rules/transaction-kind.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

const names = ['creditorId', 'creditorName', 'ultimateCreditor', 'debtorName', 'ultimateDebtor'];

/** The quirk `counterparty` (rules.md Q5; register 31): only transfers name anybody, and only the own account stands elsewhere. */
export const counterparty: Habit = {
  show: (answer) => {
    const shown = eachTransaction(answer, (item, told) => {
      const kind = kindOf(told);
      if (kind === 'transfer' || kind === 'batch') return item;
      const other = isCredit(told) ? ['debtorAccount', 'debtorAgent'] : ['creditorAccount', 'creditorAgent'];
      return without(item, ...names, ...other);
    });
    return eachCardTransaction(shown, (item) => without(item, 'cardAcceptorId', 'cardAcceptorAddress'));
  },
};
