import { proof } from '../../control/ledger/get-proof.ts';
import { html } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { facts, pager, table } from '../parts/lists.ts';
import { pageOf } from '../parts/page-of.ts';
import { accountLink, counted, foreign, money, tag } from '../parts/text.ts';

const path = '/proof';

/** The proof of the ledger, made when the view is asked for. */
const proofView: ConsoleView = {
  path,
  show: async (call) => {
    const { ok, currencies, executions, accounts } = await call.books.prove(() => call.ask('/ledger/proof', proof));
    // What is wrong stands first.
    const page = pageOf(
      call,
      accounts.toSorted((one, other) => Number(one.ok) - Number(other.ok)),
    );
    return {
      title: html`The books are ${ok ? tag('good', 'right') : tag('bad', 'wrong')}`,
      windowTitle: `The books are ${ok ? 'right' : 'wrong'}`,
      content: html`<p class="lead">
          Every balance was recomputed from the entries; each currency sums to zero; each settled execution has its
          debit and its credit.
        </p>
        ${facts([
          ...Object.entries(currencies).map(
            ([currency, { sum, entries }]) =>
              [`Sum of ${currency}`, html`${money(sum)} in ${counted(entries, 'entry', 'entries')}`] as const,
          ),
          ['Settled executions', `${executions.settled}, of which ${executions.unbalanced} do not balance`],
        ])}
        <h2>Accounts</h2>
        ${table({
          caption: 'Balances as they are stored, and as the entries give them',
          columns: [
            'Account',
            'Name',
            'State',
            { head: 'Entries', isNumber: true },
            { head: 'Stored', isNumber: true },
            { head: 'Recomputed', isNumber: true },
          ],
          rows: page.rows.map((each) => {
            const number = each.bban ?? each.iban;
            return [
              each.kind === 'clearing' || number === null ? 'of the bank' : accountLink(call, number),
              foreign(each.name),
              each.ok ? tag('good', 'right') : tag('bad', 'wrong'),
              each.entries,
              money(each.stored),
              money(each.recomputed),
            ];
          }),
        })}
        ${pager(call, { path, query: {}, ...page.place })}`,
    };
  },
};

export const proofViews = [proofView];
