import { capital, clip } from '../../../engine/values/text.ts';
import { html, type Html } from '../../pages/html.ts';
import { foundIn } from '../../pipeline/problem.ts';
import { consoleAction, view, type PageCall, type ConsoleRoom } from '../page-call.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { aims, scaColumns } from '../../openapi/columns.ts';
import { shownColumns, pagedTable } from '../parts/tables.ts';
import { actionForm } from '../parts/forms.ts';
import { empty, facts, listed, nothing } from '../parts/blocks.ts';
import { payeeLink, payeeName, toPay } from '../parts/links.ts';
import { copied, foreign, tag } from '../parts/text.ts';
import { instant } from '../parts/times.ts';

type OpenSca = AnswerTo<'GET /sca'>['scas'][number];
type Psu = AnswerTo<'GET /info'>['psus'][number];

const onePath = '/sca/:scaId';

/** The PSU approves. The field `who` is of {@link signerValue}; `accounts` are separated by commas. */
const approveSca = consoleAction(`POST ${onePath}`, {
  path: `${onePath}/approve`,
  body: (fields) => {
    const [psu = '', context = '', agreement] = (fields.get('who') ?? '').split(' ');
    return { outcome: 'approve', psu, context, agreement };
  },
  done: ({ redirect }, cameFrom) => {
    const isFailure = new URL(redirect).searchParams.has('code');
    // Its own page ends with it.
    const to = cameFrom.startsWith('/sca/') ? '/sca' : cameFrom;
    return { text: `${cameBack('Approved.', redirect)}${isFailure ? ` ${whatNow}` : ''}`, to, isFailure };
  },
});

const whatNow =
  'Nothing was approved, and this SCA has ended. Let the TPP ask for another one (POST .../authorisations; for a consent a new one), and ' +
  'approve it as a PSU whom the console offers.';

/** The SCA ends without an approval. */
const endSca = consoleAction(`POST ${onePath}`, {
  path: `${onePath}/end`,
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

const listView = view('/sca', ['sca', 'payment'], async (call) => {
  const { scas } = await call.ask('/sca');
  const none = empty('No SCA waits for an answer. A payment asks for one.', toPay(call));
  return {
    title: 'Open SCAs',
    lead: 'TPPs wait for a PSU to approve these. A link works for 15 minutes of the wall clock; with --follow-clock, of the bank clock.',
    content: pagedTable(call, { caption: 'SCAs that a PSU can answer now, the latest first', rows: scas, none }, [
      ...shownColumns(call, scaColumns, {
        For: (sca) => whatFor(call, sca),
      }),
      ['Who may sign', signersText, 'text'],
    ]),
  };
});

/** How an SCA ends without an approval. */
const otherEnds = {
  cancel: 'the PSU says no',
  reject: 'one of several signers rejects the payment for all',
  fail: 'the PSU fails to identify',
  expire: 'the link runs out',
};

const oneView = view(onePath, ['sca'], async (call) => {
  const scaId = call.params['scaId'] ?? '';
  const { scas } = await call.ask('/sca');
  const sca = foundIn(scas, ({ id }) => id === scaId, 'There is no such SCA, or it has ended.');
  const { psus } = await call.ask('/info');
  return {
    title: `An SCA for ${aims[sca.purpose]}`,
    content: html`${facts({
        TPP: html`${foreign(sca.tpp.name)} ${copied(sca.tpp.id)}`,
        Opened: instant(sca.startedAt),
        'Link works until': instant(sca.expiresAt),
        'Who may sign': signersText(sca),
        Payments: sca.payments.length > 0 && listed(namedPayments(sca).map((each) => payeeLink(call, each))),
        'Page of the PSU': html`<a href="${sca.address}">Open it as the PSU sees it</a>`,
      })}
      <h2>Approve</h2>
      ${approvalForm(call, sca, psus)}
      <h2>Or it ends otherwise</h2>
      ${actionForm(call, endSca, { button: 'End it', tone: 'bad' }, [
        { name: 'outcome', label: 'What happens', value: 'cancel', options: otherEnds },
      ])}`,
  };
});

/** The form that approves an SCA as one of those who can. Where nobody can it says why. */
export function approvalForm(call: PageCall, sca: OpenSca, psus: readonly Psu[], button = 'Approve'): Html {
  const who = signersOf(sca, psus);
  const [first] = Object.keys(who);
  if (first === undefined) return nobody(sca);
  const hint = 'Numbers with commas between them. Empty: all that the PSU can share.';
  return actionForm(call, approveSca, { button, tone: 'main', params: { scaId: sca.id } }, [
    { name: 'who', label: 'As', options: who, value: first, required: true },
    ...(sca.purpose === 'consent' ? [{ name: 'accounts', label: 'Accounts', hint }] : []),
  ]);
}

/** Shown instead of the form when nobody can approve: the reason, and what to do. */
function nobody(sca: OpenSca): Html {
  return sca.signers?.length === 0
    ? nothing(`Nobody can approve it: ${whyNobody(sca)}. ${insteadOf(sca)}`)
    : empty('No PSU of the list may sign. Type the number on the page of the PSU.', {
        href: sca.address,
        text: 'Open the page of the PSU',
      });
}

function insteadOf({ heldByBasket: isHeld }: OpenSca): string {
  return isHeld === true ? 'Approve the basket.' : 'End it, and let the TPP ask again without the wrong header.';
}

/** Who is paid, and what is asked for; if nothing is paid, only what is asked for. Leads to the SCA. */
function whatFor(call: PageCall, sca: OpenSca): Html {
  const to = call.to(onePath, { params: { scaId: sca.id } });
  const aim = aims[sca.purpose];
  const payees = namedPayments(sca).map(payeeName);
  if (payees.length === 0) return html`<a href="${to}">${capital(aim)}</a>`;
  return html`<a href="${to}">${listed(payees)}</a> <span class="soft">${aim}</span>`;
}

/** Maximum number of payments of a signing basket that are named. */
const maxNamed = 5;

function namedPayments({ payments, payees }: OpenSca) {
  return payments.slice(0, maxNamed).map((paymentId, index) => ({ paymentId, payee: payees[index] ?? '' }));
}

function signersText(sca: OpenSca): Html {
  const { signers, context, purpose } = sca;
  const as = context === null ? '' : context === 'PRIVATE' ? ', as a private customer' : ', for a company';
  if (signers === null) return html`any PSU${as}`;
  if (signers.length === 0) return html`${tag('warns', 'nobody')} <span class="soft">${whyNobody(sca)}</span>`;
  const isPaid = purpose !== 'consent' && purpose !== 'identification';
  return html`${listed(signers.map(({ number, name }) => html`${foreign(name)} ${number}`))}${!isPaid && as}`;
}

/** Why no PSU can approve an SCA that names its signers. */
function whyNobody({ context, purpose, heldByBasket: isHeld }: OpenSca): string {
  if (isHeld === true) return 'an open signing basket holds the payment, and signing the basket signs it';
  if (purpose === 'consent' || purpose === 'identification')
    return 'the PSU that the TPP named is no customer any more';
  const able = {
    PRIVATE: 'the TPP asked for PSU-Context PRIVATE, and nobody who may sign holds this account as a private customer',
    CORPORATE: 'the TPP asked for PSU-Context CORPORATE, and nobody who may sign pays from this account for a company',
  };
  return context === null ? 'no PSU that may sign is left for the account' : able[context];
}

/** Who can approve, as a field offers it: each PSU in each context that works. */
function signersOf(sca: OpenSca, psus: readonly Psu[]): Readonly<Record<string, string>> {
  const who: Record<string, string> = {};
  for (const { number, name, as } of sca.signers ??
    psus.map((psu) => ({ number: psu.customerNumber, name: psu.name, as: null }))) {
    const contexts = as ?? contextsOf(psus.find(({ customerNumber }) => customerNumber === number));
    for (const { context, agreement } of contexts) {
      if (sca.context !== null && sca.context !== context) continue;
      if (sca.agreement !== null && sca.agreement !== agreement?.id) continue;
      const what = agreement === null ? 'as a private customer' : `for ${agreement.name}`;
      who[signerValue(number, agreement?.id ?? null)] = `${name}, ${what}`;
    }
  }
  return who;
}

type SignerContexts = NonNullable<NonNullable<OpenSca['signers']>[number]['as']>;

/** PRIVATE, and CORPORATE under each agreement of the PSU. */
function contextsOf(psu: Psu | undefined): SignerContexts {
  const agreements = new Map(psu?.engagements.map(({ agreement }) => [agreement.id, agreement]));
  const corporate = [...agreements.values()].map(({ id, name }) => ({
    context: 'CORPORATE' as const,
    agreement: { id, name },
  }));
  return [{ context: 'PRIVATE', agreement: null }, ...corporate];
}

export const scaRoom: ConsoleRoom = { views: [listView, oneView], actions: [approveSca, endSca] };
