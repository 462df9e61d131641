import type { Frequency } from '../../engine/time/rules/occurrences.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import { isNumberOf } from '../../api/bodies/signers.ts';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import { CommandFailed } from '../cli/command.ts';
import type { ControlPlaneClient } from '../cli/control-plane-client.ts';

/** A payment to make, in NOK. What is left out is left to the bank, or to the defaults. */
export interface Order {
  /** With two decimals. */
  readonly amount: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Of a single payment. */
  readonly kid?: string | undefined;
  /** Left out: a single payment. */
  readonly every?: Frequency | undefined;
  readonly on?: string | undefined;
  readonly until?: string | undefined;
  readonly dayOfExecution?: string | undefined;
  readonly monthsOfExecution?: readonly (number | string)[] | undefined;
  readonly executionRule?: string | undefined;
  /** Who signs; none: those who usually do. */
  readonly psus?: readonly string[];
  readonly allowDuplicate?: boolean;
}

/** An account of a payment; name and owner are null where /sandbox/info has none. */
interface PaymentAccount {
  readonly number: string;
  readonly name: string | null;
  readonly owner: string | null;
  readonly isDefault: boolean;
}

/** The payment that was made, as `pay --json` prints it. */
export type PaymentMade = Awaited<ReturnType<typeof makePayment>>;

type Psu = AnswerTo<'GET /info'>['psus'][number];
type Occurrence = AnswerTo<'GET /payments/:paymentId'>['occurrences'][number];

/** How many days the five attempts take at most, with one run on a banking day. */
const attemptsTake = 14;

/** Has the bank initiate and sign an order, and asks the forecast. Throws a CommandFailed with the refusal of the bank. */
export async function makePayment(client: ControlPlaneClient, order: Order) {
  const { psus: all } = await client.ask('GET /info', 'psus');
  const from = await withOwner(client, accountIn(all, 'from', order.from));
  const to = await withOwner(client, accountIn(all, 'to', order.to, from.owner));
  const { psus = [], ...wanted } = order;
  const body = {
    ...wanted,
    from: from.number,
    to: to.number,
    // A customer of the sandbox may have a longer name than a payment can carry.
    ...(to.owner !== null && { creditorName: Array.from(to.owner).slice(0, 70).join('') }),
    ...(psus.length > 0 && { sign: psus }),
  };
  const { payment, scas, refusal } = await client.ask('POST /payments', 'told', { body });
  if (payment === null) throw client.refused(refusal ?? { status: 0, tppMessages: [] });
  const { paymentId, wirePaymentId, status, occurrences } = payment;
  const asked = scas.flatMap(({ psu }) => psu ?? []);
  if (refusal !== null) {
    const [{ code, text } = { code: '', text: '' }] = refusal.tppMessages;
    throw new CommandFailed(`${asked.at(-1) ?? 'nobody'} could not sign ${paymentId}: ${code}: ${text}`);
  }
  if (status === 'PATC')
    throw new CommandFailed(
      `${paymentId} needs more signatures than those of ${asked.join(', ')}: name all with --psu`,
    );
  const [next] = occurrences;
  return {
    /** As the control plane shows it. */
    paymentId,
    /** The one that a TPP sees under /v1; left out: the same (rules.md Q3). */
    ...(wirePaymentId !== undefined && { wirePaymentId }),
    status,
    amount: order.amount,
    from,
    to,
    kid: order.kid ?? null,
    every: order.every ?? null,
    /** Who signed. */
    psus: asked,
    /** For a standing order the date of its first payment; null: nothing is left to pay. */
    executionDate: next?.executionDate ?? null,
    ...(await forecastOf(client, paymentId, next)),
  };
}

/** The same account with the name of its owner, where it is one of a company: /sandbox/info names its agreement only. */
async function withOwner(client: ControlPlaneClient, account: PaymentAccount): Promise<PaymentAccount> {
  if (account.name === null || account.owner !== null) return account;
  const { owner } = await client.ask('GET /accounts/:number', 'owner', { params: { number: account.number } });
  return { ...account, owner: owner.name };
}

/** The account of that number; without one the first NOK account of a PSU other than `apartFrom`. */
function accountIn(
  psus: readonly Psu[],
  flag: string,
  number: string | undefined,
  apartFrom: string | null = null,
): PaymentAccount {
  const held = psus.flatMap(({ name: owner, accounts }) => accounts.map((account) => ({ owner, ...account })));
  const shared = psus.flatMap(({ engagements }) =>
    engagements.map(({ account }) => ({ owner: null, currency: '', ...account })),
  );
  const found =
    number === undefined
      ? held.find(({ owner, currency, bban }) => owner !== apartFrom && currency === 'NOK' && bban !== null)
      : [...held, ...shared].find((account) => isNumberOf(number, account));
  if (number === undefined && found === undefined) {
    throw new CommandFailed(`/sandbox/info has no NOK account to take: give --${flag}`);
  }
  const { name = null, owner = null } = found ?? {};
  return { number: number ?? found?.bban ?? '', name, owner, isDefault: number === undefined };
}

/** What the runs will do with the next payment, by the forecast. */
async function forecastOf(client: ControlPlaneClient, paymentId: string, next: Occurrence | undefined) {
  const told = (attempts: readonly Attempt[], noForecast: string | null) => ({
    /** The run that settles it; null: none does, or there is no forecast. */
    settlesAt: attempts.find(({ outcome }) => outcome === 'settle')?.at ?? null,
    /** The attempts of the first payment. */
    attempts,
    /** Why there is no forecast; null: there is one. */
    noForecast,
  });
  if (next === undefined) return told([], null);
  try {
    const query = { to: addDays(localDate(next.executionDate), attemptsTake) };
    const { executions } = await client.ask('GET /forecast', 'executions', { query });
    const own = executions.filter(
      ({ paymentId: id, nominalDate: nominal = next.nominalDate }) => id === paymentId && nominal === next.nominalDate,
    );
    return told(
      own.map(({ run, outcome, reason }) => ({ at: run.at, outcome, reason })),
      null,
    );
  } catch (error) {
    // The payment is made all the same.
    if (error instanceof CommandFailed) return told([], error.message.split('\n')[0] ?? '');
    throw error;
  }
}

interface Attempt {
  readonly at: string;
  readonly outcome: string;
  readonly reason: string;
}
