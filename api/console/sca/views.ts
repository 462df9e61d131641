import type { Static } from '../../bodies/schema.ts';
import { infoAnswer } from '../../control/info-answer.ts';
import { type openSca, scaList } from '../../control/list-scas.ts';
import { html, type Html } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import { type ConsoleView, type Linking, pathTo } from '../console-view.ts';
import { actionForm } from '../parts/forms.ts';
import { commandLine, empty, facts, pager, table } from '../parts/lists.ts';
import { pageOf } from '../parts/page-of.ts';
import { foreign, instant, paymentLink } from '../parts/text.ts';
import { approveSca, endSca, signerValue } from './actions.ts';

type OpenSca = Static<typeof openSca>;
type Psu = Static<typeof infoAnswer>['psus'][number];

const path = '/sca';

const listView: ConsoleView = {
  path,
  nav: 'SCAs',
  live: ['sca', 'payment', 'reset'],
  show: async (call) => {
    const { scas } = await call.ask('/sca', scaList);
    const page = pageOf(call, scas);
    return {
      title: 'Open SCAs',
      content: html`<p class="lead">
          What TPPs wait for a PSU to approve. A link lives for 15 minutes of the wall clock.
        </p>
        ${
          scas.length === 0
            ? empty('No PSU is asked for anything.', commandLine(call, 'sign POST /v1/bank-offered-consents'))
            : html`${table({
                caption: 'SCAs that a PSU can answer now, the latest first',
                columns: ['Opened', 'For', 'TPP', 'Who may sign', 'Payments'],
                rows: page.rows.map((sca) => [
                  html`<a href="${call.to(pathTo('/sca/:scaId', { params: { scaId: sca.id } }))}"
                    >${instant(sca.startedAt)}</a
                  >`,
                  purposeText(sca),
                  foreign(sca.tpp.name),
                  signersText(sca),
                  paymentsOf(call, sca),
                ]),
              })}
              ${pager(call, { path, query: {}, ...page.place })}`
        }`,
    };
  },
};

const oneView: ConsoleView = {
  path: '/sca/:scaId',
  live: ['sca', 'reset'],
  show: async (call) => {
    const scaId = call.params['scaId'] ?? '';
    const { scas } = await call.ask('/sca', scaList);
    const sca = scas.find(({ id }) => id === scaId);
    if (sca === undefined) throw new Problem({ status: 404, detail: 'There is no such SCA, or it has ended.' });
    const { psus } = await call.ask('/info', infoAnswer);
    const who = signersOf(sca, psus);
    const isOfAccounts = sca.purpose === 'consent';
    return {
      title: `An SCA for ${purposeText(sca)}`,
      content: html`${facts([
          ['TPP', html`${foreign(sca.tpp.name)} <span class="soft">${foreign(sca.tpp.id)}</span>`],
          ['Opened', instant(sca.startedAt)],
          ['Its link runs out', instant(sca.expiresAt)],
          ['Who may sign', signersText(sca)],
          ...(sca.payments.length > 0 ? [['Payments', paymentsOf(call, sca)] as const] : []),
          ['Page of the PSU', html`<a href="${sca.address}">Open it as the PSU sees it</a>`],
        ])}
        <h2>Approve</h2>
        ${
          who.length === 0
            ? empty('Nobody who may sign is on the list of PSUs: open the page of the PSU and type the number there.')
            : actionForm(call, approveSca, {
                params: { scaId },
                fields: [
                  { name: 'who', label: 'As', options: who, value: who[0]?.[0] ?? '', required: true },
                  ...(isOfAccounts
                    ? [
                        {
                          name: 'accounts',
                          label: 'Accounts',
                          hint: 'Numbers, separated by commas; empty: all that the PSU can share.',
                        },
                      ]
                    : []),
                ],
                button: 'Approve',
                tone: 'main',
              })
        }
        <h2>Or it ends otherwise</h2>
        ${actionForm(call, endSca, {
          params: { scaId },
          fields: [
            {
              name: 'outcome',
              label: 'What happens',
              value: 'cancel',
              options: [
                ['cancel', 'the PSU says no'],
                ['reject', 'one of several signers rejects the payment for all'],
                ['fail', 'the PSU fails to identify'],
                ['expire', 'the link runs out'],
              ],
            },
          ],
          button: 'End it',
          tone: 'bad',
        })}`,
    };
  },
};

function purposeText({ purpose }: OpenSca): string {
  const words = {
    payment: 'a payment',
    cancellation: 'a cancellation',
    basket: 'a signing basket',
    consent: 'a consent to read accounts',
    identification: 'the identity of the PSU',
  } as const;
  return words[purpose];
}

function paymentsOf(call: Linking, { payments }: OpenSca): readonly Html[] {
  return payments.slice(0, 5).map((id) => html`${paymentLink(call, id)} `);
}

function signersText({ signers, context }: OpenSca): Html {
  const as = context === null ? '' : context === 'PRIVATE' ? ', in private' : ', for a company';
  if (signers === null) return html`any PSU${as}`;
  return html`${signers.map(({ number, name }, index) => html`${index > 0 && ', '}${foreign(name)} ${number}`)}${as}`;
}

/** Who can approve, as a field offers it: each PSU in private, and under each agreement that it is engaged in. */
function signersOf(sca: OpenSca, psus: readonly Psu[]): (readonly [value: string, words: string])[] {
  const asked = sca.signers?.map(({ number }) => number) ?? null;
  return psus
    .filter(({ customerNumber }) => asked === null || asked.includes(customerNumber))
    .flatMap(({ customerNumber: psu, name, engagements }) => {
      const agreements = new Map(engagements.map(({ agreement }) => [agreement.id, agreement.name]));
      const inPrivate = sca.context === 'CORPORATE' ? [] : [[signerValue(psu, null), `${name}, in private`] as const];
      const forCompanies = [...agreements]
        .filter(([id]) => sca.context !== 'PRIVATE' && (sca.agreement === null || sca.agreement === id))
        .map(([id, company]) => [signerValue(psu, id), `${name}, for ${company}`] as const);
      return [...inPrivate, ...forCompanies];
    });
}

export const scaViews = [listView, oneView];
