import type { Static } from '../../bodies/schema.ts';
import { scaFinished } from '../../control/finish-sca.ts';
import { infoAnswer } from '../../control/get-info.ts';
import { type openSca, scaList } from '../../control/list-scas.ts';
import { clip } from '../../../engine/values/text.ts';
import { html, type Html } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import { consoleAction, type ConsoleView } from '../console-view.ts';
import { type PageCall, pathTo } from '../page-call.ts';
import { actionForm } from '../parts/forms.ts';
import { commandLine, empty, facts, listed, pagedTable } from '../parts/lists.ts';
import { foreign, instant, paymentLink } from '../parts/text.ts';

type OpenSca = Static<typeof openSca>;
type Psu = Static<typeof infoAnswer>['psus'][number];

const onePath = '/sca/:scaId';

/** The PSU approves. The field `who` is of {@link signerValue}; `accounts` are separated by commas. */
const approveSca = consoleAction(`POST ${onePath}/approve`, scaFinished, {
  call: onePath,
  body: (fields) => {
    const [psu = '', context = '', agreement] = (fields.get('who') ?? '').split(' ');
    const accounts = fields
      .get('accounts')
      ?.split(/[\s,]+/)
      .filter((each) => each !== '');
    return {
      outcome: 'approve',
      psu,
      context,
      ...(agreement !== undefined && { agreement }),
      ...(accounts !== undefined && { accounts }),
    };
  },
  done: ({ redirect }) => ({ text: cameBack('Approved.', redirect), to: '/sca' }),
});

/** The SCA ends without an approval. */
const endSca = consoleAction(`POST ${onePath}/end`, scaFinished, {
  call: onePath,
  body: (fields) => ({ outcome: fields.get('outcome') }),
  done: ({ redirect }) => ({ text: cameBack('Ended.', redirect), to: '/sca' }),
});

/** Who approves and as what, in one value of a field: `13039319955 PRIVATE`, `13039319955 CORPORATE AGREEMENT-ID`. */
function signerValue(psu: string, agreement: string | null): string {
  return agreement === null ? `${psu} PRIVATE` : `${psu} CORPORATE ${agreement}`;
}

/** What the browser of the PSU carries back to the TPP. */
function cameBack(done: string, redirect: string): string {
  const { searchParams } = new URL(redirect);
  const code = searchParams.get('code');
  const way = `The browser of the PSU goes back to ${clip(redirect, 300)}`;
  return code === null ? `${done} ${way}` : `${code}: ${searchParams.get('message') ?? 'it was not approved'}. ${way}`;
}

export const scaActions = [approveSca, endSca];

const listView: ConsoleView = {
  path: '/sca',
  nav: 'SCAs',
  live: ['sca', 'payment', 'reset'],
  show: async (call) => {
    const { scas } = await call.ask('/sca', scaList);
    const to = (scaId: string): string => call.to(pathTo(onePath, { params: { scaId } }));
    return {
      title: 'Open SCAs',
      content: html`<p class="lead">
          TPPs wait for a PSU to approve these. A link works for 15 minutes of the wall clock.
        </p>
        ${pagedTable(
          call,
          'SCAs that a PSU can answer now, the latest first',
          scas,
          [
            ['Opened', ({ id, startedAt }) => html`<a href="${to(id)}">${instant(startedAt)}</a>`],
            ['For', purposeText],
            ['TPP', ({ tpp }) => foreign(tpp.name)],
            ['Who may sign', signersText],
            ['Payments', (sca) => paymentsOf(call, sca)],
          ],
          { none: empty('No SCA waits for an answer.', commandLine(call, 'sign POST /v1/bank-offered-consents')) },
        )}`,
    };
  },
};

const oneView: ConsoleView = {
  path: onePath,
  live: ['sca', 'reset'],
  show: async (call) => {
    const scaId = call.params['scaId'] ?? '';
    const { scas } = await call.ask('/sca', scaList);
    const sca = scas.find(({ id }) => id === scaId);
    if (sca === undefined) throw new Problem({ status: 404, detail: 'There is no such SCA, or it has ended.' });
    const { psus } = await call.ask('/info', infoAnswer);
    const who = signersOf(sca, psus);
    const [first] = Object.keys(who);
    const hint = 'Numbers with commas between them. Empty: all that the PSU can share.';
    return {
      title: `An SCA for ${purposeText(sca)}`,
      content: html`${facts({
          TPP: html`${foreign(sca.tpp.name)} <span class="soft">${foreign(sca.tpp.id)}</span>`,
          Opened: instant(sca.startedAt),
          'Link works until': instant(sca.expiresAt),
          'Who may sign': signersText(sca),
          Payments: sca.payments.length > 0 && paymentsOf(call, sca),
          'Page of the PSU': html`<a href="${sca.address}">Open it as the PSU sees it</a>`,
        })}
        <h2>Approve</h2>
        ${
          first === undefined
            ? empty('No PSU of the list may sign. Open the page of the PSU, and type the number there.')
            : actionForm(call, approveSca, {
                params: { scaId },
                fields: [
                  { name: 'who', label: 'As', options: who, value: first, required: true },
                  ...(sca.purpose === 'consent' ? [{ name: 'accounts', label: 'Accounts', hint }] : []),
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
              options: {
                cancel: 'the PSU says no',
                reject: 'one of several signers rejects the payment for all',
                fail: 'the PSU fails to identify',
                expire: 'the link runs out',
              },
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

function paymentsOf(call: PageCall, { payments }: OpenSca): readonly Html[] {
  return payments.slice(0, 5).map((id) => html`${paymentLink(call, id)} `);
}

function signersText({ signers, context }: OpenSca): Html {
  const as = context === null ? '' : context === 'PRIVATE' ? ', as a private customer' : ', for a company';
  if (signers === null) return html`any PSU${as}`;
  return html`${listed(signers.map(({ number, name }) => html`${foreign(name)} ${number}`))}${as}`;
}

/** Who can approve, as a field offers it: each PSU as a private customer, and under each of its agreements. */
function signersOf(sca: OpenSca, psus: readonly Psu[]): Readonly<Record<string, string>> {
  const asked = sca.signers?.map(({ number }) => number) ?? null;
  const who: Record<string, string> = {};
  for (const { customerNumber: psu, name, engagements } of psus) {
    if (asked !== null && !asked.includes(psu)) continue;
    if (sca.context !== 'CORPORATE') who[signerValue(psu, null)] = `${name}, as a private customer`;
    if (sca.context === 'PRIVATE') continue;
    for (const { agreement } of engagements) {
      if (sca.agreement !== null && sca.agreement !== agreement.id) continue;
      who[signerValue(psu, agreement.id)] = `${name}, for ${agreement.name}`;
    }
  }
  return who;
}

export const scaViews = [listView, oneView];
