import { faultCodes } from '../../../engine/values/fault.ts';
import { clip } from '../../../engine/values/text.ts';
import { verdicts } from '../../journal/requests.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import type { PageCall } from '../page-call.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { allOr, filters } from '../parts/filters.ts';
import { code, empty, facts, listed, pagedTable, problemBox } from '../parts/lists.ts';
import { toPay } from '../parts/next.ts';
import { faultCode, foreign, instant, moment, paymentLink, tag } from '../parts/text.ts';
import { armedFaults } from './armed-faults.ts';
import { signingStrings } from './signing-strings.ts';

const onePath = '/requests/:requestId';
const codes = { '': 'any', ...Object.fromEntries(faultCodes.toSorted().map((each) => [each, each])) };
/** Longest value of a header that is not folded, in characters. */
const longestHeader = 160;

type Listed = AnswerTo<'GET /requests'>['requests'][number];
type Whole = AnswerTo<'GET /requests/:requestId'>['requests'][number];

const listView: ConsoleView = {
  path: '/requests',
  nav: 'Requests',
  live: ['request'],
  show: async (call) => {
    const names = ['verdict', 'code', 'tpp', 'path'];
    const query = Object.fromEntries(names.map((name) => [name, call.query.get(name)]));
    const { answer, problem } = await call.attempt('/requests', { query });
    const answered = call.query.get('answer');
    const wanted = (answer?.requests ?? []).filter(
      ({ status }) => answered === undefined || `${Math.floor((status ?? 0) / 100)}xx` === answered,
    );
    const isFiltered = ['answer', ...names].some((name) => call.query.has(name));
    return {
      title: 'Requests',
      content: html`<p class="lead">
          The latest requests of TPPs under /v1, with the bank's verdict on each signature.
        </p>
        ${problemBox(problem)} ${await armedFaults(call)}
        ${filters(
          call,
          [
            { name: 'answer', label: 'Answer', options: allOr(['2xx', '4xx', '5xx']) },
            {
              name: 'verdict',
              label: 'Signature',
              options: allOr(verdicts, (word) => `Signature ${word}`),
            },
          ],
          [
            { name: 'code', label: 'Code', options: codes },
            { name: 'tpp', label: 'TPP' },
            { name: 'path', label: 'Path begins with' },
          ],
        )}
        ${answer !== null && requestTable(call, wanted, isFiltered)}`,
    };
  },
};

function requestTable(call: PageCall, requests: readonly Listed[], isFiltered: boolean): Html {
  const none = isFiltered
    ? empty('No request matches.', { href: call.to('/requests'), text: 'Show all requests' })
    : empty('No TPP has sent a request yet. A payment sends some.', toPay(call));
  const to = (requestId: string): string => call.to(pathTo(onePath, { params: { requestId } }));
  return pagedTable(
    call,
    'Requests of all TPPs, the newest first',
    requests,
    [
      ['Request', (each) => html`<a class="target" href="${to(each.requestId)}">${lineOf(each)}</a>`, 'long'],
      ['Answer', statusOf],
      [
        'What was found',
        (each) => html`${said(each)}${each.notes.map((note) => html`<p>${foreign(note)}</p>`)}`,
        'long',
      ],
      ['Signature', verdict],
      ['TPP', ({ tpp }) => tpp !== null && foreign(tpp), 'text'],
      ['Bank time', ({ at }) => (at === null ? html`<span class="soft">before it was ready</span>` : moment(call, at))],
    ],
    { none },
  );
}

/** Why it was refused: what the signature check found, else the first text of the refusal. */
function said({ finding, reason }: Listed): HtmlValue {
  const text = finding ?? reason;
  return text !== null && foreign(text);
}

/** Method and path, as they were sent. */
function lineOf({ method, target }: Listed): HtmlValue {
  if (method === null && target === null) return 'could not be read';
  return foreign(`${method ?? '?'} ${target ?? '?'}`);
}

function verdict({ verdict: word }: Listed): Html {
  return tag(word === 'accepted' ? 'good' : 'bad', word);
}

function statusOf({ status, code: fault }: Listed): HtmlValue {
  if (status === null) return html`<span class="soft">none</span>`;
  return tag(status < 400 ? 'good' : 'warns', status, fault === null ? null : faultCode(fault));
}

const oneView: ConsoleView = {
  path: onePath,
  live: ['request'],
  show: async (call) => {
    const { params } = call;
    const { answer, problem } = await call.attempt(onePath, { params });
    if (answer === null) return { title: 'No request', content: problemBox(problem) };
    const [first] = answer.requests;
    if (first !== undefined && answer.requests.length === 1) {
      return {
        title: html`<span class="target">${lineOf(first)}</span>`,
        windowTitle: `${first.method ?? ''} ${first.target ?? ''}`,
        content: whole(call, first, 0),
      };
    }
    return {
      title: 'Requests of one id',
      content: html`<p class="lead">${answer.requests.length} requests had this X-Request-ID; the newest is first.</p>
        ${answer.requests.map(
          (request, index) =>
            html`<h2 class="target">${lineOf(request)}</h2>
              ${whole(call, request, index)}`,
        )}`,
    };
  },
};

/** A request with all that was kept of it. */
function whole(call: PageCall, request: Whole, index: number): Html {
  const id = `request-${index}`;
  // Regions of one page have different names.
  const which = index === 0 ? '' : `, request ${index + 1}`;
  const { requestId, at, wall, tpp, finding, notes, headers, body, bodyLength, packet, answer, links, reason } =
    request;
  const answered = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
  return html`<div class="whole">
    ${
      finding !== null &&
      html`<div class="problem">
        <p><strong>The signature was refused.</strong> ${foreign(finding)}</p>
      </div>`
    }
    ${facts({
      Signature: verdict(request),
      Answer: html`${statusOf(request)}${reason !== null && html` ${foreign(reason)}`}`,
      'Bank time': at === null ? 'before the bank was ready' : instant(at),
      'Wall clock': instant(wall),
      TPP: tpp === null ? 'not known' : foreign(tpp),
      'X-Request-ID': foreign(requestId),
      Touched: links.length > 0 && linksOf(call, links),
    })}
    ${
      notes.length > 0 &&
      html`<h2>Notes</h2>
        <ul>
          ${notes.map((note) => html`<li>${foreign(note)}</li>`)}
        </ul>`
    }
    ${signingStrings(request, id, which)}
    <h2>Headers</h2>
    ${headers.length === 0 ? html`<p class="soft">None could be read.</p>` : headerList(headers, id)}
    ${
      packet !== undefined &&
      html`<h2>What was received</h2>
        ${code(packet, `What was received${which}`)}`
    }
    ${
      body !== null &&
      html`<h2>Body, ${bodyLength} bytes</h2>
        ${code(body, `Body of the request${which}`)}`
    }
    <h2>Answer</h2>
    ${answer === null ? html`<p class="soft">It had no body.</p>` : code(answered, `Body of the answer${which}`)}
  </div>`;
}

/** Name and value of each header, as received; a long value is folded. */
function headerList(headers: Whole['headers'], id: string): Html {
  return html`<dl class="headers">
    ${headers.map(([name = '', value = ''], index) => {
      const isLong = value.length > longestHeader;
      const folded = html`<details id="${id}-header-${index}">
        <summary>${foreign(clip(value, longestHeader / 2))}</summary>
        ${foreign(value)}
      </details>`;
      return html`<div>
        <dt>${foreign(name)}</dt>
        <dd>${isLong ? folded : foreign(value)}</dd>
      </div>`;
    })}
  </dl>`;
}

function linksOf(call: PageCall, links: Whole['links']): readonly Html[] {
  return listed(
    links.map((link) =>
      'paymentId' in link ? html`payment ${paymentLink(call, link.paymentId)}` : `consent ${link.consentId}`,
    ),
  );
}

export const requestViews = [listView, oneView];
