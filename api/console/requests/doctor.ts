import { randomIds } from '../../../engine/bank/ids.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import { instantOf } from '../../control/ledger/reset-and-restore.ts';
import { story, storyPayment } from '../../bodies/examples.ts';
import { httpText } from '../../pages/curl-line.ts';
import { html, type Html } from '../../pages/html.ts';
import { signHeaders } from '../../signing/signature/sign-request.ts';
import { usualHeaders } from '../../signing/test-tpp.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { ownAction, view, type ConsoleRoom, type PageCall } from '../page-call.ts';
import { actionForm, hiddenFields } from '../parts/forms.ts';
import { code, facts } from '../parts/blocks.ts';
import { copied, faultCode, foreign, tag } from '../parts/text.ts';
import { signingStrings } from './views.ts';

const path = '/doctor';

/**
 * Lets the doctor judge a pasted request, and keeps its answer for the page. A browser sends the line breaks of a field
 * as CRLF.
 */
const judgeRequest = ownAction(path, 'doctor request.http', async (call, fields) => {
  const request = (fields.get('request') ?? '').replaceAll('\r\n', '\n');
  const judgement = await call.carryOut('POST /doctor', {}, request);
  const kept = new Map([...fields, ['judgement', JSON.stringify(judgement)]]);
  return { text: 'The request was judged, and not carried out.', to: keep(call, kept) };
});

/** Keeps the fields of the form. The path of the page that shows them. */
function keep(call: PageCall, fields: ReadonlyMap<string, string>): string {
  return pathTo(path, { query: { judged: call.notes.keep({ fields }) } });
}

/** What is wrong with an example of the doctor: nothing, or what was changed after the request was signed. */
const examples = {
  right: 'a request without a mistake',
  redirect: 'another redirect address than the signed one',
  amount: 'another amount than the signed one',
  expired: 'an expired certificate',
} as const;

/** Signs a payment of a person of this bank, perhaps with a mistake, and fills it into the form. Nothing is sent. */
const fillExample = ownAction(`${path}/example`, 'sign GET /v1/accounts --http', async (call, fields) => {
  const mistake = fields.get('mistake') ?? 'right';
  const fault = mistake === 'expired' ? { fault: mistake } : {};
  const credentials = (await call.carryOut('POST /certificates', {}, fault)) as AnswerTo<'POST /certificates'>;
  const { psus, clock, configuration } = await call.read('/info');
  const payer = psus.find(({ accounts }) => accounts.some(({ bban }) => bban !== null));
  const bban = payer?.accounts.find((account) => account.bban !== null)?.bban ?? story.debtorBban;
  const body = Buffer.from(JSON.stringify({ ...storyPayment, debtorAccount: { bban, currency: 'NOK' } }));
  const url = new URL(`${call.address}${story.paymentPath}`);
  const headers = {
    ...usualHeaders('POST', url.pathname, body, `${call.address}/sandbox/landed`),
    'x-psu-identity': payer?.customerNumber ?? story.psu,
    'psu-context': 'PRIVATE',
  };
  const given = { method: 'POST', target: url.pathname, headers, body, ...credentials };
  const date = configuration.followClock ? instantOf(clock.now) : systemClock.now();
  const signed = { ...headers, ...signHeaders({ ...given, date, requestId: randomIds.uuid() }) };
  const text = httpText({ method: 'POST', url, headers: signed, body });
  const request =
    mistake === 'redirect'
      ? text.replace('/sandbox/landed', '/sandbox/landed?state=1')
      : mistake === 'amount'
        ? text.replace('"100.00"', '"900.00"')
        : text;
  return {
    text: `The form has ${examples[mistake as keyof typeof examples] ?? examples.right}. It is valid for a minute.`,
    to: keep(call, new Map([...fields, ['request', request]])),
  };
});

/**
 * The doctor: a signed request is pasted, and its verdict is read with the signing strings side by side (rules.md G12).
 */
const doctorView = view(path, [], (call) => {
  const kept = call.notes.find(call.query.get('judged') ?? null)?.fields;
  const judged = kept?.get('judgement');
  const mistake = kept?.get('mistake') ?? 'right';
  const answer = judged === undefined ? null : (JSON.parse(judged) as AnswerTo<'POST /doctor'>);
  const form = actionForm(call, judgeRequest, { button: 'Judge it', tone: 'main' }, [
    {
      name: 'request',
      label: 'The request, as it is sent: first line, headers, an empty line, body',
      value:
        kept?.get('request') ??
        'GET /v1/accounts HTTP/1.1\nX-Request-ID: \nDate: \nSignature: \nTPP-Signature-Certificate: ',
      hint: 'The bank judges it as it would now, and does not carry it out.',
      rows: 12,
      required: true,
    },
    ...hiddenFields({ mistake }),
  ]);
  const example = actionForm(call, fillExample, { button: 'Fill it in' }, [
    { name: 'mistake', label: 'An example of this bank', options: examples, value: mistake },
  ]);
  return {
    title: 'Doctor',
    content: html`<p class="lead">
        Paste a signed request. The doctor says whether the bank takes it, and if not, what the signer did wrong.
      </p>
      ${answer !== null && verdict(call, answer)} ${example} ${form}`,
  };
});

function verdict(
  call: PageCall,
  { verdict: word, tpp, status, code: fault, finding, signing, answer }: AnswerTo<'POST /doctor'>,
): Html {
  return html`${finding !== null && html`<div class="problem"><p>${foreign(finding)}</p></div>`}
  ${facts({
    Signature: tag(word === 'accepted' ? 'good' : 'bad', word),
    Answer: status === null ? 'it would be carried out' : html`${status} ${fault !== null && faultCode(call, fault)}`,
    TPP: tpp === null ? 'not known' : copied(tpp),
  })}
  ${signing !== null && signingStrings({ signing, verdict: word })}
  ${
    answer !== null &&
    html`<h2>Answer</h2>
      ${code(JSON.stringify(answer, null, 2), 'Answer')}`
  }`;
}

export const doctorRoom: ConsoleRoom = { views: [doctorView], actions: [judgeRequest, fillExample] };
