import { createHash, randomBytes, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import BetterSqlite3 from 'better-sqlite3';
import express, { type Request } from 'express';
import { creditTransferBody } from '../../api/interface/payments/credit-transfer-body.ts';

/*
 * A server that does by hand what a signed request asks for, with the same packages: it parses, checks digest and signature
 * with a cached key, validates the body with ajv, and reads or writes the same rows with prepared statements in one transaction.
 * It knows no rules, so that it is what a request costs at least. Arguments: a ledger file of a bank, of which it takes a copy into
 * memory, and what its clock shows, an instant in ms.
 * Prints its address.
 */
const [ledger = '', clock = ''] = process.argv.slice(2);
const now = Number(clock);
const database = new BetterSqlite3(readFileSync(ledger));
database.defaultSafeIntegers(true);
database.pragma('foreign_keys = ON');

interface Row {
  readonly [column: string]: bigint | string | null;
}

const queries = {
  seen: database.prepare<unknown[], Row>(
    'select answer from first_answer where tpp_id = ? and method = ? and path = ? and request_id = ?',
  ),
  state: database.prepare<unknown[], Row>('update bank_state set clock_seen = ? returning *'),
  customer: database.prepare<unknown[], Row>('select * from customer where deleted_at is null and customer_number = ?'),
  account: database.prepare<unknown[], Row>('select * from account where closed_at is null and bban = ?'),
  duplicate: database.prepare<unknown[], Row>(
    `select p.resource_id from credit_transfer t join payment p on p.id = t.payment_id where t.debtor_account_id = ?
      and t.execution_date = ? and t.creditor_number = ? and t.amount_minor = ? and t.currency = ?`,
  ),
  payment: database.prepare<unknown[], Row>(
    `insert into payment (customer_id, debtor_account_id, execution_date, initiated_at, resource_id, service, product, tpp_id,
      tpp_name, status, tpp_redirect_uri, tpp_session_id) values (?, ?, ?, ?, ?, 'payments', ?, ?, ?, 'RCVD', ?, ?) returning *`,
  ),
  initiation: database.prepare('insert into payment_initiation (payment_id, body) values (?, ?)'),
  transfer: database.prepare(
    `insert into credit_transfer (payment_id, sequence, debtor_account_id, creditor_number, currency, amount_minor, execution_date)
      values (?, 0, ?, ?, ?, ?, ?)`,
  ),
  status: database.prepare(
    `insert into status_change (payment_id, status, at, wall, cause) values (?, 'RCVD', ?, ?, 'initiation')`,
  ),
  sca: database.prepare(
    `insert into sca (resource_id, purpose, payment_id, tpp_id, tpp_name, tpp_redirect_uri, tpp_session_id, customer_id, context,
      context_binds, created_at_wall) values (?, 'payment', ?, ?, ?, ?, ?, ?, ?, 1, ?)`,
  ),
  answer: database.prepare(
    `insert into first_answer (tpp_id, method, path, request_id, query, content, answer, payment_id) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  consented: database.prepare<unknown[], Row>(
    `select account.* from psu join consent on consent.psu_key = psu.id and consent.ended_at is null
      join consent_account on consent_account.consent_id = consent.id join account on account.id = consent_account.account_id
      where psu.tpp_id = ? and psu.psu_id = ? and account.resource_id = ? and account.closed_at is null`,
  ),
  pending: database.prepare<unknown[], Row>(
    'select sum(amount_minor) as minor from entry where account_id = ? and booking_day >= ? and booked_at > ?',
  ),
  booked: database.prepare<unknown[], Row>(
    'select sum(amount_minor) as minor from entry where account_id = ? and booking_day >= ? and (booked_at > ?) is not true',
  ),
  leaving: database.prepare<unknown[], Row>(
    `select sum(amount_minor) as minor from execution where debtor_account_id = ? and (status = 'ACSP' or status = 'PDNG' or status = 'ACCP')`,
  ),
  coming: database.prepare<unknown[], Row>(
    `select sum(amount_minor) as minor from execution where creditor_number in (?, ?) and (status = 'ACSP' or status = 'PDNG' or status = 'ACCP')`,
  ),
  transactions: database.prepare<unknown[], Row>(
    `select entry.id, entry.amount_minor, entry.booking_date, entry.value_date, direct_posting.details,
        payment_initiation.body, holder.name, debtor.bban, debtor.iban
      from entry left join direct_posting on direct_posting.id = entry.direct_posting_id
        left join execution on execution.id = entry.execution_id
        left join payment_initiation on payment_initiation.payment_id = execution.payment_id
        left join account debtor on debtor.id = execution.debtor_account_id
        left join customer holder on holder.id = debtor.customer_id
      where entry.account_id = ? and entry.booking_day in (select distinct booking_day from entry where booking_day between ? and ?)
        and (direct_posting.kind = 'transaction' or entry.execution_id is not null)
      order by entry.booking_day desc, entry.id desc limit ? offset ?`,
  ),
};

const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(creditTransferBody);

interface Tpp {
  readonly key: KeyObject;
  readonly id: string;
  readonly name: string;
}

const known = new Map<string, Tpp>();

function tppOf(certificate: string): Tpp {
  const found = known.get(certificate);
  if (found !== undefined) return found;
  const parsed = new X509Certificate(Buffer.from(certificate, 'base64'));
  const subject = new Map(parsed.subject.split('\n').map((line) => line.split('=') as [string, string]));
  const tpp = {
    key: parsed.publicKey,
    id: subject.get('organizationIdentifier') ?? '',
    name: subject.get('CN') ?? '',
  };
  known.set(certificate, tpp);
  return tpp;
}

/** The TPP that signed the request; throws when digest or signature do not fit. */
function signedBy(request: Request, body: Buffer): Tpp {
  const { headers } = request;
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  if (body.length > 0 && headers['digest'] !== digest) throw new Error('the digest does not fit');
  const fields = new Map<string, string>();
  for (const part of String(headers['signature']).split('",')) {
    const at = part.indexOf('="');
    fields.set(part.slice(0, at), part.slice(at + 2).replace('"', ''));
  }
  const signed = (fields.get('headers') ?? '').split(' ').map((name) => {
    return name === '(request-target)'
      ? `${name}: ${request.method.toLowerCase()} ${request.originalUrl}`
      : `${name}: ${String(headers[name])}`;
  });
  const tpp = tppOf(String(headers['tpp-signature-certificate']));
  const signature = Buffer.from(fields.get('signature') ?? '', 'base64');
  if (!verify('RSA-SHA256', Buffer.from(signed.join('\n')), tpp.key, signature))
    throw new Error('the signature is wrong');
  return tpp;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));
const amountOf = (minor: bigint): string =>
  `${minor / 100n}.${String(minor % 100n)
    .replace('-', '')
    .padStart(2, '0')}`;
const numberOf = (row: Row | undefined): bigint => (typeof row?.['minor'] === 'bigint' ? row['minor'] : 0n);
const idOf = (): string => `enc!!${randomBytes(31).toString('base64url')}`;

interface Transfer {
  readonly instructedAmount: { readonly amount: string; readonly currency: string };
  readonly debtorAccount: { readonly bban: string };
  readonly creditorAccount: { readonly bban: string };
}

function initiate(request: Request<{ product: string }>, body: Buffer, tpp: Tpp): string {
  const transfer = JSON.parse(body.toString()) as Transfer;
  if (!validate(transfer)) throw new Error('the body is not valid');
  const text = (name: string): string => String(request.headers[name]);
  const call = [tpp.id, 'POST', request.path, text('x-request-id')];
  const earlier = queries.seen.get(call);
  if (earlier !== undefined) return String(earlier['answer']);
  queries.state.get(now);
  const psu = queries.customer.get(text('x-psu-identity'));
  const debtor = queries.account.get(transfer.debtorAccount.bban);
  const creditor = queries.account.get(transfer.creditorAccount.bban);
  if (psu === undefined || debtor === undefined) throw new Error('nobody pays');
  const minor = minorOf(transfer.instructedAmount.amount);
  const { currency } = transfer.instructedAmount;
  const number = String(creditor?.['bban'] ?? transfer.creditorAccount.bban);
  if (queries.duplicate.get(debtor['id'], dayOf(now), number, minor, currency) !== undefined)
    throw new Error('a duplicate');
  const returnTo = [text('tpp-redirect-uri'), text('tpp-session-id')];
  const { product } = request.params;
  const payment = queries.payment.get([
    ...[psu['id'], debtor['id'], dayOf(now), now, idOf(), product, tpp.id, tpp.name],
    ...returnTo,
  ]);
  const key = payment?.['id'];
  queries.initiation.run(key, JSON.stringify(transfer));
  queries.transfer.run(key, debtor['id'], number, currency, minor, dayOf(now));
  queries.status.run(key, now, now);
  const sca = randomBytes(24).toString('base64url');
  queries.sca.run(sca, key, tpp.id, tpp.name, ...returnTo, psu['id'], text('psu-context'), now);
  const self = `/v1/payments/${product}/${String(payment?.['resource_id'])}`;
  const answer = JSON.stringify({
    paymentId: payment?.['resource_id'],
    transactionStatus: 'RCVD',
    transactionFees: { amount: '0.00', currency: 'NOK' },
    transactionFeeIndicator: false,
    _links: {
      self: { href: self, verbs: ['GET', 'DELETE'] },
      status: { href: `${self}/status`, verbs: ['GET'] },
      startAuthorisation: { href: `${self}/authorisations`, verbs: ['POST'] },
      scaRedirect: { href: `http://${text('host')}/sca/${sca}`, verbs: ['GET'] },
    },
  });
  queries.answer.run(call, '', createHash('sha256').update(body).digest('base64'), answer, key);
  return answer;
}

const msPerDay = 86_400_000;

function accountOf(request: Request<{ accountId: string }>, tpp: Tpp): Row {
  const account = queries.consented.get(tpp.id, request.headers['psu-id'], request.params.accountId);
  if (account === undefined) throw new Error('no consent');
  return account;
}

function balances(request: Request<{ accountId: string }>, tpp: Tpp): string {
  const account = accountOf(request, tpp);
  const today = [account['id'], Math.floor(now / msPerDay), now];
  const posted = BigInt(String(account['balance_minor']));
  const booked = posted - numberOf(queries.pending.get(today));
  const expected =
    posted +
    numberOf(queries.coming.get(account['bban'], account['iban'])) -
    numberOf(queries.leaving.get(account['id']));
  const all = {
    openingBooked: booked - numberOf(queries.booked.get(today)),
    interimBooked: booked,
    interimAvailable: posted + BigInt(String(account['credit_line_minor'])),
    expected,
  };
  const { currency } = account;
  return JSON.stringify({
    account: { bban: account['bban'], iban: account['iban'], currency },
    balances: Object.entries(all).map(([balanceType, minor]) => ({
      balanceAmount: { amount: amountOf(minor), currency },
      balanceType,
    })),
    _links: { self: { href: `/v1/accounts/${request.params.accountId}/balances`, verbs: ['GET'] } },
  });
}

function transactions(request: Request<{ accountId: string }>, tpp: Tpp): string {
  const account = accountOf(request, tpp);
  const today = Math.floor(now / msPerDay);
  const limit = Number(request.query['limit']);
  const rows = queries.transactions.all(account['id'], today - 90, today, limit, Number(request.query['offset'] ?? 0));
  const booked = rows.map((row) => ({
    transactionId: String(row['id']),
    bookingDate: row['booking_date'],
    valueDate: row['value_date'],
    transactionAmount: { amount: amountOf(BigInt(String(row['amount_minor']))), currency: account['currency'] },
    ...(JSON.parse(String(row['body'] ?? row['details'] ?? '{}')) as object),
  }));
  const self = `/v1/accounts/${request.params.accountId}/transactions`;
  return JSON.stringify({
    account: { bban: account['bban'], iban: account['iban'] },
    transactions: { booked, pending: [], _links: { self: { href: self, verbs: ['GET'] } } },
  });
}

type Work<Path> = (request: Request<Path>, body: Buffer, tpp: Tpp) => string;

const app = express().disable('x-powered-by').disable('etag');
app.use(express.raw({ type: () => true, limit: 256 * 1024 }));

/** Checks the signature, does the work in one transaction, and answers with its text. */
function inTransaction<Path>(work: Work<Path>): (request: Request<Path>) => string {
  const once = database.transaction(work);
  return (request) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return once.immediate(request, body, signedBy(request as Request, body));
  };
}

const initiateOnce = inTransaction(initiate);
app.post('/v1/payments/:product', (request, response) => {
  response.status(201).set('x-request-id', request.headers['x-request-id']).type('json').send(initiateOnce(request));
});
for (const [path, work] of [
  ['/v1/accounts/:accountId/balances', balances],
  ['/v1/accounts/:accountId/transactions', transactions],
] as const) {
  const once = inTransaction<{ accountId: string }>((request, _body, tpp) => work(request, tpp));
  app.get(path, (request, response) => {
    response.set('x-request-id', request.headers['x-request-id']).type('json').send(once(request));
  });
}
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
