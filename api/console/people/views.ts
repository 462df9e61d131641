import type { Static } from '../../bodies/schema.ts';
import { agreementList } from '../../control/agreements.ts';
import { type consent, consentList } from '../../control/consents.ts';
import { infoAnswer } from '../../control/info-answer.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import { type ConsoleView, type Linking, pathTo } from '../console-view.ts';
import { actionForm, filterForm } from '../parts/forms.ts';
import { commandLine, empty, facts, pager, table } from '../parts/lists.ts';
import { pageOf } from '../parts/page-of.ts';
import { accountLink, counted, foreign, instant, tag } from '../parts/text.ts';
import { revokeConsent } from './actions.ts';

type Consent = Static<typeof consent>;
type Engagement = Static<typeof infoAnswer>['psus'][number]['engagements'][number];

const peopleView: ConsoleView = {
  path: '/people',
  nav: 'People',
  live: ['reset'],
  show: async (call) => {
    const { psus } = await call.ask('/info', infoAnswer);
    const page = pageOf(call, psus);
    return {
      title: 'People',
      content: html`<p class="lead">
          The PSUs to sign as; the number is what a PSU types on the SCA page.
          <a href="${call.to('/agreements')}">Agreements of companies</a>
        </p>
        ${
          psus.length === 0
            ? empty('The bank has no customers.', commandLine(call, 'reset'))
            : html`${table({
                caption: 'PSUs, those of the known state first',
                columns: ['PSU', 'Number', 'Good for', 'Accounts', 'For companies'],
                rows: page.rows.map(({ name, customerNumber, note, accounts, cards, engagements }) => [
                  psuLink(call, customerNumber, foreign(name)),
                  customerNumber,
                  note !== null && foreign(note),
                  [
                    counted(accounts.length, 'account'),
                    ...(cards.length > 0 ? [counted(cards.length, 'card')] : []),
                  ].join(', '),
                  [...new Set(engagements.map(({ agreement }) => agreement.name))].map(
                    (company, index) => html`${index > 0 && ', '}${foreign(company)}`,
                  ),
                ]),
              })}
              ${pager(call, { path: '/people', query: {}, ...page.place })}`
        }`,
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
        ${facts([
          ['Number', number],
          ['Signs in private for', accounts.length === 0 ? 'no account' : counted(accounts.length, 'own account')],
        ])}
        ${
          accounts.length > 0 &&
          html`<h2>Own accounts</h2>
            ${table({
              caption: 'Accounts that the PSU holds, reads and pays from in private',
              columns: ['Account', 'Name', 'Currency'],
              rows: accounts.map((each) => [accountIn(call, each), foreign(each.name), each.currency]),
            })}`
        }
        ${
          cards.length > 0 &&
          html`<h2>Own cards</h2>
            ${table({
              caption: 'Cards that the PSU holds',
              columns: ['Card', 'Name', 'Currency'],
              rows: cards.map((each) => [each.maskedPan, foreign(each.name), each.currency]),
            })}`
        }
        ${
          engagements.length > 0 &&
          html`<h2>For companies</h2>
            ${engagementTable(call, engagements)}`
        }
        <h2>Consents that hold</h2>
        ${own.length === 0 ? empty('No TPP may read the accounts of this PSU.') : consentTable(call, own, 'Consents of the PSU')}`,
    };
  },
};

/** What a PSU may do under each agreement. */
function engagementTable(call: Linking, engagements: readonly Engagement[]): Html {
  return table({
    caption: 'What the PSU may do with accounts of others: VIEW is to read, REGISTER to pay',
    columns: ['Agreement', 'Account', 'Rights'],
    rows: engagements.map(({ agreement, account, roles }) => [
      html`${foreign(agreement.name)} <span class="soft">${agreement.owner}</span>`,
      html`${accountIn(call, account)} ${foreign(account.name)}`,
      rolesText(roles),
    ]),
  });
}

const agreementsView: ConsoleView = {
  path: '/agreements',
  live: ['reset'],
  show: async (call) => {
    const { agreements } = await call.ask('/agreements', agreementList);
    const wanted = call.query.get('of') === 'all' ? agreements : agreements.filter(({ owner }) => isOfCompany(owner));
    const page = pageOf(call, wanted);
    return {
      title: 'Agreements',
      content: html`${filterForm(call, '/agreements', [
        {
          name: 'of',
          label: 'Of',
          options: [
            ['', 'companies'],
            ['all', 'private customers too'],
          ],
        },
      ])}
      ${page.rows.map(
        ({ id, name, owner, engagements }) =>
          html`<h2>${foreign(name)}</h2>
            ${facts([
              ['Owner', html`${foreign(owner.name)} ${owner.number}`],
              ['Id for PSU-Corporate-ID', id],
            ])}
            ${
              engagements.length > 0 &&
              table({
                caption: 'Who may do what under it',
                columns: ['PSU', 'Account', 'Rights'],
                rows: engagements.map(({ psu, account, roles }) => [
                  psuLink(call, psu.number, foreign(psu.name)),
                  html`${accountLink(call, account.number)} ${foreign(account.name)}`,
                  rolesText(roles),
                ]),
              })
            }`,
      )}
      ${wanted.length === 0 && empty('No company has an agreement: POST /v1/sandbox/agreements makes one.')}
      ${pager(call, { path: '/agreements', query: { of: call.query.get('of') }, ...page.place })}`,
    };
  },
};

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
    const page = pageOf(call, wanted.toReversed());
    return {
      title: 'Consents',
      content: html`${filterForm(call, '/consents', [
        {
          name: 'which',
          label: 'Those that',
          options: [
            ['', 'hold'],
            ['all', 'hold or have ended'],
          ],
        },
      ])}
      ${
        wanted.length === 0
          ? empty('No TPP may read an account.', commandLine(call, 'sign POST /v1/bank-offered-consents'))
          : consentTable(call, page.rows, 'What PSUs let TPPs read, the latest first')
      }
      ${pager(call, { path: '/consents', query: { which }, ...page.place })}`,
    };
  },
};

function consentTable(call: Linking, consents: readonly Consent[], caption: string): Html {
  return table({
    caption,
    columns: ['Granted', 'PSU', 'TPP', 'As', 'Accounts', 'State'],
    rows: consents.map((each) => [
      instant(each.grantedAt),
      psuLink(call, each.psu.number, foreign(each.psu.name)),
      foreign(each.tpp),
      each.agreement === null || each.context === 'PRIVATE' ? 'private' : foreign(each.agreement),
      html`${each.accounts.map(({ bban, iban }) => html`${accountIn(call, { bban: bban ?? null, iban: iban ?? null })} `)}
      ${each.cardAccounts.map(({ maskedPan }) => html`<span class="number">${maskedPan}</span> `)}`,
      each.endedAt === null
        ? actionForm(call, revokeConsent, {
            params: { consentId: each.consentId },
            button: 'Revoke',
            tone: 'bad',
          })
        : html`${tag('over', 'ended')} ${instant(each.endedAt)}`,
    ]),
  });
}

function accountIn(
  call: Linking,
  { bban, iban }: { readonly bban: string | null; readonly iban: string | null },
): HtmlValue {
  const number = bban ?? iban;
  return number === null ? null : accountLink(call, number);
}

function psuLink(call: Linking, psu: string, text: HtmlValue): Html {
  return html`<a href="${call.to(pathTo('/people/:psu', { params: { psu } }))}">${text}</a>`;
}

function rolesText(roles: readonly string[]): readonly Html[] {
  return roles.map((role) => html`${tag(role === 'REGISTER' ? 'goes' : 'over', role)} `);
}

export const peopleViews = [peopleView, personView, agreementsView, consentsView];
