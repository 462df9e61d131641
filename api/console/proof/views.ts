import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html } from '../../pages/html.ts';
import { type PageCall, type ConsoleRoom, view } from '../page-call.ts';
import { facts } from '../parts/blocks.ts';
import { pagedTable } from '../parts/tables.ts';
import { accountLink } from '../parts/links.ts';
import { counted, foreign, money, tag } from '../parts/text.ts';

/** The proof of the ledger, made when the view is asked for. */
const proofView = view('/proof', [], async (call) => {
  const proof = await call.ask('/ledger/proof');
  const { ok, executions, accounts } = proof;
  const lead = html`Every balance of ${counted(accounts.length, 'account')} is the sum of its entries, every currency
  sums to zero, and every settled execution (${executions.settled}) has its debit and its credit.`;
  return {
    title: html`The books are ${ok ? tag('good', 'right') : tag('bad', 'wrong')}`,
    ...(ok ? { lead, content: null } : { content: faults(call, proof) }),
  };
});

/** Only what is wrong. */
function faults(call: PageCall, { currencies, executions, accounts }: AnswerTo<'GET /ledger/proof'>): Html {
  const wrong = accounts.filter((each) => !each.ok);
  const uneven = Object.entries(currencies).filter(([, { sum }]) => Number(sum.amount) !== 0);
  return html`${facts({
    ...Object.fromEntries(
      uneven.map(([currency, { sum, entries }]) => [
        `Sum of ${currency}, which is not zero`,
        html`${money(sum)} in ${counted(entries, 'entry', 'entries')}`,
      ]),
    ),
    'Executions without their debit and credit': executions.unbalanced > 0 && executions.unbalanced,
    'Accounts with a wrong balance': wrong.length > 0 && wrong.length,
  })}
  ${
    wrong.length > 0 &&
    pagedTable(call, { caption: 'Balances as they are stored, and as the entries give them', rows: wrong }, [
      ['Name', ({ name }) => foreign(name), 'text'],
      [
        'Account',
        ({ kind, bban, iban }) => {
          const number = bban ?? iban;
          return kind === 'clearing' || number === null ? 'of the bank' : accountLink(call, number);
        },
      ],
      ['Entries', ({ entries }) => entries, 'figures'],
      ['Stored', ({ stored }) => money(stored), 'figures'],
      ['Recomputed', ({ recomputed }) => money(recomputed), 'figures'],
    ])
  }`;
}

export const proofRoom: ConsoleRoom = { views: [proofView] };
