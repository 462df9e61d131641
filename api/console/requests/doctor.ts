import { html, type Html } from '../../pages/html.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { ownAction, view, type ConsoleRoom, type PageCall } from '../page-call.ts';
import { actionForm } from '../parts/forms.ts';
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

/**
 * The doctor: a signed request is pasted, and its verdict is read with the signing strings side by side (rules.md G12).
 */
const doctorView = view(path, [], (call) => {
  const kept = call.notes.find(call.query.get('judged') ?? null)?.fields;
  const judged = kept?.get('judgement');
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
  ]);
  return {
    title: 'Doctor',
    content: html`<p class="lead">
        Paste a signed request. The doctor says whether the bank takes it, and if not, what the signer did wrong.
      </p>
      ${answer !== null && verdict(call, answer)} ${form}`,
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

export const doctorRoom: ConsoleRoom = { views: [doctorView], actions: [judgeRequest] };
