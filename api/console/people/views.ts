import { formattedAmount } from '../../../engine/values/money.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { foundIn } from '../../pipeline/problem.ts';
import { consoleAction, ownAction, view, type PageCall, type ConsoleRoom } from '../page-call.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { payAs } from '../overview/make-payment.ts';
import { actionForm, filters } from '../parts/forms.ts';
import { empty, facts, headed, listed, nothing } from '../parts/blocks.ts';
import { type Column, headedTable, paged, pagedTable, table } from '../parts/tables.ts';
import { accountLink, toReset } from '../parts/links.ts';
import { copied, counted, foreign, type Money, money, named, tag, minorOf } from '../parts/text.ts';
import { day, moment } from '../parts/times.ts';

type Consent = AnswerTo<'GET /consents'>['consents'][number];
type Agreement = AnswerTo<'GET /agreements'>['agreements'][number];
type Psu = AnswerTo<'GET /info'>['psus'][number];
type Engagement = Psu['engagements'][number];

/** Ends a consent, as the PSU does at the bank. */
const revokeConsent = consoleAction('DELETE /consents/:consentId', {
  path: '/consents/:consentId/revoke',
  done: ({ psu, tpp }) => `${psu.name} has revoked the consent of ${tpp}.`,
});

/** Opens the page on which a PSU sees who has access to its accounts (rules.md A7e). */
const openAccess = ownAction('/people/:psu/access', null, async (call) => {
  const { address } = await call.read('/access/:number', { params: { number: call.params['psu'] ?? '' } });
  return { text: '', to: '/consents', leave: address };
});

const peopleView = view('/people', ['payment'], async (call) => {
  const { psus: all } = await call.ask('/info');
  const { accounts: open } = await call.ask('/accounts');
  const balances = new Map(open.map(({ number, available }) => [number, available]));
  const wanted = call.query.get('name');
  const psus = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  const none =
    all.length === 0
      ? empty('The bank has no customers.', toReset(call))
      : empty('Nobody has this name.', { href: call.to('/people'), text: 'Show all people' });
  return {
    title: 'People',
    lead: html`The PSUs to sign as; the number is what a PSU types on the SCA page.
      <a href="${call.to('/agreements')}">Agreements of companies</a>`,
    content: pagedTable(call, { caption: 'PSUs, those of the known state first', rows: psus, none }, [
      ['Person', ({ customerNumber, name }) => psuLink(call, { number: customerNumber, name }), 'text'],
      ['Pay', (psu) => payButton(call, psu, 'Pay as')],
      ['Number', ({ customerNumber }) => customerNumber],
      ['Good for', ({ note, engagements }) => (note === null ? companiesOf(engagements) : foreign(note)), 'text'],
      [
        'Accounts',
        ({ accounts, cards }) =>
          counted(accounts.length, 'account') + (cards.length > 0 ? `, ${counted(cards.length, 'card')}` : ''),
      ],
      ['Available', ({ accounts }) => availableIn(accounts, balances), 'figures'],
    ]),
  };
});

function companiesOf(engagements: readonly Engagement[]): readonly Html[] {
  return listed([...new Set(engagements.map(({ agreement }) => agreement.name))].map(foreign));
}

/** Sum of the available amounts of accounts in NOK, or null if no account is in NOK. */
function availableIn(accounts: Psu['accounts'], balances: ReadonlyMap<string, Money>): Html | null {
  const all = accounts
    .flatMap(({ bban }) => balances.get(bban ?? '') ?? [])
    .filter(({ currency }) => currency === 'NOK');
  const minor = all.reduce((sum, each) => sum + minorOf(each), 0n);
  return all.length === 0 ? null : money(formattedAmount({ minor, currency: 'NOK' }));
}

const personView = view('/people/:psu', ['sca'], async (call) => {
  const number = call.params['psu'] ?? '';
  const { psus } = await call.ask('/info');
  const isThis = ({ customerNumber }: Psu): boolean => customerNumber === number;
  const psu = foundIn(psus, isThis, 'The list of PSUs has no PSU of this number.');
  const { consents } = await call.ask('/consents');
  const { address: access } = await call.ask('/access/:number', { params: { number } });
  const own = consents.filter((each) => each.psu.number === number && each.endedAt === null);
  const { name, note, accounts, cards, engagements } = psu;
  return {
    title: foreign(name),
    lead: note === null ? null : foreign(note),
    content: html`${facts({ Number: copied(number) })}
      <p>${payButton(call, psu, `Pay as ${name}`)}</p>
      ${headedTable(
        'Own accounts',
        'Accounts that the PSU holds, reads and pays from as a private customer',
        accounts,
        [['Account', (each) => accountIn(call, each)], ...ofHolding],
      )}
      ${headedTable('Own cards', 'Cards that the PSU holds', cards, [
        ['Card', ({ maskedPan }) => maskedPan],
        ...ofHolding,
      ])}
      ${headed('For companies', engagements.length > 0 && engagementTable(call, engagements))}
      <h2>Active consents</h2>
      <p><a href="${access}">The page on which the PSU sees and withdraws access</a></p>
      ${own.length === 0 ? nothing('No TPP may read the accounts of this PSU.') : consentTable(call, own, 'Consents of the PSU')}`,
  };
});

/** Columns that accounts and cards of a PSU share. */
const ofHolding: readonly Column<{ readonly name: string; readonly currency: string }>[] = [
  ['Name', ({ name }) => foreign(name), 'text'],
  ['Currency', ({ currency }) => currency],
];

/** What a PSU may do under each agreement. */
function engagementTable(call: PageCall, engagements: readonly Engagement[]): Html {
  return table('What the PSU may do with accounts of others: VIEW is to read, REGISTER to pay', engagements, [
    ['Agreement', ({ agreement: { name, owner } }) => named({ name, number: owner }), 'text'],
    ['Account', ({ account }) => html`${accountIn(call, account)} ${foreign(account.name)}`, 'text'],
    ['Rights', ({ roles }) => rolesText(roles)],
  ]);
}

const agreementsView = view('/agreements', [], async (call) => {
  const { agreements } = await call.ask('/agreements');
  const ofCompanies = agreements.filter(({ owner }) => owner.type.toLowerCase() === 'corporate');
  const none = empty('No company has an agreement. Those of the known state come back by a reset.', toReset(call));
  return {
    title: 'Agreements',
    content: paged(call, ofCompanies, (rows) => rows.map((each) => agreementFacts(call, each)), { none }),
  };
});

function agreementFacts(call: PageCall, { id, name, owner, engagements }: Agreement): Html {
  return html`<h2>${foreign(name)}</h2>
    ${facts({ Owner: html`${foreign(owner.name)} ${owner.number}`, 'Id for PSU-Corporate-ID': id })}
    ${
      engagements.length > 0 &&
      table('Who may do what under it', engagements, [
        ['Person', ({ psu }) => psuLink(call, psu), 'text'],
        ['Account', ({ account }) => html`${accountLink(call, account.number)} ${foreign(account.name)}`, 'text'],
        ['Rights', ({ roles }) => rolesText(roles)],
      ])
    }`;
}

const consentsView = view('/consents', ['sca'], async (call) => {
  const { consents } = await call.ask('/consents');
  const which = call.query.get('which');
  const wanted = which === 'all' ? consents : consents.filter(({ endedAt }) => endedAt === null);
  const guide = { href: call.out('docs/account-information'), text: 'How a TPP gets a consent' };
  const none = empty('No TPP may read an account.', guide);
  const show = (rows: readonly Consent[]): Html =>
    consentTable(call, rows, 'What PSUs let TPPs read, the latest first');
  const states = { '': 'Active', all: 'Active and ended' };
  return {
    title: 'Consents',
    content: html`${filters(call, [{ name: 'which', label: 'State', options: states }])}
    ${paged(call, wanted.toReversed(), show, { none })}`,
  };
});

function consentTable(call: PageCall, consents: readonly Consent[], caption: string): Html {
  return table(caption, consents, [
    [
      'Person',
      ({ psu, agreement, context }) =>
        html`${psuLink(call, psu)}
          <span class="soft"
            >${agreement === null || context === 'PRIVATE' ? 'private' : html`for ${foreign(agreement)}`}</span
          >`,
      'text',
    ],
    ['TPP', ({ tpp, tppName }) => foreign(tppName ?? tpp), 'text'],
    [
      'Accounts',
      ({ accounts, cardAccounts }) =>
        html`${accounts.map((each) => html`${accountIn(call, each)} `)}
        ${cardAccounts.map(({ maskedPan }) => html`<span class="number">${maskedPan}</span> `)}`,
      'text',
    ],
    ['Granted', ({ grantedAt }) => moment(call, grantedAt)],
    [
      'Last used',
      ({ lastUsed }) => (lastUsed === null ? html`<span class="soft">never used</span>` : day(call, lastUsed)),
    ],
    ['Ends', ({ lapsesOn, endedAt }) => endedAt === null && day(call, lapsesOn)],
    ['State', ({ endedAt }) => endedAt !== null && html`${tag('over', 'ended')} ${moment(call, endedAt)}`],
    [
      'Actions',
      ({ consentId, endedAt, psu }) =>
        endedAt === null &&
        html`${actionForm(call, openAccess, { button: 'PSU’s page', params: { psu: psu.number } })}
        ${actionForm(call, revokeConsent, { button: 'Revoke', tone: 'bad', params: { consentId } })}`,
    ],
  ]);
}

/** Leads to the payment form with this person chosen; nothing if the person cannot pay. */
function payButton(call: PageCall, psu: Psu, words: string): HtmlValue {
  const to = payAs(psu);
  return to !== null && html`<a class="button" href="${call.to(to)}">${words}</a>`;
}

function accountIn(call: PageCall, { bban, iban }: { bban?: string | null; iban?: string | null }): HtmlValue {
  const number = bban ?? iban ?? null;
  return number === null ? null : accountLink(call, number);
}

function psuLink(call: PageCall, { number: psu, name }: { readonly number: string; readonly name: string }): Html {
  return html`<a href="${call.to('/people/:psu', { params: { psu } })}">${foreign(name)}</a>`;
}

function rolesText(roles: readonly string[]): readonly Html[] {
  return roles.map((role) => html`${tag(role === 'REGISTER' ? 'goes' : 'over', role)} `);
}

export const peopleRoom: ConsoleRoom = {
  views: [peopleView, personView, agreementsView, consentsView],
  actions: [revokeConsent, openAccess],
};
