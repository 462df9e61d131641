import type { Static } from '../../bodies/schema.ts';
import { agreementList } from '../../control/agreements.ts';
import { consent, consentList } from '../../control/consents.ts';
import { infoAnswer } from '../../control/get-info.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import { consoleAction, type ConsoleView } from '../console-view.ts';
import { type PageCall, pathTo } from '../page-call.ts';
import { actionForm, filterForm } from '../parts/forms.ts';
import { commandLine, empty, facts, listed, paged, pagedTable, table } from '../parts/lists.ts';
import { accountLink, counted, foreign, instant, tag } from '../parts/text.ts';

type Consent = Static<typeof consent>;
type Agreement = Static<typeof agreementList>['agreements'][number];
type Engagement = Static<typeof infoAnswer>['psus'][number]['engagements'][number];

/** Ends a consent, as the PSU does at the bank. */
export const revokeConsent = consoleAction('DELETE /consents/:consentId/revoke', consent, {
  call: '/consents/:consentId',
  done: ({ psu, tpp }) => `${psu.name} has revoked the consent of ${tpp}.`,
});

const peopleView: ConsoleView = {
  path: '/people',
  nav: 'People',
  live: ['reset'],
  show: async (call) => {
    const { psus: all } = await call.ask('/info', infoAnswer);
    const named = call.query.get('name');
    const psus = named === undefined ? all : all.filter(({ name }) => name === named);
    return {
      title: 'People',
      content: html`<p class="lead">
          The PSUs to sign as; the number is what a PSU types on the SCA page.
          <a href="${call.to('/agreements')}">Agreements of companies</a>
        </p>
        ${pagedTable(
          call,
          'PSUs, those of the known state first',
          psus,
          [
            ['PSU', ({ customerNumber, name }) => psuLink(call, customerNumber, foreign(name))],
            ['Number', ({ customerNumber }) => customerNumber],
            ['Good for', ({ note }) => note !== null && foreign(note)],
            [
              'Accounts',
              ({ accounts, cards }) =>
                counted(accounts.length, 'account') + (cards.length > 0 ? `, ${counted(cards.length, 'card')}` : ''),
            ],
            [
              'For companies',
              ({ engagements }) =>
                listed([...new Set(engagements.map(({ agreement }) => agreement.name))].map(foreign)),
            ],
          ],
          { none: empty('The bank has no customers.', commandLine(call, 'reset')) },
        )}`,
    };
  },
};

const personView: ConsoleView = {
  path: '/people/:psu',
  live: ['sca', 'reset'],
  show: async (call) => {
    const number = call.params['psu'] ?? '';
    const { psus } = await call.ask('/info', infoAnswer);
    const psu = psus.find(({ customerNumber }) => customerNumber === number);
    if (psu === undefined) throw new Problem({ status: 404, detail: 'The list of PSUs has no PSU of this number.' });
    const { consents } = await call.ask('/consents', consentList);
    const own = consents.filter((each) => each.psu.number === number && each.endedAt === null);
    const { name, note, accounts, cards, engagements } = psu;
    return {
      title: foreign(name),
      windowTitle: name,
      content: html`${note !== null && html`<p class="lead">${foreign(note)}</p>`}
        ${facts({
          Number: number,
          'Signs as a private customer for':
            accounts.length === 0 ? 'no account' : counted(accounts.length, 'own account'),
        })}
        ${
          accounts.length > 0 &&
          html`<h2>Own accounts</h2>
            ${table('Accounts that the PSU holds, reads and pays from as a private customer', accounts, [
              ['Account', (each) => accountIn(call, each)],
              ['Name', (each) => foreign(each.name)],
              ['Currency', ({ currency }) => currency],
            ])}`
        }
        ${
          cards.length > 0 &&
          html`<h2>Own cards</h2>
            ${table('Cards that the PSU holds', cards, [
              ['Card', ({ maskedPan }) => maskedPan],
              ['Name', (each) => foreign(each.name)],
              ['Currency', ({ currency }) => currency],
            ])}`
        }
        ${
          engagements.length > 0 &&
          html`<h2>For companies</h2>
            ${engagementTable(call, engagements)}`
        }
        <h2>Active consents</h2>
        ${own.length === 0 ? empty('No TPP may read the accounts of this PSU.') : consentTable(call, own, 'Consents of the PSU')}`,
    };
  },
};

/** What a PSU may do under each agreement. */
function engagementTable(call: PageCall, engagements: readonly Engagement[]): Html {
  return table('What the PSU may do with accounts of others: VIEW is to read, REGISTER to pay', engagements, [
    ['Agreement', ({ agreement }) => html`${foreign(agreement.name)} <span class="soft">${agreement.owner}</span>`],
    ['Account', ({ account }) => html`${accountIn(call, account)} ${foreign(account.name)}`],
    ['Rights', ({ roles }) => rolesText(roles)],
  ]);
}

const agreementsView: ConsoleView = {
  path: '/agreements',
  live: ['reset'],
  show: async (call) => {
    const { agreements } = await call.ask('/agreements', agreementList);
    const wanted = call.query.get('of') === 'all' ? agreements : agreements.filter(({ owner }) => isOfCompany(owner));
    return {
      title: 'Agreements',
      content: html`${filterForm(call, [
        { name: 'of', label: 'Of', options: { '': 'companies', all: 'private customers too' } },
      ])}
      ${paged(call, wanted, (rows) => rows.map((each) => agreementFacts(call, each)), {
        none: empty('No company has an agreement: POST /v1/sandbox/agreements makes one.'),
      })}`,
    };
  },
};

function agreementFacts(call: PageCall, { id, name, owner, engagements }: Agreement): Html {
  return html`<h2>${foreign(name)}</h2>
    ${facts({ Owner: html`${foreign(owner.name)} ${owner.number}`, 'Id for PSU-Corporate-ID': id })}
    ${
      engagements.length > 0 &&
      table('Who may do what under it', engagements, [
        ['PSU', ({ psu }) => psuLink(call, psu.number, foreign(psu.name))],
        ['Account', ({ account }) => html`${accountLink(call, account.number)} ${foreign(account.name)}`],
        ['Rights', ({ roles }) => rolesText(roles)],
      ])
    }`;
}

function isOfCompany({ type }: { readonly type: string }): boolean {
  return type.toLowerCase() === 'corporate';
}

const consentsView: ConsoleView = {
  path: '/consents',
  nav: 'Consents',
  live: ['sca', 'reset'],
  show: async (call) => {
    const { consents } = await call.ask('/consents', consentList);
    const which = call.query.get('which');
    const wanted = which === 'all' ? consents : consents.filter(({ endedAt }) => endedAt === null);
    return {
      title: 'Consents',
      content: html`${filterForm(call, [
        { name: 'which', label: 'State', options: { '': 'Active', all: 'Active and ended' } },
      ])}
      ${paged(
        call,
        wanted.toReversed(),
        (rows) => consentTable(call, rows, 'What PSUs let TPPs read, the latest first'),
        { none: empty('No TPP may read an account.', commandLine(call, 'sign POST /v1/bank-offered-consents')) },
      )}`,
    };
  },
};

function consentTable(call: PageCall, consents: readonly Consent[], caption: string): Html {
  return table(caption, consents, [
    ['Granted', ({ grantedAt }) => instant(grantedAt)],
    ['PSU', ({ psu }) => psuLink(call, psu.number, foreign(psu.name))],
    ['TPP', ({ tpp }) => foreign(tpp)],
    ['As', ({ agreement, context }) => (agreement === null || context === 'PRIVATE' ? 'private' : foreign(agreement))],
    [
      'Accounts',
      ({ accounts, cardAccounts }) =>
        html`${accounts.map((each) => html`${accountIn(call, each)} `)}
        ${cardAccounts.map(({ maskedPan }) => html`<span class="number">${maskedPan}</span> `)}`,
    ],
    [
      'State',
      ({ consentId, endedAt }) =>
        endedAt === null
          ? actionForm(call, revokeConsent, { params: { consentId }, button: 'Revoke', tone: 'bad' })
          : html`${tag('over', 'ended')} ${instant(endedAt)}`,
    ],
  ]);
}

function accountIn(call: PageCall, { bban, iban }: { bban?: string | null; iban?: string | null }): HtmlValue {
  const number = bban ?? iban ?? null;
  return number === null ? null : accountLink(call, number);
}

function psuLink(call: PageCall, psu: string, text: HtmlValue): Html {
  return html`<a href="${call.to(pathTo('/people/:psu', { params: { psu } }))}">${text}</a>`;
}

function rolesText(roles: readonly string[]): readonly Html[] {
  return roles.map((role) => html`${tag(role === 'REGISTER' ? 'goes' : 'over', role)} `);
}

export const peopleViews = [peopleView, personView, agreementsView, consentsView];
