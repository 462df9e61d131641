import { html, type Html } from '../../pages/html.ts';
import { platformBanks } from '../../start/platform.ts';
import { profileNames } from '../../start/profile.ts';
import { consoleAction, ownAction, view, type ConsoleRoom, type PageCall } from '../page-call.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { actionForm, bodyOfFields, hiddenFields, lastRefusal, removal } from '../parts/forms.ts';
import { folded } from '../parts/blocks.ts';
import { pagedTable } from '../parts/tables.ts';
import { bankTitle, counted, foreign, makesNoBanks, rootBank, tag } from '../parts/text.ts';
import { instantText } from '../../pages/format.ts';
import { moment } from '../parts/times.ts';
import { snapshotActions, snapshotViews } from './snapshots.ts';

/** Removes a bank; at the root only. */
export const removeBank = consoleAction('DELETE /banks/:name', {
  path: '/banks/:name/remove',
  done: ({ removed }) => `The bank ${removed} is gone.`,
});

/** Makes a copy of a bank; at the root only. */
const copyBank = consoleAction('POST /banks', {
  path: '/banks/copy',
  body: (fields) => ({ from: fields.get('from') }),
  done: ({ name, clock }) => `The copy ${name} is there, at ${instantText(clock.now)}.`,
});

/** A name that no bank has: `ci-1-copy`, `ci-1-copy-2`. */
function nameOfCopy(of: string, banks: readonly { readonly name: string }[]): string {
  const begin = `${of.slice(0, 50)}-copy`;
  const names = [begin, ...banks.map((_, index) => `${begin}-${index + 2}`)];
  return names.find((name) => banks.every((bank) => bank.name !== name)) ?? begin;
}

/** Opens a bank of the platform, as a named bank with its profile. */
const openBank = ownAction('/banks/open', null, async (call, fields) => {
  const name = fields.get('profile') ?? '';
  await call.carryOut('POST /banks', {}, { name, profile: name });
  return { text: `The bank ${name} is there.`, leave: call.toBank(name) };
});

/** The banks of the platform that are not open. */
function openForm(call: PageCall, banks: readonly { readonly name: string }[]): Html {
  const closed = platformBanks().filter(({ id }) => banks.every(({ name }) => name !== id));
  if (closed.length === 0) return html``;
  call.formLines.set(openBank.path, call.curl('POST /banks', {}, { name: closed[0]?.id, profile: closed[0]?.id }));
  return actionForm(call, openBank, { button: 'Open' }, [
    {
      name: 'profile',
      label: 'Be a bank of the platform',
      options: Object.fromEntries(closed.map(({ id, name }) => [id, name])),
    },
  ]);
}

/** Moves the clocks of all named banks to one instant. */
const advanceBanks = consoleAction('POST /banks/clock/advance', {
  done: ({ to, banks }) => {
    const runs = banks.reduce((sum, bank) => sum + bank.runs.length, 0);
    const worked = banks.filter((bank) => bank.runs.length > 0).length;
    const did = runs === 0 ? 'No run had work.' : `${counted(runs, 'run')} had work, at ${counted(worked, 'bank')}.`;
    return `${counted(banks.length, 'bank')} are at ${instantText(to)}. ${did}`;
  },
  meanwhile: () => 'The banks are moving.',
});

const banksView = view('/banks', [], async (call) => {
  if (!call.has('/banks')) {
    const lead =
      call.bankName === rootBank
        ? makesNoBanks(call)
        : html`This is the bank ${call.bankName}.
            <a href="${call.toBank(rootBank, '/banks')}"
              >The bank at the root lists all, makes more and removes them</a
            >`;
    return { title: 'Banks', lead, content: null };
  }
  const { banks } = await call.ask('/banks');
  const names = profileNames();
  return {
    title: 'Banks',
    lead: html`The banks of this process, each with its own ledger and clock. Named banks can move to one instant
    together; the bank at the root keeps its own clock.`,
    content: html`${pagedTable(call, { caption: 'Banks of this server', rows: banks }, [
      [
        'Name',
        ({ name, origin }) =>
          html`${bankLink(call, name, name === origin.profile ? names[name] : undefined)}
          ${name === call.bankName && tag('good', 'this one')}`,
        'line',
      ],
      [
        'Clock',
        ({ clock, damage }) =>
          damage !== null
            ? html`${tag('bad', 'damaged')} ${foreign(damage)}`
            : clock !== null && html`${moment(call, clock.now)} ${tag('over', clock.mode)}`,
      ],
      ['Size', ({ bytes }) => bytes !== null && sizeText(bytes), 'figures'],
      [
        'Actions',
        ({ name }) =>
          html`${actionForm(call, copyBank, { button: 'Make a copy' }, hiddenFields({ from: name, name: nameOfCopy(name, banks) }))}
          ${name !== rootBank && removal(call, removeBank, name)}`,
      ],
    ])}
    ${openForm(call, banks)}
    ${folded('new-bank', 'New bank', makeBankForm(call), call.query.has('profile') || lastRefusal(call, makeBank.path) !== null)}
    ${banks.length > 1 && oneInstant(call)}`,
  };
});

/** Moves all named banks to one instant (rules.md Q12c). */
function oneInstant(call: PageCall): Html {
  const spans = { '': '', PT1H: 'an hour', P1D: 'a day', P7D: 'a week', P1M: 'a month' };
  return html`<h2>One instant</h2>
    <p class="lead">
      All named banks move; the one at the root does not.
      <a href="${call.to('/when')}">When is a payment where, at each bank of the platform?</a>
    </p>
    ${actionForm(call, advanceBanks, { button: 'Move all forward' }, [
      { name: 'to', label: 'To', type: 'date' },
      { name: 'by', label: 'Or by', options: spans },
    ])}`;
}

/** `96 KB`, `1.2 MB`. */
function sizeText(bytes: number): string {
  const [kilobytes, megabytes] = [bytes / 1024, bytes / 1024 ** 2];
  return megabytes < 1 ? `${Math.ceil(kilobytes)} KB` : `${megabytes.toFixed(1)} MB`;
}

/** A name of 63 letters may break. */
function bankLink(call: PageCall, name: string, title = bankTitle(name)): Html {
  return html`<a href="${call.toBank(name)}"><bdi>${title}</bdi></a>`;
}

/** Makes one more bank; at the root only. */
const makeBank = ownAction('/banks', null, async (call, fields) => {
  const body = bodyOfFields(call, 'POST /banks', fields, () => ({ quirks: fields.get('quirks')?.split(/[\s,]+/) }));
  const { name, clock } = (await call.carryOut('POST /banks', {}, body)) as AnswerTo<'POST /banks'>;
  return `The bank ${name} is there, at ${instantText(clock.now)}.`;
});

/** The form for a bank: its clock, its profile, its people, and its quirks. */
function makeBankForm(call: PageCall): Html {
  // A name alone makes a bank.
  call.formLines.set(makeBank.path, call.curl('POST /banks', {}, { name: 'my-bank' }));
  return actionForm(call, makeBank, { button: 'Make a bank', tone: 'main' }, [
    { name: 'name', label: 'Name', hint: 'Lower-case letters, digits and hyphens', required: true },
    { name: 'now', label: 'Its clock starts at', type: 'date' },
    { name: 'mode', label: 'Its clock', options: { '': 'as here', frozen: 'stands still', running: 'runs' } },
    {
      name: 'profile',
      label: 'Profile',
      value: call.query.get('profile') ?? '',
      options: { '': 'none', ...profileNames() },
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
  ]);
}

export const bankRoom: ConsoleRoom = {
  views: [...snapshotViews, banksView],
  actions: [...snapshotActions, openBank, makeBank, copyBank, removeBank, advanceBanks],
};
