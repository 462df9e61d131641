import { Problem } from '../../pipeline/problem.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { profileIds } from '../../start/profile.ts';
import { consoleAction, type ConsoleView, type PageCall } from '../page-call.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { actionForm } from '../parts/forms.ts';
import { pagedTable } from '../parts/lists.ts';
import { makesNoBanks, counted, instantText, moment, scenarioLink, tag } from '../parts/text.ts';

/** Members of a body, of the fields that have a value. */
function given(fields: ReadonlyMap<string, string>, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...fields].filter(([name]) => names.includes(name)));
}

const snapshotsPath = '/snapshots';

/** Keeps ledger and clock under a name. */
export const saveSnapshot = consoleAction('POST /snapshots', {
  body: (fields) => given(fields, 'name'),
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

/** Makes one more bank; at the root only. */
export const makeBank = consoleAction('POST /banks', {
  body: (fields) => ({
    ...given(fields, 'name', 'now', 'mode', 'fixtures', 'profile'),
    quirks: fields.get('quirks')?.split(/[\s,]+/),
  }),
  done: ({ name, clock, token }) => {
    const text = `The bank ${name} is there, at ${instantText(clock.now)}.`;
    if (token === undefined) return text;
    return { text: `${text} Its token is shown this once: ${token}`, to: '/banks', isSecret: true };
  },
});

/** Issues a token of a bank in place of the one before; on a server with a control token only. */
const issueToken = consoleAction('POST /banks/:name/token', {
  done: ({ name, token }) => ({
    text: `The token of ${name} is shown this once: ${token}`,
    to: '/banks',
    isSecret: true,
  }),
});

/** Takes the token of a bank back. */
const revokeToken = consoleAction('DELETE /banks/:name/token', {
  path: '/banks/:name/token/revoke',
  done: ({ revoked }) => `The token of ${revoked} opens nothing any more.`,
});

/** Removes a bank; at the root only. */
export const removeBank = consoleAction('DELETE /banks/:name', {
  path: '/banks/:name/remove',
  done: ({ removed }) => `The bank ${removed} is gone.`,
});

type Moved = AnswerTo<'POST /platform/clock/advance'>;

function movedText({ to, banks }: Moved): string {
  const runs = banks.reduce((sum, bank) => sum + bank.runs.length, 0);
  const worked = banks.filter((bank) => bank.runs.length > 0).length;
  const did = runs === 0 ? 'No run had work.' : `${counted(runs, 'run')} had work, at ${counted(worked, 'bank')}.`;
  return `${counted(banks.length, 'bank')} of the platform are at ${instantText(to)}. ${did}`;
}

/** Moves the clocks of all banks of the platform. */
export const advancePlatform = consoleAction('POST /platform/clock/advance', {
  body: (fields) => given(fields, 'to', 'by'),
  done: movedText,
  meanwhile: () => 'The banks of the platform are moving.',
});

/** Stops or starts them. */
export const setPlatform = consoleAction('PUT /platform/clock', {
  body: (fields) => given(fields, 'mode'),
  done: movedText,
});

export const bankActions = [
  saveSnapshot,
  restoreSnapshot,
  removeSnapshot,
  resetBank,
  makeBank,
  removeBank,
  issueToken,
  revokeToken,
  advancePlatform,
  setPlatform,
];

/** The snapshot of the known state, which is always there. */
const seeded = 'seeded';
const root = 'default';

const snapshotsView: ConsoleView = {
  path: snapshotsPath,
  nav: 'Snapshots',
  live: ['reset'],
  show: async (call) => {
    const { snapshots } = await call.ask('/snapshots');
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
          ['Bank time', ({ now }) => moment(call, now)],
          [
            'Go back',
            ({ name }) =>
              name === seeded
                ? html`<a class="button" href="${call.to(resetBank.path)}">Reset the bank …</a>`
                : html`<a class="button" href="${call.to(pathTo(restoreSnapshot.path, { params: { name } }))}">
                    Go back to it …
                  </a>`,
          ],
          ['Remove', ({ name }) => name !== seeded && removal(call, removeSnapshot, name)],
        ])}`,
    };
  },
};

/** Asks once more before a snapshot takes the place of the bank. */
const restoreView: ConsoleView = {
  path: restoreSnapshot.path,
  live: ['clock', 'payment', 'reset'],
  show: async (call) => {
    const { name = '' } = call.params;
    const { snapshots } = await call.ask('/snapshots');
    const found = snapshots.find((each) => each.name === name);
    if (found === undefined) throw new Problem({ status: 404, detail: `There is no snapshot ${name}.` });
    return {
      title: html`Go back to ${name}?`,
      windowTitle: `Go back to ${name}?`,
      content: html`<p class="lead">
          ${await presentOf(call)} It goes back to ${instantText(found.now)}: everything that the snapshot does not hold
          is lost. Snapshots stay.
        </p>
        ${actionForm(call, restoreSnapshot, { params: { name }, button: 'Go back', tone: 'bad' })} ${cancel(call)}`,
    };
  },
};

/** Asks once more before a reset. */
const resetView: ConsoleView = {
  path: resetBank.path,
  live: ['clock', 'payment', 'reset'],
  show: async (call) => ({
    title: 'Reset the bank?',
    content: html`<p class="lead">
        ${await presentOf(call)} A reset goes back to the known state and the clock of the start: payments, consents and
        changed test data are lost. Snapshots stay.
      </p>
      ${actionForm(call, resetBank, { button: 'Reset the bank', tone: 'bad' })} ${cancel(call)}`,
  }),
};

/** Where the bank is, and how many payments it has. */
async function presentOf(call: PageCall): Promise<string> {
  const { now } = await call.ask('/clock');
  const { total } = await call.ask('/payments', { query: { limit: '1' } });
  return `The bank is at ${instantText(now)} and has ${total === 0 ? 'no payments' : counted(total, 'payment')}.`;
}

function cancel(call: PageCall): Html {
  return html`<p><a class="button" href="${call.to(snapshotsPath)}">Cancel</a></p>`;
}

function removal(call: PageCall, action: typeof removeSnapshot, name: string): Html {
  return actionForm(call, action, { params: { name }, button: 'Remove', tone: 'bad' });
}

const banksView: ConsoleView = {
  path: '/banks',
  nav: 'Banks',
  live: ['reset'],
  show: async (call) => {
    if (!call.has('/banks')) {
      if (call.bankName === root) return { title: 'Banks', content: html`<p class="lead">${makesNoBanks(call)}</p>` };
      return {
        title: 'Banks',
        content: html`<p class="lead">
          This is the bank ${call.bankName}.
          <a href="${call.toBank(root, '/banks')}">The bank at the root lists all, makes more and removes them</a>
        </p>`,
      };
    }
    const { banks } = await call.ask('/banks');
    return {
      title: 'Banks',
      content: html`<p class="lead">
          Other banks of this process. Each has its own ledger and its own clock. A name has lower-case letters, digits
          and hyphens.
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
            {
              name: 'profile',
              label: 'Profile',
              value: call.query.get('profile') ?? '',
              options: { '': 'none', ...Object.fromEntries(profileIds().map((each) => [each, each])) },
            },
            {
              name: 'fixtures',
              label: 'People and accounts',
              options: {
                '': 'as here',
                'known-state': 'the known state',
                'a-year-of-life': 'people who have lived for a year',
                twins: 'purchases that are equal but for their ids',
              },
            },
            {
              name: 'quirks',
              label: 'Quirks',
              value: call.query.has('profile') ? '' : (call.query.get('quirks') ?? ''),
              hint: 'Names with commas between them, and values: pending-dates=none. Empty: as the profile has them',
              isLong: true,
            },
          ],
          button: 'Make a bank',
          tone: 'main',
        })}
        ${call.has('/platform') && platformClock(call)}
        ${pagedTable(call, 'Banks of this server', banks, [
          ['Name', ({ name }) => html`${bankLink(call, name)} ${name === call.bankName && tag('good', 'this one')}`],
          [
            'Clock',
            ({ clock: shown }) => shown !== null && html`${moment(call, shown.now)} ${tag('over', shown.mode)}`,
          ],
          ['Origin', (each) => originOf(call, each), 'text'],
          ['Size', ({ bytes }) => (bytes === null ? 'not used yet' : sizeText(bytes)), 'figures'],
          ['Quirks', ({ quirks }) => quirks.join(', '), 'text'],
          ...(call.has('/banks/:name/token', 'POST') ? [tokenColumn(call)] : []),
          ['Remove', ({ name }) => name !== root && removal(call, removeBank, name)],
        ])}`,
    };
  },
};

/** The one clock of the platform (rules.md Q12c). */
function platformClock(call: PageCall): Html {
  return html`<h2>The platform</h2>
    <p class="lead">
      One clock for all banks of the platform. A bank that nobody has asked remembers the instant, and moves when it is
      first asked. <a href="${call.to('/when')}">When is a payment where, at each bank?</a>
    </p>
    ${actionForm(call, advancePlatform, {
      fields: [{ name: 'to', label: 'To', type: 'date', required: true }],
      button: 'Move all to this day',
    })}
    ${actionForm(call, advancePlatform, {
      fields: [{ name: 'by', label: 'By', options: { PT1H: 'an hour', P1D: 'a day', P7D: 'a week', P1M: 'a month' } }],
      button: 'Move all forward',
    })}
    ${actionForm(call, setPlatform, {
      fields: [{ name: 'mode', label: 'All clocks', options: { frozen: 'stand still', running: 'run' } }],
      button: 'Set',
    })}`;
}

type Listed = AnswerTo<'GET /banks'>['banks'][number];

/** The forms for the token of each bank. */
function tokenColumn(call: PageCall): readonly ['Token', (bank: Listed) => HtmlValue] {
  const forms = (params: Readonly<Record<string, string>>): Html =>
    html`${actionForm(call, issueToken, { params, button: 'New token' })}
    ${actionForm(call, revokeToken, { params, button: 'Revoke', tone: 'bad' })}`;
  return ['Token', ({ name }) => name !== root && forms({ name })];
}

/** What a bank began with: the scenario that it was made for, or its known state. */
function originOf(call: PageCall, { name, fixtures }: Listed): Html | string {
  const play = call.plays?.list().find(({ bank }) => bank === name);
  if (play !== undefined) return html`scenario ${scenarioLink(call, play.scenario.name)}`;
  return fixtures === `banks/${name}` ? 'test data of its own' : fixtures;
}

const kilobyte = 1024;

/** `96 KB`, `1.2 MB`. */
function sizeText(bytes: number): string {
  const kilobytes = bytes / kilobyte;
  return kilobytes < kilobyte ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / kilobyte).toFixed(1)} MB`;
}

/** A name of 63 letters may break. */
function bankLink(call: PageCall, name: string): Html {
  return html`<a href="${call.toBank(name)}"><bdi>${name}</bdi></a>`;
}

/** `8 + 3`: requests, and those that a rate refused. */
function withTooMany(requests: number, tooMany: number): string {
  return tooMany === 0 ? String(requests) : `${requests} + ${tooMany}`;
}

/** What each bank asks of the server; at the root of a server with a control token only. */
const hostView: ConsoleView = {
  path: '/host',
  nav: 'Host',
  needs: '/host',
  show: async (call) => {
    if (!call.has('/host')) throw new Problem({ status: 404, detail: 'Only the console of the host has this page.' });
    const { disk, banks } = await call.ask('/host');
    const rate = (part: number, whole: number): string => `${Math.floor((100 * part) / whole)} %`;
    return {
      title: 'Host',
      content: html`<p class="lead">
          What each bank asks of this server since its start, the most requests first. Beside its requests, and those of
          strangers that named it, stand the refusals with 429. Waits: how much long work waits now, and the longest
          wait. The disk has ${sizeText(disk.free)} left, ${rate(disk.free, disk.size)}.
        </p>
        ${disk.isLow && html`<p class="problem" role="alert">The disk is almost full. When it is, no bank takes changes.</p>`}
        ${pagedTable(
          call,
          'Load of the banks',
          banks,
          [
            ['Name', ({ name }) => bankLink(call, name), 'text'],
            ['Requests', (each) => withTooMany(each.requests, each.tooMany), 'figures'],
            ['Refused', ({ refusals }) => String(refusals), 'figures'],
            [
              'Strangers',
              (each) => withTooMany(each.strangers - each.strangersTooMany, each.strangersTooMany),
              'figures',
            ],
            ['Clients', ({ clients }) => String(clients), 'figures'],
            ['Ledger', ({ bytes }) => (bytes === null ? 'not open' : sizeText(bytes)), 'figures'],
            ['Journal', ({ journal }) => String(journal), 'figures'],
            ['Waits', ({ waiting, longestWait }) => `${waiting}, ${longestWait} ms`, 'figures'],
            ['Last use', ({ used }) => (used === null ? '' : instantText(used)), 'text'],
          ],
          { limit: 300, words: ['More requests', 'Fewer requests'] },
        )}`,
    };
  },
};

export const bankViews = [snapshotsView, restoreView, resetView, banksView, hostView];
