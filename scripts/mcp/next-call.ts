import type { AnswerTo } from '../../api/openapi/calls.ts';
import { authorisationsOf, throwAwayName } from '../../api/control/payments/door-payment.ts';
import { CommandFailed } from '../cli/command.ts';
import { lacksFunds, stepOf } from '../../api/causes/next-step.ts';
import { accountAt, amountAt, textAt } from '../../api/bodies/rule.ts';
import { daysOfAttempts } from '../../engine/settlement/rules/decide-attempts.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import { isFinal } from '../../engine/values/transaction-status.ts';
import type { Desk } from './desk.ts';

/**
 * What ids, numbers, amounts and addresses consist of. The next step stands outside the data, where a server could say
 * anything.
 */
const plainValue = /^[\w!=.,:/@%+~[\]-]{1,200}$/;

/**
 * A call of a tool as an answer names it: `advance {"runs":1}`. A text that is no {@link plainValue} is left to the
 * data.
 */
export function step(tool: string, given: object): string {
  const shown = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && !plainValue.test(value) ? 'as in the data' : value;
  return `${tool} ${JSON.stringify(given, shown)}`;
}

type Payment = AnswerTo<'GET /payments/:paymentId'>;

/** The call that makes the next step of a payment, and why (C24). The desk remembers the payment. */
export async function nextOf(desk: Desk, payment: Payment): Promise<string> {
  const { client } = desk;
  const { paymentId, initiation, occurrences } = payment;
  desk.paymentId = paymentId;
  const { act, text } = stepOf(payment);
  const [from, to] = [accountAt(initiation, 'debtorAccount'), accountAt(initiation, 'creditorAccount')];
  const amount = amountAt(initiation, 'instructedAmount')?.amount;
  // A return is told in words of the server.
  const said = payment.returns.length > 0 ? 'The data tells its return.' : text;
  if (act === 'none') return `done: ${said} forecast {"to":"P30D"} looks ahead`;
  if (act === 'pay') return `${step('pay', { amount, from, to })}: ${text}`;
  if (act === 'sign') {
    const open = await openScaOf(client, paymentId);
    return `${open === undefined ? step('open_scas', { paymentId }) : signing(open)}: ${text}`;
  }
  const next = occurrences.find(({ status }) => status === 'planned' || !isFinal(status));
  const last = next === undefined ? undefined : await lastAttempt(client, paymentId, next);
  const isRejected = last?.outcome === 'reject' && amount !== undefined;
  // Another account is paid: money does not help.
  if (isRejected && (!lacksFunds(last) || next?.rejection !== undefined || payment.creditorClosed === true))
    return `${step('pay', { amount, from })}: no run will settle it; forecast {"to":"P30D"} says why.`;
  if (isRejected) {
    const currency = textAt(initiation, 'debtorAccount', 'currency') ?? 'NOK';
    return `${step('top_up', { number: from, amount: { amount, currency } })}: no run will settle it as things are.`;
  }
  return `${step('advance', { until: { paymentId, status: 'ACSC' } })}: ${text}`;
}

/** The last attempt of an execution by the forecast, which settles it or ends it. */
async function lastAttempt(client: Desk['client'], paymentId: string, of: Payment['occurrences'][number]) {
  const query = { to: addDays(localDate(of.executionDate), daysOfAttempts) };
  // Beyond the years of a forecast nothing is known.
  const asked = client.ask('GET /forecast', 'executions', { query }).catch(() => null);
  return (await asked)?.executions.findLast(
    (each) => each.paymentId === paymentId && (each.nominalDate ?? of.nominalDate) === of.nominalDate,
  );
}

type OpenSca = AnswerTo<'GET /sca'>['scas'][number];

async function openScaOf(client: Desk['client'], paymentId: string): Promise<OpenSca | undefined> {
  const { scas } = await client.ask('GET /sca', 'scas');
  return scas.find(({ payments, purpose }) => payments.includes(paymentId) && purpose !== 'cancellation');
}

/**
 * Starts an SCA for a payment of a TPP of the unsigned door, if none is open. Throws a CommandFailed for a payment of
 * another TPP.
 */
export async function startSca(client: Desk['client'], paymentId: string): Promise<void> {
  if ((await openScaOf(client, paymentId)) !== undefined) return;
  const payment = await client.ask('GET /payments/:paymentId', 'occurrences', { params: { paymentId } });
  const name = throwAwayName(payment);
  if (name === null)
    throw new CommandFailed('Only the TPP of the payment starts an SCA for it: do so with your client.');
  await client.atDoor(`/as/${name}${authorisationsOf(payment)}`);
}

/** The call in which the first of those who may sign approves. */
export function signing({ id: scaId, signers }: OpenSca): string {
  const [signer] = signers ?? [];
  const [as] = signer?.as ?? [];
  const approval = { psu: signer?.number ?? 'PSU', context: as?.context ?? 'PRIVATE', agreement: as?.agreement?.id };
  return step('sign', { scaId, outcome: 'approve', ...approval });
}
