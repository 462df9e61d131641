// Pays 250 kroner in a bank of its own, and lets time pass until the payment has settled. Needs Node 20 or newer, and no package.
import { randomUUID } from 'node:crypto';

const server = process.env.BANK ?? 'http://127.0.0.1:8080';
const psu = '13039319955';

/** Sends JSON and returns the answer; throws if the bank refuses. */
async function call(method, address, body, headers = {}) {
  const answer = await fetch(address, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

const name = `client-${randomUUID().slice(0, 8)}`;
await call('POST', `${server}/sandbox/banks`, { name, now: '2027-03-24T12:00:00+01:00', mode: 'frozen' });
try {
  const bank = `${server}/banks/${name}`;
  // The bank signs plain requests below /sandbox/as/{tpp}, as the TPP of that name.
  const tpp = `${bank}/sandbox/as/client`;
  const order = {
    instructedAmount: { amount: '250.00', currency: 'NOK' },
    debtorAccount: { bban: '09232911044', currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Company 123',
  };
  const payments = `${tpp}/v1/payments/norwegian-domestic-credit-transfers`;
  const payment = await call('POST', payments, order, { 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE' });
  console.log(`Initiated ${payment.paymentId}: ${payment.transactionStatus}`);

  // A person would open this link in a browser; a program signs in one call.
  const page = payment._links.scaRedirect.href;
  console.log(`The page to sign on: ${page}`);
  const sca = new URL(page).pathname.split('/').at(-1);
  await call('POST', `${bank}/sandbox/sca/${sca}`, { outcome: 'approve', psu, context: 'PRIVATE' });

  const until = { paymentId: payment.paymentId, status: 'ACSC' };
  const { from, to, reached } = await call('POST', `${bank}/sandbox/clock/advance`, { until });
  const { transactionStatus } = await call('GET', `${payments}/${payment.paymentId}/status`);
  console.log(`From ${from} to ${to}: ${transactionStatus}`);
  if (!reached) process.exitCode = 1;
} finally {
  await call('DELETE', `${server}/sandbox/banks/${name}`);
}
