import { clip, quote } from '../../../engine/values/text.ts';
import { verdicts } from '../../journal/requests.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { type PageCall, type ConsoleRoom, view } from '../page-call.ts';
import { stepAfterEntry } from '../../causes/next-step.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { allOr, filters } from '../parts/forms.ts';
import {
  code,
  empty,
  facts,
  folded,
  headed,
  list,
  listed,
  nothing,
  panes,
  problemBox,
  region,
} from '../parts/blocks.ts';
import { pagedTable } from '../parts/tables.ts';
import { paymentLink, toPay } from '../parts/links.ts';
import { copied, faultCode, foreign, tag } from '../parts/text.ts';
import { instant, moment } from '../parts/times.ts';
import { armedFaults, armFault, codeOptions, disarmFaults } from './armed-faults.ts';

const onePath = '/requests/:requestId';
const codes = { '': 'any', ...codeOptions };
/** Longest value of a header that is not folded, in characters. */
const maxHeaderChars = 160;

type Listed = AnswerTo<'GET /requests'>['requests'][number];
type Whole = AnswerTo<'GET /requests/:requestId'>['requests'][number];

const listView = view('/requests', ['request'], async (call) => {
  const names = ['verdict', 'code', 'tpp', 'path'];
  const { answer, problem } = await call.attempt('/requests', { query: call.given(...names) });
  const answered = call.query.get('answer');
  const wanted = (answer?.requests ?? []).filter(
    ({ status }) => answered === undefined || `${Math.floor((status ?? 0) / 100)}xx` === answered,
  );
  const isFiltered = ['answer', ...names].some((name) => call.query.has(name));
  return {
    title: 'Requests',
    lead: html`The latest requests of TPPs under /v1, with the bank's verdict on each signature.
      <a href="${call.to('/doctor')}">Judge a request that is not here: the doctor</a>`,
    content: html`${problemBox(problem)}
    ${filters(
      call,
      [
        { name: 'answer', label: 'Answer', options: allOr(['2xx', '4xx', '5xx']) },
        { name: 'verdict', label: 'Signature', options: allOr(verdicts, (word) => `Signature ${word}`) },
      ],
      [
        { name: 'code', label: 'Code', options: codes },
        { name: 'tpp', label: 'TPP' },
        { name: 'path', label: 'Path begins with' },
      ],
    )}
    ${answer !== null && requestTable(call, wanted, isFiltered)} ${await armedFaults(call)}`,
  };
});

function requestTable(call: PageCall, requests: readonly Listed[], isFiltered: boolean): Html {
  const none = isFiltered
    ? empty('No request matches.', { href: call.to('/requests'), text: 'Show all requests' })
    : empty('No TPP has sent a request yet. A payment sends some.', toPay(call));
  const to = (requestId: string): string => call.to(onePath, { params: { requestId } });
  return pagedTable(call, { caption: 'Requests of all TPPs, the newest first', rows: requests, none }, [
    [
      'Request',
      (each) => html`<a class="target" href="${to(each.requestId)}">${lineOf(each, true)}</a> ${said(each)}`,
      'text',
    ],
    ['Answer', (each) => statusOf(call, each)],
    ['Signature', verdict],
    // An id of the usual length stands on one line.
    [
      'TPP',
      ({ tpp, tppName }) =>
        tpp !== null &&
        html`<span class="${tppName === null && tpp.length < 22 && 'number'}">${foreign(tppName ?? tpp)}</span>`,
      'text',
    ],
    ['Bank time', ({ at }) => (at === null ? html`<span class="soft">before it was ready</span>` : moment(call, at))],
  ]);
}

/**
 * Why it was refused, what the signature check found or else the first text of the refusal; what was noted, and that a
 * reset followed.
 */
function said({ finding, reason, notes, beforeReset }: Listed): readonly Html[] {
  return [finding ?? reason, ...notes, beforeReset ? 'before the last reset' : null].flatMap((text) =>
    text === null ? [] : html`<p class="soft">${foreign(text)}</p>`,
  );
}

/** Method and path, as they were sent. `isRow`: without the parameter that many payments have. */
function lineOf({ method, target }: Listed, isRow = false): HtmlValue {
  if (method === null && target === null) return 'could not be read';
  const shown = isRow ? target?.replace(/\?allowLogicalDuplicate=true$/, '') : target;
  return foreign(`${method ?? '?'} ${shown ?? '?'}`);
}

function verdict({ verdict: word }: Listed): Html {
  return tag(word === 'accepted' ? 'good' : 'bad', word);
}

function statusOf(call: PageCall, { status, code: fault }: Listed): HtmlValue {
  if (status === null) return html`<span class="soft">none</span>`;
  return tag(status < 400 ? 'good' : 'warns', status, fault === null ? null : faultCode(call, fault));
}

const oneView = view(onePath, ['request'], async (call) => {
  const { requests } = await call.ask(onePath, { params: call.params });
  const [first, ...others] = requests;
  if (first !== undefined && others.length === 0)
    return { title: html`<span class="target">${lineOf(first)}</span>`, content: whole(call, first, 0) };
  return {
    title: 'Requests of one id',
    lead: `${requests.length} requests had this X-Request-ID; the newest is first.`,
    content: requests.map(
      (request, index) =>
        html`<h2 class="target">${lineOf(request)}</h2>
          ${whole(call, request, index)}`,
    ),
  };
});

/** A request with everything that the journal kept. */
function whole(call: PageCall, request: Whole, index: number): Html {
  const id = `request-${index}`;
  // Regions of one page have different names.
  const which = index === 0 ? '' : `, request ${index + 1}`;
  const {
    requestId,
    at,
    wall,
    tpp,
    tppName,
    finding,
    notes,
    headers,
    body,
    bodyLength,
    packet,
    answer,
    links,
    reason,
  } = request;
  const answered = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
  const why = finding ?? reason;
  const step = stepAfterEntry(request);
  return html`<div class="whole">
    ${
      why !== null &&
      html`<div class="problem">
        <p><strong>The ${finding === null ? 'request' : 'signature'} was refused.</strong> ${foreign(why)}</p>
        ${step !== null && html`<p>${step}</p>`}
      </div>`
    }
    ${facts({
      Signature: verdict(request),
      Answer: statusOf(call, request),
      'Bank time': at === null ? 'before the bank was ready' : instant(at),
      'Wall clock': instant(wall),
      TPP: tpp === null ? 'not known' : html`${tppName !== null && foreign(tppName)} ${copied(tpp)}`,
      'X-Request-ID': copied(requestId),
      Touched: links.length > 0 && linksOf(call, request),
    })}
    ${headed('Notes', notes.length > 0 && list(notes.map(foreign)))} ${signingStrings(request, which)}
    <h2>Headers</h2>
    ${headers.length === 0 ? nothing('None could be read.') : headerList(headers, id)}
    ${headed('What was received', packet !== undefined && code(packet, `What was received${which}`))}
    ${headed(`Body, ${bodyLength} bytes`, body !== null && code(body, `Body of the request${which}`))}
    <h2>Answer</h2>
    ${answer === null ? nothing('It had no body.') : code(answered, `Body of the answer${which}`)}
  </div>`;
}

/** Name and value of each header, as received; a long value is folded. */
function headerList(headers: Whole['headers'], id: string): Html {
  return html`<dl class="headers">
    ${headers.map(([name = '', value = ''], index) => {
      const isLong = value.length > maxHeaderChars;
      const beginning = foreign(clip(value, maxHeaderChars / 2));
      return html`<div>
        <dt>${foreign(name)}</dt>
        <dd>${isLong ? folded(`${id}-header-${index}`, beginning, foreign(value)) : foreign(value)}</dd>
      </div>`;
    })}
  </dl>`;
}

function linksOf(call: PageCall, { links, beforeReset }: Whole): readonly Html[] {
  const payment = (id: string): HtmlValue => (beforeReset ? foreign(id) : paymentLink(call, id));
  return listed(
    links.map((link) => [
      'paymentId' in link ? html`payment ${payment(link.paymentId)}` : html`consent ${copied(link.consentId)}`,
      beforeReset && ', removed by a reset',
    ]),
  );
}

type SigningLines = Pick<AnswerTo<'GET /requests/:requestId'>['requests'][number], 'signing' | 'verdict'>;
type Difference = NonNullable<SigningLines['signing']['difference']>;

/** Longest part of a line that a sentence repeats. */
const maxQuotedChars = 60;

/**
 * The signing string. If the signature was refused: the string that the bank verifies beside the one that was signed,
 * with the first difference marked and in words. `which` ends the names of its regions. Returns null if the request has
 * too little to verify.
 */
export function signingStrings({ signing, verdict }: SigningLines, which = ''): HtmlValue {
  const { expected, received, difference } = signing;
  if (expected === null) return null;
  const pane = (heading: string, text: string | null) => {
    const lines = text
      ?.split('\n')
      .map((line, index) =>
        index + 1 === difference?.line ? marked(line, difference.column) : html`<bdi>${line}</bdi>`,
      );
    const unknown = nothing('Unknown. No known mistake explains this signature.');
    return [heading, lines === undefined ? unknown : region(heading + which, listed(lines, '\n'))] as const;
  };
  if (verdict === 'accepted')
    return html`<h2>Signing string</h2>
      ${panes(pane('As it was signed, and as the bank verifies it', expected))}`;
  return html`<h2>Signing strings</h2>
    ${difference !== null && html`<p>${sentence(difference)}</p>`}
    ${panes(pane('What the bank verifies', expected), pane('What was signed', received))}`;
}

function sentence({ line, column, expected, received }: Difference): string {
  const bank = expected === '' ? "the bank's ends there" : `the bank has ${quote(expected, maxQuotedChars)} there`;
  const signed = received === '' ? 'the signed one ends there' : `${quote(received, maxQuotedChars)} was signed`;
  return `They begin to differ in line ${line}, at character ${column}: ${bank}, and ${signed}.`;
}

/** A line that is marked from a character on, counted from 1. One that ends before it has a mark of its own. */
function marked(line: string, column: number): Html {
  const rest = line.slice(column - 1);
  if (rest === '') return html`<bdi>${line}</bdi><mark>⏎</mark>`;
  return html`<bdi>${line.slice(0, column - 1)}<mark>${rest}</mark></bdi>`;
}

export const requestRoom: ConsoleRoom = { views: [listView, oneView], actions: [armFault, disarmFaults] };
