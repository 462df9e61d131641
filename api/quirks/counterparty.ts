import { cardTransactions, inSchemas, lacking } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { without } from './json.ts';
import { isCredit, kindOf } from '../../engine/accounts/rules/bank-texts.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

const names = ['creditorId', 'creditorName', 'ultimateCreditor', 'debtorName', 'ultimateDebtor'];

export const quirk: QuirkFile<'counterparty'> = {
  group: 'texts',
  does: 'Only transfers name the other party and its account; card purchases name neither',
  banks: ['Bien Sparebank'],
  lines: {
    H21: {
      what: 'Card purchases name no merchant and no account.',
      value: 'transfers',
      seen: { register: [31], facts: ['counterpartyMembers'] },
      mistake: 'The client takes the payee from `creditorName`, and finds no payee for four of five transactions.',
    },
  },
  shape: (document) => inSchemas(document, cardTransactions, lacking('cardAcceptorId', 'cardAcceptorAddress')),
  show: (answer) => {
    const shown = eachTransaction(answer, (item, transaction) => {
      const kind = kindOf(transaction);
      if (kind === 'transfer' || kind === 'batch') return item;
      const other = isCredit(transaction) ? ['debtorAccount', 'debtorAgent'] : ['creditorAccount', 'creditorAgent'];
      return without(item, ...names, ...other);
    });
    return eachCardTransaction(shown, (item) => without(item, 'cardAcceptorId', 'cardAcceptorAddress'));
  },
};
