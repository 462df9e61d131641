import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { found, foundIn, Problem } from '../../pipeline/problem.ts';
import { testTppId } from '../../signing/test-tpp.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { consoleAction, ownAction, type PageCall } from '../page-call.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { folded, nothing, panes, region } from '../parts/blocks.ts';
import { throwAwayName } from '../payments/payment-forms.ts';
import { quirkNames } from '../../../engine/bank/rules/quirk.ts';

/** The TPP that asks: the unsigned door signs for it. */
const tppName = 'console';
const onePath = '/quirks/:name';

/** Requests whose answers can be compared, below the door; `{account}` is an account of a consent. */
const requests: Readonly<Record<string, readonly [words: string, path: string]>> = {
  transactions: ['Transactions of an account', '/v1/accounts/{account}/transactions?bookingStatus=both'],
  accounts: ['Accounts', '/v1/accounts'],
  balances: ['Balances of an account', '/v1/accounts/{account}/balances'],
  cards: ['Card accounts', '/v1/card-accounts'],
  payment: ['The latest payment of the console', ''],
};

/**
 * Asks the bank, switches a quirk and asks again: keeps both answers for the page of the quirk. Gives the TPP console a consent of the PSU
 * if it has none. Throws a Problem (409) where the request has nothing to ask for.
 */
export const compareQuirk = ownAction(`${onePath}/compare`, null, async (call, fields) => {
  const { name = '' } = call.params;
  const value = switchValue(fields.get('value') ?? '');
  const before = await askOnce(call, fields);
  await call.carryOut('PUT /quirks', {}, { quirks: { [name]: value } });
  const after = await askOnce(call, fields);
  const id = call.notes.keep({ fields: new Map([...fields, ['before', before], ['after', after]]) });
  const to = pathTo(onePath, { params: { name }, query: { compared: id } });
  return { text: `${name} is ${value === false ? 'off' : 'on'}.`, to };
});

/** The answer of the request that a form chose, as a text of lines. */
async function askOnce(call: PageCall, fields: ReadonlyMap<string, string>): Promise<string> {
  const { path, headers } = await requestOf(call, fields.get('ask') ?? '', fields.get('account') ?? '');
  const { status, type, content } = await call.send('GET', `/sandbox/as/${tppName}${path}`, headers);
  const body = typeof content === 'string' ? content : JSON.stringify(content, null, 1);
  // Each list has cursors of its own.
  const shown = body.replaceAll(/\\nSee \S+?(?=")/g, '').replaceAll(/(cursor=)[^"&]+/g, '$1…');
  return `GET ${path}\n${status} ${type}\n${shown}`;
}

type Asked = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

async function requestOf(call: PageCall, ask: string, account: string): Promise<Asked> {
  if (ask === 'payment') {
    const { payments } = await call.read('/payments', { query: { limit: '100' } });
    for (const { paymentId } of payments) {
      const payment = await call.read('/payments/:paymentId', { params: { paymentId } });
      const { service, product, wirePaymentId = paymentId } = payment;
      if (throwAwayName(payment) === tppName)
        return { path: `/v1/${service}/${product}/${wirePaymentId}`, headers: {} };
    }
    throw new Problem({ status: 409, detail: 'The console has made no payment here. Make one, and compare then.' });
  }
  const [psu = '', number = ''] = account.split('/');
  const { psuId, accounts } = await consentOf(call, psu);
  const own = foundIn(
    accounts,
    ({ bban }) => bban === number,
    'The consent of this person does not have the account.',
    409,
  );
  const path = requests[ask]?.[1] ?? '/v1/accounts';
  return { path: path.replace('{account}', own.wireId ?? own.id), headers: { 'psu-id': psuId } };
}

/** The live consent of a PSU for the TPP console. Makes one if needed. */
async function consentOf(call: PageCall, psu: string): Promise<AnswerTo<'GET /consents'>['consents'][number]> {
  const tpp = testTppId(tppName);
  const find = async () =>
    (await call.read('/consents')).consents.find(
      (each) => each.tpp === tpp && each.psu.number === psu && each.endedAt === null && each.context === 'PRIVATE',
    );
  const live = await find();
  if (live !== undefined) return live;
  await call.carryOut('POST /consents', {}, { tpp, psu });
  return found(await find(), 'The consent ended at once: no account is left to read.', 409);
}

type Psus = AnswerTo<'GET /info'>['psus'];

/** The form that switches a quirk and compares: what to ask, and whose account. */
export async function compareForm(call: PageCall, psus: Psus, value: Field, isOn: boolean): Promise<Html> {
  const { payments } = await call.read('/payments', { query: { limit: '1' } });
  const own = psus.flatMap(({ customerNumber, name: of, accounts }) =>
    accounts.flatMap(({ bban, name: title }) =>
      bban === null ? [] : [[`${customerNumber}/${bban}`, `${of}, ${title} ${bban}`]],
    ),
  );
  const used = own.find(([key]) => key?.endsWith(`/${payments[0]?.debtor.number}`) === true);
  const asks = Object.fromEntries(Object.entries(requests).map(([key, [words]]) => [key, words]));
  const accounts = Object.fromEntries(own);
  const fields: readonly Field[] = [
    { name: 'ask', label: 'Request', options: asks, value: 'transactions' },
    { name: 'account', label: 'Account', options: accounts, value: used?.[0] ?? own[0]?.[0] ?? '', isLong: true },
    isOn ? { name: 'value', label: 'value', type: 'hidden', value: 'off' } : value,
  ];
  return html`<p class="lead">
      The TPP console sends the same request before and after the switch. If it has no consent of the person, it gets
      one.
    </p>
    ${actionForm(call, compareQuirk, { button: `Switch ${isOn ? 'off' : 'on'} and compare`, tone: 'main' }, fields)}`;
}

/** Lines that are shown before and after a change, and how many lines of changes are shown. */
const [linesAround, maxShown] = [3, 80] as const;

/**
 * What differs between two answers, side by side, with the lines around it, and both answers folded; null: none are kept under the id of
 * the address.
 */
export function compared(call: PageCall): Html | null {
  const fields = call.notes.find(call.query.get('compared') ?? null)?.fields;
  const [before, after] = [fields?.get('before'), fields?.get('after')];
  if (before === undefined || after === undefined) return null;
  const changes = changesOf(sideBySide(before.split('\n'), after.split('\n')));
  const shown = changes.slice(0, maxShown);
  return html`<h2>The same request before and after</h2>
    ${
      changes.some((row) => row !== null)
        ? beside('Before', 'After', (side) => shown.map((row) => lineOf(row, side)))
        : nothing('The answers are the same. Another request, or a payment first, may show the difference.')
    }
    ${changes.length > maxShown && nothing('More differs further down.')}
    ${folded(
      'whole-answers',
      'The whole answers',
      beside('The whole answer before', 'The whole answer after', (side) => (side === 0 ? before : after)),
    )}`;
}

/** Two texts in panes, each below its heading. */
function beside(left: string, right: string, linesOf: (side: 0 | 1) => HtmlValue): Html {
  return panes([left, region(left, linesOf(0))], [right, region(right, linesOf(1))]);
}

/** A line of the answer before, and beside it the line of the answer after. Undefined where that side has no line. */
type Row = readonly [before: string | undefined, after: string | undefined];

/** Two lists of lines beside each other. After lines that differ they go on at the nearest line that both have. */
export function sideBySide(one: readonly string[], other: readonly string[]): readonly Row[] {
  const rows: Row[] = [];
  for (let [left, right] = [0, 0]; left < one.length || right < other.length;) {
    const [end, otherEnd] = nextShared(one, left, other, right);
    while (left < end || right < otherEnd)
      rows.push([left < end ? one[left++] : undefined, right < otherEnd ? other[right++] : undefined]);
    if (left < one.length) rows.push([one[left++], other[right++]]);
  }
  return rows;
}

/** Maximum number of lines, of both lists together, that are looked through for a shared one. */
const maxApart = 200;

/** The places of the nearest line that both lists have; their ends if there is none. */
function nextShared(
  one: readonly string[],
  left: number,
  other: readonly string[],
  right: number,
): readonly [number, number] {
  for (let apart = 0; apart <= maxApart; apart += 1)
    for (let at = left; at <= left + apart && at < one.length; at += 1)
      if (one[at] === other[right + left + apart - at]) return [at, right + left + apart - at];
  return [one.length, other.length];
}

/** The rows that differ, with the rows around them. Null stands for rows that are left out. */
function changesOf(rows: readonly Row[]): readonly (Row | null)[] {
  const isNear = (at: number): boolean =>
    rows.slice(Math.max(0, at - linesAround), at + linesAround + 1).some(([one, other]) => one !== other);
  return rows.flatMap((row, at) => (isNear(at) ? [row] : at === 0 || isNear(at - 1) ? [null] : []));
}

function lineOf(row: Row | null, side: 0 | 1): Html {
  if (row === null) return html`<span class="soft">⋯</span>${'\n'}`;
  const line = row[side] ?? '';
  const words = line.trimStart();
  const indent = line.slice(0, -words.length || undefined);
  return html`${indent}${row[0] === row[1] || words === '' ? words : html`<mark>${words}</mark>`}${'\n'}`;
}

/** What a field asks for: true for `on`, false for `off`, or the text of a value. */
function switchValue(value: string): boolean | string {
  return value === 'on' ? true : value === 'off' ? false : value;
}

/**
 * The quirks whose switch a form moved, or that it gave a value. A field is the name of a quirk that shall be on; `was` names those that
 * were on, `valued` the quirk whose form has a field for its value: left empty, the bank refuses it.
 */
export function movedIn(fields: ReadonlyMap<string, string>): Readonly<Record<string, boolean | string>> {
  const was = fields.get('was')?.split(',') ?? [];
  const wanted = quirkNames.map(
    (name) => [name, switchValue(fields.get(name) ?? (name === fields.get('valued') ? '' : 'off'))] as const,
  );
  return Object.fromEntries(wanted.filter(([name, value]) => value !== was.includes(name)));
}

/** Switches the quirks that its form moved, and no others. */
export const switchQuirks = consoleAction('PUT /quirks', {
  body: (fields) => ({ quirks: movedIn(fields) }),
  done: ({ quirks }) => {
    const on = Object.keys(quirks);
    return on.length === 0 ? 'No quirk is on.' : `On: ${on.join(', ')}.`;
  },
});
