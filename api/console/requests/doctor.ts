import { html } from '../../pages/html.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { emptyNote } from '../notes.ts';
import type { ConsoleView, OwnAction } from '../page-call.ts';
import { actionForm } from '../parts/forms.ts';
import { code, facts } from '../parts/lists.ts';
import { commandLine } from '../parts/lists.ts';
import { copied, faultCode, foreign, tag } from '../parts/text.ts';
import { signingStrings } from './views.ts';

const path = '/doctor';

/** Lets the doctor judge a pasted request, and keeps its answer for the page. A browser sends the line breaks of a field as CRLF. */
export const judgeRequest: OwnAction = {
  path,
  line: (_params, call) => commandLine(call, 'doctor request.http'),
  act: async (call, fields) => {
    const request = (fields.get('request') ?? '').replaceAll('\r\n', '\n');
    const judgement = await call.carryOut('POST /doctor', {}, request);
    const kept = new Map([...fields, ['judgement', JSON.stringify(judgement)]]);
    const to = pathTo(path, { query: { judged: call.notes.keep({ ...emptyNote, fields: kept }) } });
    return { text: 'The request was judged, and not carried out.', to };
  },
};

/** The doctor: a signed request is pasted, and its verdict is read with the signing strings side by side (rules.md G12). */
export const doctorView: ConsoleView = {
  path,
  show: (call) => {
    const kept = call.notes.find(call.query.get('judged') ?? null)?.fields;
    const judged = kept?.get('judgement');
    const answer = judged === undefined ? null : (JSON.parse(judged) as AnswerTo<'POST /doctor'>);
    const form = actionForm(call, judgeRequest, {
      fields: [
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
      ],
      button: 'Judge it',
      tone: 'main',
    });
    return Promise.resolve({ title: 'Doctor', content: html`${answer !== null && verdict(answer)} ${form}` });
  },
};

function verdict({ verdict: word, tpp, status, code: fault, finding, signing, answer }: AnswerTo<'POST /doctor'>) {
  return html`${finding !== null && html`<div class="problem"><p>${foreign(finding)}</p></div>`}
  ${facts({
    Signature: tag(word === 'accepted' ? 'good' : 'bad', word),
    Answer: status === null ? 'it would be carried out' : html`${status} ${fault !== null && faultCode(fault)}`,
    TPP: tpp === null ? 'not known' : copied(tpp),
  })}
  ${signing !== null && signingStrings({ signing, verdict: word }, 'judged', '')}
  ${
    answer !== null &&
    html`<h2>Answer</h2>
      ${code(JSON.stringify(answer, null, 2), 'Answer')}`
  }`;
}
