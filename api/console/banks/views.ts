import { bankList, bankRemoved, madeBank } from '../../control/banks-answers.ts';
import { wasReset } from '../../control/ledger/reset.ts';
import { snapshot, snapshotList, snapshotRemoved, snapshotRestored } from '../../control/ledger/snapshots.ts';
import { html, type Html } from '../../pages/html.ts';
import { consoleAction, type ConsoleView } from '../console-view.ts';
import type { PageCall } from '../page-call.ts';
import { actionForm } from '../parts/forms.ts';
import { pagedTable } from '../parts/lists.ts';
import { aloneInTest, instant, instantText, tag } from '../parts/text.ts';

/** Members of a body, of the fields that have a value. */
function given(fields: ReadonlyMap<string, string>, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...fields].filter(([name]) => names.includes(name)));
}

/** Keeps ledger and clock under a name. */
export const saveSnapshot = consoleAction('POST /snapshots', snapshot, {
  body: (fields) => given(fields, 'name'),
  done: ({ name, now }) => `The bank at ${instantText(now)} is kept as ${name}.`,
});

/** Goes back to a snapshot. */
export const restoreSnapshot = consoleAction('POST /snapshots/:name/restore', snapshotRestored, {
  done: ({ restored, clock }) => `The bank is back at ${restored}, ${instantText(clock.now)}.`,
});

export const removeSnapshot = consoleAction('DELETE /snapshots/:name/remove', snapshotRemoved, {
  call: '/snapshots/:name',
  done: ({ removed }) => `The snapshot ${removed} is gone.`,
});

/** Goes back to the known state. */
export const resetBank = consoleAction('POST /reset', wasReset, {
  done: ({ fixtures, clock }) => `The bank is back at ${fixtures}, ${instantText(clock.now)}.`,
});

/** Makes one more bank; at the root only. */
export const makeBank = consoleAction('POST /banks', madeBank, {
  body: (fields) => given(fields, 'name', 'now', 'mode', 'fixtures'),
  done: ({ name, clock }) => `The bank ${name} is there, at ${instantText(clock.now)}.`,
});

/** Removes a bank; at the root only. */
export const removeBank = consoleAction('DELETE /banks/:name/remove', bankRemoved, {
  call: '/banks/:name',
  done: ({ removed }) => `The bank ${removed} is gone.`,
});

export const bankActions = [saveSnapshot, restoreSnapshot, removeSnapshot, resetBank, makeBank, removeBank];

/** The snapshot of the known state, which is always there. */
const seeded = 'seeded';
const root = 'default';

const snapshotsView: ConsoleView = {
  path: '/snapshots',
  nav: 'Snapshots',
  live: ['reset'],
  show: async (call) => {
    const { snapshots } = await call.ask('/snapshots', snapshotList);
    return {
      title: 'Snapshots',
      content: html`<p class="lead">
          A snapshot keeps the ledger and the clock. Restoring one discards later changes. Reusing a name overwrites it.
        </p>
        ${actionForm(call, saveSnapshot, {
          fields: [{ name: 'name', label: 'Name', required: true }],
          button: 'Keep the bank as it is now',
          tone: 'main',
        })}
        ${pagedTable(call, 'Snapshots of this bank', snapshots, [
          ['Name', ({ name }) => html`${name} ${name === seeded && html`<span class="soft">the known state</span>`}`],
          ['Bank time', ({ now }) => instant(now)],
          [
            'Go back',
            ({ name }) =>
              name === seeded
                ? actionForm(call, resetBank, { button: 'Reset the bank' })
                : actionForm(call, restoreSnapshot, { params: { name }, button: 'Go back to it' }),
          ],
          ['Remove', ({ name }) => name !== seeded && removal(call, removeSnapshot, name)],
        ])}`,
    };
  },
};

function removal(call: PageCall, action: typeof removeSnapshot, name: string): Html {
  return actionForm(call, action, { params: { name }, button: 'Remove', tone: 'bad' });
}

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
    return {
      title: 'Banks',
      content: html`<p class="lead">
          Other banks of this process. Each has its own ledger, in memory, and its own clock. A name has lower-case
          letters, digits and hyphens.
        </p>
        ${actionForm(call, makeBank, {
          fields: [
            { name: 'name', label: 'Name', required: true },
            { name: 'now', label: 'Its clock starts at', type: 'date' },
            {
              name: 'mode',
              label: 'Its clock',
              options: { '': 'as here', frozen: 'stands still', running: 'runs' },
            },
          ],
          button: 'Make a bank',
          tone: 'main',
        })}
        ${pagedTable(call, 'Banks of this server', banks, [
          [
            'Name',
            ({ name }) =>
              html`<a href="${call.toBank(name)}">${name}</a> ${name === call.bankName && tag('good', 'this one')}`,
          ],
          ['Known state', ({ fixtures }) => fixtures],
          ['Quirks', ({ quirks }) => quirks.join(', ')],
          ['Remove', ({ name }) => name !== root && removal(call, removeBank, name)],
        ])}`,
    };
  },
};

export const bankViews = [snapshotsView, banksView];
