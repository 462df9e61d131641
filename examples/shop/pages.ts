import { createHash } from 'node:crypto';
import type { Account, Money, Transaction } from './bank.ts';
import type { OrderDate } from './sandbox.ts';

/** Markup. Only `html` makes it, and every value in it is escaped. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | Html | null | readonly Html[];

function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((text, index) => text + escaped(values[index] ?? null)).join(''));
}

function escaped(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value !== 'string') return value.map(escaped).join('');
  return value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export interface Item {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly price: string;
  readonly isMonthly: boolean;
}

/** What an order's page says. */
export interface OrderView {
  readonly id: string;
  readonly item: Item;
  readonly account: string;
  readonly status: string;
  /** What the bank told the customer, or why it took no order. */
  readonly reason: string | null;
  /** What happened at the bank's page when it was not approved. */
  readonly notice: string | null;
  /** Of a standing order. */
  readonly dates: readonly OrderDate[];
}

/** The page with what the shop sells. `orderIds`: one for each item, so that a form that is sent twice is one order. */
export function shopPage(
  items: readonly Item[],
  accounts: readonly Account[] | null,
  orderIds: readonly string[],
  notice: string | null,
): string {
  const connect = html`<form class="card wide" method="post" action="/connect">
    <h2>Your bank first</h2>
    <p>Your bank asks you which accounts this shop may see. You approve each payment there, and not here.</p>
    <button>Connect your bank</button>
  </form>`;
  const cards = items.map(
    ({ id, name, about, price, isMonthly }, index) =>
      html`<section class="card">
        <h2>${name}</h2>
        <p>${about}</p>
        <p class="price">${money({ amount: price, currency: 'NOK' })}${isMonthly ? ' a month' : null}</p>
        ${accounts === null ? null : buyForm(id, orderIds[index] ?? '', isMonthly, accounts)}
      </section>`,
  );
  return page(
    'Coffee, paid from your account',
    html`${noticeBox(notice)}${accounts === null ? connect : null}${cards}`,
  );
}

function buyForm(item: string, id: string, isMonthly: boolean, accounts: readonly Account[]): Html {
  const options = accounts
    .filter(({ bban, currency }) => bban !== undefined && currency === 'NOK')
    .map(({ bban = '', name }) => html`<option value="${bban}">${name}, ${grouped(bban)}</option>`);
  return html`<form method="post" action="/orders">
    <input type="hidden" name="id" value="${id}" /><input type="hidden" name="item" value="${item}" />
    <label for="from-${item}">Pay from</label>
    <select id="from-${item}" name="account">
      ${options}
    </select>
    <button>${isMonthly ? 'Subscribe' : 'Buy'}</button>
  </form>`;
}

/** By the status of the payment: what the page is called, its colour, and what it says. A status that is not here is waited for. */
const words: Readonly<Record<string, readonly [title: string, tone: string, text: string]>> = {
  NEW: ['Not at the bank yet', 'waits', 'The bank did not answer. Nothing was paid.'],
  RCVD: ['Not approved yet', 'waits', 'Nothing is paid before you approve it at your bank.'],
  PATC: ['One more signature', 'waits', 'Somebody else has to approve it too.'],
  ACSP: ['Approved', 'waits', 'Your bank has it, and pays on its day.'],
  PDNG: ['Waiting for your bank', 'waits', 'Your bank pays it today.'],
  ACCP: ['Waiting for money', 'waits', 'There was too little in the account. Your bank tries again.'],
  ACSC: ['Paid', 'done', 'Thank you. Your coffee is on its way.'],
  RJCT: ['Refused', 'refused', 'Your bank has not paid it.'],
  CANC: ['Cancelled', 'refused', 'This order was taken back.'],
};

/** The page of an order. */
export function orderPage({ id, item, account, status, reason, notice, dates }: OrderView): string {
  const [title, tone, text] = words[status] ?? ['Waiting for the bank', 'waits', `The bank says ${status}.`];
  const isOpen = status === 'RCVD' || status === 'NEW';
  const content = html`${noticeBox(notice)}
    <section class="card wide">
      <p class="tag ${tone}">${title}</p>
      <p>${text}</p>
      ${reason === null ? null : html`<p class="reason">Your bank says: ${reason}</p>`}
      <dl>
        <dt>You pay</dt>
        <dd>${money({ amount: item.price, currency: 'NOK' })}${item.isMonthly ? ' a month' : null}</dd>
        <dt>From</dt>
        <dd>${grouped(account)}</dd>
        <dt>To</dt>
        <dd>Fjord Coffee</dd>
      </dl>
      ${isOpen ? html`<form method="post" action="/orders/${id}/approve"><button>Approve at your bank</button></form>` : null}
      <p>${tone === 'waits' ? html`<a href="/orders/${id}">Look again</a>` : html`<a href="/">Back to the shop</a>`}</p>
    </section>
    ${dates.length === 0 ? null : dateList(dates)}`;
  return page(item.name, content, `${item.name}: ${title.toLowerCase()}`);
}

function dateList(dates: readonly OrderDate[]): Html {
  const rows = dates.map(
    ({ executionDate, moved, status }) =>
      html`<li>
        <strong>${day(executionDate)}</strong> ${status === 'ACSC' ? 'paid' : status === 'RJCT' ? 'refused' : null}
        ${moved === undefined ? null : html`<span class="soft">${moved}</span>`}
      </li>`,
  );
  return html`<section class="card wide">
    <h2>Payments</h2>
    <ol class="dates">
      ${rows}
    </ol>
  </section>`;
}

/** The page of the accounts, each with its balance and its latest transactions. */
export function accountPage(accounts: readonly { account: Account; transactions: readonly Transaction[] }[]): string {
  const sections = accounts.map(({ account, transactions }) => {
    const available = account.balances.find(({ balanceType }) => balanceType === 'interimAvailable')?.balanceAmount;
    const rows = transactions.map(
      ({ bookingDate, transactionAmount, creditorName, debtorName, remittanceInformationUnstructured: text }) =>
        html`<tr>
          <td>
            ${(transactionAmount.amount.startsWith('-') ? creditorName : debtorName) ?? text ?? 'Transaction'}
            <span class="soft">${bookingDate === undefined ? 'pending' : day(bookingDate)}</span>
          </td>
          <td class="amount">${money(transactionAmount)}</td>
        </tr>`,
    );
    const table = html`<table>
      <thead>
        <tr>
          <th scope="col">Transaction</th>
          <th scope="col" class="amount">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
    return html`<section class="card wide">
      <h2>${account.name}</h2>
      <p class="soft">${grouped(account.bban ?? '')}</p>
      <p class="price">${available === undefined ? null : money(available)} <span class="soft">available</span></p>
      ${rows.length === 0 ? html`<p class="soft">No transactions yet.</p>` : table}
    </section>`;
  });
  return page('Your account', html`${sections}`);
}

/** A page for what cannot be answered. */
export function problemPage(text: string): string {
  return page('That did not work', html`<section class="card wide"><p>${text}</p></section>`);
}

function noticeBox(notice: string | null): Html | null {
  return notice === null ? null : html`<p class="notice wide" role="status">${notice}</p>`;
}

/** `NOK −1 234.50`, from the bank's text: an amount is never a number here. */
function money({ amount, currency }: Money): string {
  const [whole = '', fraction] = amount.replace('-', '').split('.');
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0') + (fraction === undefined ? '' : `.${fraction}`);
  return `${currency}\u00a0${amount.startsWith('-') ? '\u2212' : ''}${digits}`;
}

/** `0923 29 11044` */
function grouped(bban: string): string {
  return bban.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1\u00a0$2\u00a0$3');
}

/** `30 March 2027` */
function day(date: string): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(`${date}T00:00:00Z`));
}

const styles = `
:root{--ink:#2b1d14;--soft:#6b5647;--ground:#f7f1e8;--paper:#fffdf9;--line:#e2d5c3;--bean:#7a3e12;--bean-dark:#5c2d0b;
--green:#1d5c38;--green-tint:#e3f1e6;--red:#9b1c1c;--red-tint:#fbe6e3;--amber:#6b4a00;--amber-tint:#fbefcf}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
overflow-wrap:anywhere}
header{background:var(--bean-dark);color:#fff}
nav{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1.25rem;max-width:60rem;margin:0 auto;padding:.25rem 1.25rem}
nav a{padding:.65rem 0;color:inherit}
nav a:first-child{font-weight:650;text-decoration:none}
main{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,16rem),1fr));gap:1.25rem;max-width:60rem;
margin:0 auto;padding:1.5rem 1.25rem 3rem}
h1,.wide{grid-column:1/-1}
h1{font-size:clamp(1.6rem,6vw,2.25rem);line-height:1.15;letter-spacing:-.02em;margin:.5rem 0 0;text-wrap:balance}
h2{font-size:1.2rem;line-height:1.3;margin:0}
p{margin:.5rem 0 0}
a{color:var(--bean)}
.card{display:flex;flex-direction:column;background:var(--paper);border:1px solid var(--line);border-radius:.75rem;
padding:1.25rem}
.card>p:first-child{margin-top:0}
section form{display:flex;flex-direction:column;gap:.4rem;margin-top:auto;padding-top:1rem}
label{font-weight:600;font-size:.9375rem}
select,button{font:inherit;min-height:2.75rem;border-radius:.5rem;padding:.4rem .75rem}
select{width:100%;font-size:.9375rem;border:1.5px solid #8a7565;background:#fff;color:inherit}
button{align-self:flex-start;margin-top:.75rem;border:0;background:var(--bean);color:#fff;font-weight:600;padding-inline:1.4rem;
cursor:pointer}
button:hover{background:var(--bean-dark)}
:focus-visible{outline:3px solid #1d6fd1;outline-offset:2px}
.price{font-size:1.25rem;font-weight:650;font-variant-numeric:tabular-nums}
.soft{color:var(--soft);font-weight:400;font-size:.9375rem}
.tag{align-self:flex-start;padding:.15rem .8rem;border-radius:1rem;font-weight:650}
.done{background:var(--green-tint);color:var(--green)}
.waits{background:var(--amber-tint);color:var(--amber)}
.refused{background:var(--red-tint);color:var(--red)}
.reason,.notice{border-left:4px solid var(--amber);background:var(--amber-tint);padding:.6rem .9rem;border-radius:.25rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1.25rem;margin:1rem 0 0}
dt{color:var(--soft)}
dd{margin:0;font-variant-numeric:tabular-nums}
.dates{margin:.75rem 0 0;padding-left:1.4rem}
.dates .soft,td .soft{display:block}
table{width:100%;border-collapse:collapse;margin-top:.75rem}
th,td{text-align:left;padding:.5rem .5rem .5rem 0;border-top:1px solid var(--line);vertical-align:top}
th{font-size:.875rem;color:var(--soft);border-top:0}
.amount{text-align:right;padding-right:0;white-space:nowrap;font-variant-numeric:tabular-nums}
`;

/**
 * What a browser may do with these pages: nothing is loaded and no script runs. There is no `form-action`, as browsers hold it
 * against the redirect to the bank too.
 */
export const contentPolicy = `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

/** A whole page. `name`: of the window, where it says more than the heading. */
function page(title: string, content: Html, name = title): string {
  const style = new Html(`<style>${styles}</style>`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name} – Fjord Coffee</title>
        ${style}
      </head>
      <body>
        <header>
          <nav aria-label="Shop"><a href="/">Fjord Coffee</a> <a href="/account">Your account</a></nav>
        </header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text;
}
