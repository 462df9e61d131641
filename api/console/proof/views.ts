import { proof } from '../../control/ledger/books.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { facts, pagedTable } from '../parts/lists.ts';
import { accountLink, counted, foreign, money, tag } from '../parts/text.ts';

/** The proof of the ledger, made when the view is asked for. */
export const proofView: ConsoleView = {
  path: '/proof',
  show: async (call) => {
    const { ok, currencies, executions, accounts } = await call.books.prove(() => call.ask('/ledger/proof', proof));
    const wrongFirst = accounts.toSorted((one, other) => Number(one.ok) - Number(other.ok));
    return {
      title: html`The books are ${verdict(ok)}`,
      windowTitle: `The books are ${ok ? 'right' : 'wrong'}`,
      content: html`<p class="lead">
          Every balance was recomputed from the entries; each currency sums to zero; each settled execution has its
          debit and its credit.
        </p>
        ${facts({
          ...Object.fromEntries(
            Object.entries(currencies).map(([currency, { sum, entries }]) => [
              `Sum of ${currency}`,
              html`${money(sum)} in ${counted(entries, 'entry', 'entries')}`,
            ]),
          ),
          'Settled executions': `${executions.settled}, of which ${executions.unbalanced} do not balance`,
        })}
        <h2>Accounts</h2>
        ${pagedTable(call, 'Balances as they are stored, and as the entries give them', wrongFirst, [
          [
            'Account',
            ({ kind, bban, iban }) => {
              const number = bban ?? iban;
              return kind === 'clearing' || number === null ? 'of the bank' : accountLink(call, number);
            },
          ],
          ['Name', ({ name }) => foreign(name)],
          ['State', (each) => verdict(each.ok)],
          ['Entries', ({ entries }) => entries, 'figures'],
          ['Stored', ({ stored }) => money(stored), 'figures'],
          ['Recomputed', ({ recomputed }) => money(recomputed), 'figures'],
        ])}`,
    };
  },
};

function verdict(ok: boolean): Html {
  return ok ? tag('good', 'right') : tag('bad', 'wrong');
}
