import { Buffer } from 'node:buffer';
import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import BetterSqlite3 from 'better-sqlite3';
import express from 'express';
import { creditTransferBody } from '../../api/interface/payments/payment-bodies.ts';

/*
 * A server that does by hand what a signed request asks for, with the same packages: it parses, checks digest and signature
 * with a cached key, validates the body with ajv, and reads or writes the same rows with prepared statements in one transaction.
 * It knows no rules, so that it is what a request costs at least. Arguments: a ledger file of a bank, of which it takes a copy into
 * memory, and what its clock shows, an instant in ms. Prints its address.
 */
const [ledger, clock] = process.argv.slice(2);
const now = Number(clock);
const msPerDay = 86_400_000;
const today = Math.floor(now / msPerDay);
const database = new BetterSqlite3(readFileSync(ledger));
database.defaultSafeIntegers(true);
database.pragma('foreign_keys = ON');

const statements = {
  seen: 'select answer from first_answer where tpp_id = ? and method = ? and path = ? and request_id = ?',
  state: 'update bank_state set clock_seen = ? returning *',
  customer: 'select * from customer where deleted_at is null and customer_number = ?',
  account: 'select * from account where closed_at is null and bban = ?',
  duplicate: `select p.resource_id from credit_transfer t join payment p on p.id = t.payment_id where t.debtor_account_id = ?
    and t.execution_date = ? and t.creditor_number = ? and t.amount_minor = ? and t.currency = ?`,
  payment: `insert into payment (customer_id, debtor_account_id, execution_date, initiated_at, resource_id, service, product, tpp_id,
    tpp_name, status, tpp_redirect_uri, tpp_session_id) values (?, ?, ?, ?, ?, 'payments', ?, ?, ?, 'RCVD', ?, ?) returning *`,
  initiation: 'insert into payment_initiation (payment_id, body) values (?, ?)',
  transfer: `insert into credit_transfer (payment_id, sequence, debtor_account_id, creditor_number, currency, amount_minor,
    execution_date) values (?, 0, ?, ?, ?, ?, ?)`,
  status: `insert into status_change (payment_id, status, at, wall, cause) values (?, 'RCVD', ?, ?, 'initiation')`,
  sca: `insert into sca (resource_id, purpose, payment_id, tpp_id, tpp_name, tpp_redirect_uri, tpp_session_id, customer_id, context,
    context_binds, created_at_wall) values (?, 'payment', ?, ?, ?, ?, ?, ?, ?, 1, ?)`,
  answer: `insert into first_answer (tpp_id, method, path, request_id, query, content, answer, payment_id)
    values (?, ?, ?, ?, ?, ?, ?, ?)`,
  consented: `select account.* from psu join consent on consent.psu_key = psu.id and consent.ended_at is null
      join consent_account on consent_account.consent_id = consent.id join account on account.id = consent_account.account_id
    where psu.tpp_id = ? and psu.psu_id = ? and account.resource_id = ? and account.closed_at is null`,
  pending: 'select sum(amount_minor) as minor from entry where account_id = ? and booking_day >= ? and booked_at > ?',
  booked: `select sum(amount_minor) as minor from entry where account_id = ? and booking_day >= ?
    and (booked_at > ?) is not true`,
  leaving: `select sum(amount_minor) as minor from execution
    where debtor_account_id = ? and (status = 'ACSP' or status = 'PDNG' or status = 'ACCP')`,
  coming: `select sum(amount_minor) as minor from execution
    where creditor_number in (?, ?) and (status = 'ACSP' or status = 'PDNG' or status = 'ACCP')`,
  transactions: `select entry.id, entry.amount_minor, entry.booking_date, entry.value_date, direct_posting.details,
      payment_initiation.body, holder.name, debtor.bban, debtor.iban
    from entry left join direct_posting on direct_posting.id = entry.direct_posting_id
      left join execution on execution.id = entry.execution_id
      left join payment_initiation on payment_initiation.payment_id = execution.payment_id
      left join account debtor on debtor.id = execution.debtor_account_id
      left join customer holder on holder.id = debtor.customer_id
    where entry.account_id = ? and entry.booking_day in (select distinct booking_day from entry where booking_day between ? and ?)
      and (direct_posting.kind = 'transaction' or entry.execution_id is not null)
    order by entry.booking_day desc, entry.id desc limit ? offset ?`,
};
const queries = Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, database.prepare(text)]));

const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(creditTransferBody);

const known = new Map();

function tppOf(certificate) {
  const found = known.get(certificate);
  if (found !== undefined) return found;
  const { publicKey: key, subject } = new X509Certificate(Buffer.from(certificate, 'base64'));
  const names = Object.fromEntries(subject.split('\n').map((line) => line.split('=')));
  const tpp = { key, id: names.organizationIdentifier, name: names.CN };
  known.set(certificate, tpp);
  return tpp;
}

/** The TPP that signed the request; throws when digest or signature do not fit. */
function signedBy({ method, originalUrl, headers }, body) {
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  if (body.length > 0 && headers.digest !== digest) throw new Error('the digest does not fit');
  const fields = new Map();
  for (const part of headers.signature.split('",')) {
    const at = part.indexOf('="');
    fields.set(part.slice(0, at), part.slice(at + 2).replace('"', ''));
  }
  const valueOf = (name) => (name === '(request-target)' ? `${method.toLowerCase()} ${originalUrl}` : headers[name]);
  const signed = fields
    .get('headers')
    .split(' ')
    .map((name) => `${name}: ${valueOf(name)}`);
  const tpp = tppOf(headers['tpp-signature-certificate']);
  const signature = Buffer.from(fields.get('signature'), 'base64');
  if (verify('RSA-SHA256', Buffer.from(signed.join('\n')), tpp.key, signature)) return tpp;
  throw new Error('the signature is wrong');
}

const idOf = () => `enc!!${randomBytes(31).toString('base64url')}`;

function initiate({ headers, path, params: { product } }, body, tpp) {
  const transfer = JSON.parse(body.toString());
  if (!validate(transfer)) throw new Error('the body is not valid');
  const call = [tpp.id, 'POST', path, headers['x-request-id']];
  const earlier = queries.seen.get(call);
  if (earlier !== undefined) return earlier.answer;
  queries.state.get(now);
  const psu = queries.customer.get(headers['x-psu-identity']);
  const debtor = queries.account.get(transfer.debtorAccount.bban);
  const creditor = queries.account.get(transfer.creditorAccount.bban);
  const { currency, amount } = transfer.instructedAmount;
  const minor = BigInt(amount.replace('.', ''));
  const number = creditor?.bban ?? transfer.creditorAccount.bban;
  const day = new Date(now).toISOString().slice(0, 10);
  if (queries.duplicate.get(debtor.id, day, number, minor, currency) !== undefined) throw new Error('a duplicate');
  const returnTo = [headers['tpp-redirect-uri'], headers['tpp-session-id']];
  const row = [psu.id, debtor.id, day, now, idOf(), product, tpp.id, tpp.name, ...returnTo];
  const { id, resource_id: paymentId } = queries.payment.get(row);
  queries.initiation.run(id, JSON.stringify(transfer));
  queries.transfer.run(id, debtor.id, number, currency, minor, day);
  queries.status.run(id, now, now);
  const sca = randomBytes(24).toString('base64url');
  queries.sca.run(sca, id, tpp.id, tpp.name, ...returnTo, psu.id, headers['psu-context'], now);
  const self = `/v1/payments/${product}/${paymentId}`;
  const answer = JSON.stringify({
    paymentId,
    transactionStatus: 'RCVD',
    transactionFees: { amount: '0.00', currency: 'NOK' },
    transactionFeeIndicator: false,
    _links: {
      self: { href: self, verbs: ['GET', 'DELETE'] },
      status: { href: `${self}/status`, verbs: ['GET'] },
      startAuthorisation: { href: `${self}/authorisations`, verbs: ['POST'] },
      scaRedirect: { href: `http://${headers.host}/sca/${sca}`, verbs: ['GET'] },
    },
  });
  queries.answer.run(call, '', createHash('sha256').update(body).digest('base64'), answer, id);
  return answer;
}

function accountOf({ headers, params }, tpp) {
  const account = queries.consented.get(tpp.id, headers['psu-id'], params.accountId);
  if (account === undefined) throw new Error('no consent');
  return account;
}

/** Of minor units, as a decimal string. */
const amountOf = (minor) =>
  `${minor / 100n}.${String(minor % 100n)
    .replace('-', '')
    .padStart(2, '0')}`;

function balances(request, _body, tpp) {
  const { id, bban, iban, currency, balance_minor: posted, credit_line_minor: credit } = accountOf(request, tpp);
  const sumOf = (query, ...values) => query.get(...values).minor ?? 0n;
  const booked = posted - sumOf(queries.pending, id, today, now);
  const all = {
    openingBooked: booked - sumOf(queries.booked, id, today, now),
    interimBooked: booked,
    interimAvailable: posted + credit,
    expected: posted + sumOf(queries.coming, bban, iban) - sumOf(queries.leaving, id),
  };
  const balanceOf = ([balanceType, minor]) => ({ balanceAmount: { amount: amountOf(minor), currency }, balanceType });
  return JSON.stringify({
    account: { bban, iban, currency },
    balances: Object.entries(all).map(balanceOf),
    _links: { self: { href: `/v1/accounts/${request.params.accountId}/balances`, verbs: ['GET'] } },
  });
}

function transactions(request, _body, tpp) {
  const { id, bban, iban, currency } = accountOf(request, tpp);
  const { limit, offset = 0 } = request.query;
  const booked = queries.transactions.all(id, today - 90, today, Number(limit), Number(offset)).map((row) => ({
    transactionId: String(row.id),
    bookingDate: row.booking_date,
    valueDate: row.value_date,
    transactionAmount: { amount: amountOf(row.amount_minor), currency },
    ...JSON.parse(row.body ?? row.details ?? '{}'),
  }));
  const self = `/v1/accounts/${request.params.accountId}/transactions`;
  return JSON.stringify({
    account: { bban, iban },
    transactions: { booked, pending: [], _links: { self: { href: self, verbs: ['GET'] } } },
  });
}

const app = express().disable('x-powered-by').disable('etag');
app.use(express.raw({ type: () => true, limit: 256 * 1024 }));

/** Checks the signature, does the work in one transaction, and answers with its text. */
function answering(status, work) {
  const once = database.transaction(work);
  return (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const text = once.immediate(request, body, signedBy(request, body));
    response.status(status).set('x-request-id', request.headers['x-request-id']).type('json').send(text);
  };
}

app.post('/v1/payments/:product', answering(201, initiate));
app.get('/v1/accounts/:accountId/balances', answering(200, balances));
app.get('/v1/accounts/:accountId/transactions', answering(200, transactions));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
