import { foundIn } from '../../pipeline/problem.ts';
import { html, type Html } from '../../pages/html.ts';
import { consoleAction, view, type PageCall } from '../page-call.ts';
import { snapshotColumns } from '../../openapi/columns.ts';
import { shownColumns, pagedTable } from '../parts/tables.ts';
import { actionForm, confirmation, removal } from '../parts/forms.ts';
import { counted } from '../parts/text.ts';
import { instantText } from '../../pages/format.ts';

const snapshotsPath = '/snapshots';
/** The bank as a file, the one that `sandbank bundle save` saves. */
export const filePath = '/bank.sandbank';

/** Keeps ledger and clock under a name. */
export const saveSnapshot = consoleAction('POST /snapshots', {
  done: ({ name, now }) => `The bank at ${instantText(now)} is kept as ${name}.`,
});

/** Goes back to a snapshot. */
export const restoreSnapshot = consoleAction('POST /snapshots/:name/restore', {
  done: ({ restored, clock }) => ({
    text: `The bank is back at ${restored}, ${instantText(clock.now)}.`,
    to: snapshotsPath,
  }),
});

export const removeSnapshot = consoleAction('DELETE /snapshots/:name', {
  path: '/snapshots/:name/remove',
  done: ({ removed }) => `The snapshot ${removed} is gone.`,
});

/** Goes back to the known state. */
export const resetBank = consoleAction('POST /reset', {
  done: ({ fixtures, clock }) => ({
    text: `The bank is back at ${fixtures}, ${instantText(clock.now)}.`,
    to: snapshotsPath,
  }),
});

export const snapshotActions = [saveSnapshot, restoreSnapshot, removeSnapshot, resetBank];

/** The snapshot of the known state, which is always there. */
const seeded = 'seeded';
const snapshotsView = view(snapshotsPath, [], async (call) => {
  const { snapshots } = await call.ask('/snapshots');
  return {
    title: 'Snapshots',
    lead: html`A snapshot keeps the ledger and the clock. Restoring one discards later changes. Reusing a name
      overwrites it. A saved file opens with <code>sandbank open</code>, on another machine too.`,
    content: html`${actionForm(call, saveSnapshot, { button: 'Keep the bank as it is now', tone: 'main' }, [
        { name: 'name', label: 'Name', required: true },
      ])}
      <p><a class="button" href="${call.to(filePath)}" download>Save the bank as a file</a></p>
      ${pagedTable(call, { caption: 'Snapshots of this bank', rows: snapshots }, [
        ...shownColumns(call, snapshotColumns, {
          Name: ({ name }) => html`${name} ${name === seeded && html`<span class="soft">the known state</span>`}`,
        }),
        ['Go back', ({ name }) => wayBack(call, name)],
        ['Remove', ({ name }) => name !== seeded && removal(call, removeSnapshot, name)],
      ])}`,
  };
});

function wayBack(call: PageCall, name: string): Html {
  const [to, text] =
    name === seeded
      ? [call.to(resetBank.path), 'Reset the bank …']
      : [call.to(restoreSnapshot.path, { params: { name } }), 'Go back to it …'];
  return html`<a class="button" href="${to}">${text}</a>`;
}

/** Asks once more before a snapshot takes the place of the bank. */
const restoreView = view(restoreSnapshot.path, ['payment'], async (call) => {
  const { name = '' } = call.params;
  const { snapshots } = await call.ask('/snapshots');
  const { now } = foundIn(snapshots, (each) => each.name === name, `There is no snapshot ${name}.`);
  return {
    title: `Go back to ${name}?`,
    lead: html`${await presentOf(call)} It goes back to ${instantText(now)}: everything that the snapshot does not hold
    is lost. Snapshots stay.`,
    content: confirmation(call, restoreSnapshot, { button: 'Go back', back: snapshotsPath }),
  };
});

/** Asks once more before a reset. */
const resetView = view(resetBank.path, ['payment'], async (call) => ({
  title: 'Reset the bank?',
  lead: html`${await presentOf(call)} A reset goes back to the known state and the clock of the start: payments,
  consents and changed test data are lost. Snapshots stay.`,
  content: confirmation(call, resetBank, { button: 'Reset the bank', back: snapshotsPath }),
}));

/** Where the bank is, and how many payments it has. */
async function presentOf(call: PageCall): Promise<string> {
  const { now } = await call.clock();
  const { total } = await call.ask('/payments', { query: { limit: '1' } });
  return `The bank is at ${instantText(now)} and has ${total === 0 ? 'no payments' : counted(total, 'payment')}.`;
}

export const snapshotViews = [snapshotsView, restoreView, resetView];
