import { daysOfAttempts } from '../../engine/settlement/rules/settlement.ts';
import type { Frequency } from '../../engine/time/rules/occurrences.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
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
  /** The default is a single payment. */
  readonly every?: Frequency | undefined;
  readonly on?: string | undefined;
  readonly until?: string | undefined;
  readonly dayOfExecution?: string | undefined;
  readonly monthsOfExecution?: readonly (number | string)[] | undefined;
  readonly executionRule?: string | undefined;
  /** Who signs. Without names, those who usually do. */
  readonly psus?: readonly string[];
  readonly allowDuplicate?: boolean;
}

/** An account of a payment; name and owner are null where the bank does not have it. */
interface PaymentAccount {
  readonly number: string;
  readonly name: string | null;
  readonly owner: string | null;
  readonly isDefault: boolean;
}

/** The payment that was made, as `pay --json` prints it. */
export type PaymentMade = Awaited<ReturnType<typeof makePayment>>;

type Account = AnswerTo<'GET /accounts'>['accounts'][number];
type Occurrence = AnswerTo<'GET /payments/:paymentId'>['occurrences'][number];

/** Has the bank initiate and sign an order, and asks the forecast. Throws a CommandFailed with the refusal of the bank. */
export async function makePayment(client: ControlPlaneClient, order: Order) {
  const { accounts } = await client.ask('GET /accounts', 'accounts');
  const from = accountIn(accounts, 'from', order.from);
  const to = accountIn(accounts, 'to', order.to, from.owner);
  const { psus = [], ...wanted } = order;
  const body = {
    ...wanted,
    from: from.number,
    to: to.number,
    // A customer of the sandbox may have a longer name than a payment can carry.
    ...(to.owner !== null && { creditorName: Array.from(to.owner).slice(0, 70).join('') }),
    ...(psus.length > 0 && { sign: psus }),
  };
  const { payment, scas, refusal, struck } = await client.ask('POST /payments', 'told', { body });
  if (struck !== null) throw new CommandFailed(payment === null ? struck : `${struck} Its id is ${payment.paymentId}.`);
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
    /** The one that a TPP sees under /v1, if it is another (rules.md Q3). */
    ...(wirePaymentId !== undefined && { wirePaymentId }),
    status,
    amount: order.amount,
    from,
    to,
    kid: order.kid ?? null,
    every: order.every ?? null,
    /** Who signed. */
    psus: asked,
    /** For a standing order the date of its first payment. Null if nothing is left to pay. */
    executionDate: next?.executionDate ?? null,
    ...(await forecastOf(client, paymentId, next)),
  };
}

/** The account of that number; without one the first NOK account of an owner other than `apartFrom`. */
function accountIn(
  all: readonly Account[],
  flag: string,
  asked: string | undefined,
  apartFrom: string | null = null,
): PaymentAccount {
  const isWanted = ({ number, iban, owner, currency }: Account): boolean =>
    asked === undefined ? currency === 'NOK' && owner.name !== apartFrom : asked === number || asked === iban;
  const found = all.find(isWanted);
  const number = asked ?? found?.number;
  if (number === undefined) throw new CommandFailed(`the bank has no NOK account to take: give --${flag}`);
  return { number, name: found?.name ?? null, owner: found?.owner.name ?? null, isDefault: asked === undefined };
}

/** What the runs will do with the next payment, by the forecast. */
export async function forecastOf(client: ControlPlaneClient, paymentId: string, next: Occurrence | undefined) {
  const { attempts, noForecast } = next === undefined ? nothingLeft : await attemptsOf(client, paymentId, next);
  return {
    /** The run that settles it, if one does and there is a forecast. */
    settlesAt: attempts.find(({ outcome }) => outcome === 'settle')?.at ?? null,
    /** The attempts of the first payment. */
    attempts,
    /** Why there is no forecast. */
    noForecast,
  };
}

interface Attempts {
  readonly attempts: readonly ({ readonly at: string } & Pick<
    AnswerTo<'GET /forecast'>['executions'][number],
    'outcome' | 'reason' | 'available' | 'needed'
  >)[];
  readonly noForecast: string | null;
}

const nothingLeft: Attempts = { attempts: [], noForecast: null };

async function attemptsOf(
  client: ControlPlaneClient,
  paymentId: string,
  { executionDate, nominalDate }: Occurrence,
): Promise<Attempts> {
  try {
    const query = { to: addDays(localDate(executionDate), daysOfAttempts) };
    const { executions } = await client.ask('GET /forecast', 'executions', { query });
    const own = executions.filter(
      (each) => each.paymentId === paymentId && (each.nominalDate ?? nominalDate) === nominalDate,
    );
    const attempts = own.map(({ run, outcome, reason, available, needed }) => ({
      ...{ at: run.at, outcome, reason, available, needed },
    }));
    return { attempts, noForecast: null };
  } catch (error) {
    // The payment is made all the same.
    if (error instanceof CommandFailed) return { attempts: [], noForecast: error.message.split('\n')[0] ?? '' };
    throw error;
  }
}
