import { bankList } from '../../control/banks-answers.ts';
import { snapshotList } from '../../control/ledger/snapshots.ts';
import { html } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { actionForm } from '../parts/forms.ts';
import { pager, table } from '../parts/lists.ts';
import { pageOf } from '../parts/page-of.ts';
import { aloneInTest, instant, tag } from '../parts/text.ts';
import { makeBank, removeBank, removeSnapshot, resetBank, restoreSnapshot, saveSnapshot } from './actions.ts';

/** The snapshot of the known state, which is always there. */
const seeded = 'seeded';
const root = 'default';

const snapshotsView: ConsoleView = {
  path: '/snapshots',
  nav: 'Snapshots',
  live: ['reset'],
  show: async (call) => {
    const { snapshots } = await call.ask('/snapshots', snapshotList);
    const page = pageOf(call, snapshots);
    return {
      title: 'Snapshots',
      content: html`<p class="lead">
          A snapshot is the ledger and the clock together. Going back to one loses what was since. A name that there is
          already is replaced.
        </p>
        ${actionForm(call, saveSnapshot, {
          fields: [{ name: 'name', label: 'Name', required: true }],
          button: 'Keep the bank as it is now',
          tone: 'main',
        })}
        ${table({
          caption: 'Snapshots of this bank',
          columns: ['Name', 'Bank time', 'Go back', 'Remove'],
          rows: page.rows.map(({ name, now }) => [
            html`${name} ${name === seeded && html`<span class="soft">the known state</span>`}`,
            instant(now),
            name === seeded
              ? actionForm(call, resetBank, { button: 'Reset the bank' })
              : actionForm(call, restoreSnapshot, { params: { name }, button: 'Go back to it' }),
            name !== seeded && actionForm(call, removeSnapshot, { params: { name }, button: 'Remove', tone: 'bad' }),
          ]),
        })}
        ${pager(call, { path: '/snapshots', query: {}, ...page.place })}`,
    };
  },
};

const banksView: ConsoleView = {
  path: '/banks',
  nav: 'Banks',
  live: ['reset'],
  show: async (call) => {
    if (!call.has('/banks')) {
      if (call.bankName === root) return { title: 'Banks', content: html`<p class="lead">${aloneInTest}</p>` };
      return {
        title: 'Banks',
        content: html`<p class="lead">
          This is the bank ${call.bankName}.
          <a href="${call.toBank(root, '/banks')}">The bank at the root lists all, makes more and removes them</a>
        </p>`,
      };
    }
    const { banks } = await call.ask('/banks', bankList);
    const page = pageOf(call, banks);
    return {
      title: 'Banks',
      content: html`<p class="lead">
          More banks in this process, in memory, each with a ledger and a clock of its own. A name has small letters,
          digits and hyphens.
        </p>
        ${actionForm(call, makeBank, {
          fields: [
            { name: 'name', label: 'Name', required: true },
            { name: 'now', label: 'Its clock starts at', type: 'date' },
            {
              name: 'mode',
              label: 'Its clock',
              options: [
                ['', 'as here'],
                ['frozen', 'stands still'],
                ['running', 'runs'],
              ],
            },
          ],
          button: 'Make a bank',
          tone: 'main',
        })}
        ${table({
          caption: 'Banks of this server',
          columns: ['Name', 'Known state', 'Quirks', 'Remove'],
          rows: page.rows.map(({ name, fixtures, quirks }) => [
            html`<a href="${call.toBank(name)}">${name}</a> ${name === call.bankName && tag('good', 'this one')}`,
            fixtures,
            quirks.join(', '),
            name !== root && actionForm(call, removeBank, { params: { name }, button: 'Remove', tone: 'bad' }),
          ]),
        })}
        ${pager(call, { path: '/banks', query: {}, ...page.place })}`,
    };
  },
};

export const bankViews = [snapshotsView, banksView];
