import type { Frequency } from '../../engine/time/rules/occurrences.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import {
  accountReference,
  isNumberOf,
  type Signer,
  signerInPrivate,
  signerNamed,
  signersOf,
} from '../../api/bodies/signers.ts';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import { CommandFailed } from '../cli/command.ts';
import type { ControlPlaneClient } from '../cli/control-plane-client.ts';

/** A payment to make, in NOK; null is left to the bank, or to the defaults. */
export interface Order {
  /** With two decimals. */
  readonly amount: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Of a single payment. */
  readonly kid: string | null;
  /** Null: a single payment. */
  readonly every: Frequency | null;
  readonly on: string | null;
  readonly until: string | null;
  readonly months: readonly (number | string)[] | null;
  /** Who signs; empty: those who usually do. */
  readonly psus: readonly string[];
  readonly allowDuplicate: boolean;
}

/** An account of a payment; name and owner are null where /sandbox/info has none. */
interface PaymentAccount {
  readonly number: string;
  readonly name: string | null;
  readonly owner: string | null;
  readonly isDefault: boolean;
}

/** The payment that was made, as `pay --json` prints it. */
export interface PaymentMade {
  /** As the control plane shows it. */
  readonly paymentId: string;
  /** The one that a TPP sees under /v1; left out: the same (rules.md Q3). */
  readonly wirePaymentId?: string;
  readonly status: string;
  readonly amount: string;
  readonly from: PaymentAccount;
  readonly to: PaymentAccount;
  readonly kid: string | null;
  readonly every: Frequency | null;
  /** Who signed. */
  readonly psus: readonly string[];
  /** For a standing order the date of its first payment; null: nothing is left to pay. */
  readonly executionDate: string | null;
  /** The run that settles it, by the forecast; null: none does, or there is no forecast. */
  readonly settlesAt: string | null;
  /** The attempts of the first payment, by the forecast. */
  readonly attempts: readonly { readonly at: string; readonly outcome: string; readonly reason: string }[];
  /** Why there is no forecast; null: there is one. */
  readonly noForecast: string | null;
}

type Psu = AnswerTo<'GET /info'>['psus'][number];
type PaymentAnswer = AnswerTo<'GET /payments/:paymentId'>;

interface Links {
  readonly scaRedirect?: { readonly href: string };
  readonly startAuthorisation?: { readonly href: string };
}

interface Initiated {
  readonly paymentId: string;
  readonly _links: Links;
}

type Forecast = Pick<PaymentMade, 'settlesAt' | 'attempts' | 'noForecast'>;

/** The throw-away TPP of the unsigned door. */
const tpp = '/as/pay';

/** How many days the five attempts take at most, with one run on a banking day. */
const attemptsTake = 14;

/** Initiates an order, has it signed, and asks the forecast. Throws a CommandFailed with the refusal of the bank. */
export async function makePayment(client: ControlPlaneClient, order: Order): Promise<PaymentMade> {
  const { psus: all, clock } = await client.ask('GET /info', 'psus');
  const from = await withOwner(client, accountIn(all, 'from', order.from));
  const to = await withOwner(client, accountIn(all, 'to', order.to, from.owner));
  const path = `/v1/${order.every === null ? 'payments' : 'periodic-payments'}/norwegian-domestic-credit-transfers`;
  const signers = whoSigns(all, from.number, order.psus);
  const [{ psu, approval }] = signers;
  const initiated = await client.post<Initiated>(
    `${tpp}${path}${order.allowDuplicate ? '?allowLogicalDuplicate=true' : ''}`,
    'paymentId',
    bodyOf(order, from.number, to, clock.date),
    {
      'x-psu-identity': psu,
      'psu-context': approval.context,
      ...(order.every !== null && { 'tpp-session-id': randomIds.uuid(), 'x-accept-fix': 'none' }),
    },
  );
  const signed = await sign(client, initiated, signers);
  const { paymentId, status, occurrences } = await paymentOf(client, initiated.paymentId);
  const [next] = occurrences;
  const executionDate = next?.executionDate ?? null;
  const forecast = await forecastOf(client, paymentId, next);
  return {
    paymentId,
    ...(paymentId !== initiated.paymentId && { wirePaymentId: initiated.paymentId }),
    status,
    amount: order.amount,
    from,
    to,
    kid: order.kid,
    every: order.every,
    psus: signed,
    executionDate,
    ...forecast,
  };
}

function paymentOf(client: ControlPlaneClient, paymentId: string): Promise<PaymentAnswer> {
  return client.ask('GET /payments/:paymentId', 'occurrences', { params: { paymentId } });
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
  number: string | null,
  apartFrom: string | null = null,
): PaymentAccount {
  const held = psus.flatMap(({ name: owner, accounts }) => accounts.map((account) => ({ owner, ...account })));
  const shared = psus.flatMap(({ engagements }) =>
    engagements.map(({ account }) => ({ owner: null, currency: '', ...account })),
  );
  const found =
    number === null
      ? held.find(({ owner, currency, bban }) => owner !== apartFrom && currency === 'NOK' && bban !== null)
      : [...held, ...shared].find((account) => isNumberOf(number, account));
  if (number === null && found === undefined) {
    throw new CommandFailed(`/sandbox/info has no NOK account to take: give --${flag}`);
  }
  const { name = null, owner = null } = found ?? {};
  return { number: number ?? found?.bban ?? '', name, owner, isDefault: number === null };
}

/**
 * Who signs: those named, else who usually does. For an account that /sandbox/info does not list the first PSU, so that the
 * bank says what is wrong.
 */
function whoSigns(psus: readonly Psu[], from: string, named: readonly string[]): [Signer, ...Signer[]] {
  const usual = signersOf(psus, from);
  const wanted = named.map((psu) => signerNamed(usual, psu));
  const anybody = psus.slice(0, 1).map(({ customerNumber }) => signerInPrivate(customerNumber));
  const [first, ...others] = [wanted, usual, anybody].find(({ length }) => length > 0) ?? [];
  if (first === undefined) throw new CommandFailed('/sandbox/info has nobody to sign: give --psu');
  return [first, ...others];
}

function bodyOf(
  { amount, kid, every, on, until, months }: Order,
  from: string,
  to: PaymentAccount,
  today: string,
): object {
  const single = { ...(on !== null && { requestedExecutionDate: on }) };
  const reference = kid !== null && {
    remittanceInformationStructuredArray: [{ reference: kid, referenceType: 'SCOR' }],
  };
  const standing = {
    frequency: every,
    startDate: on ?? today,
    ...(until !== null && { endDate: until }),
    ...(months !== null && { monthsOfExecution: months }),
  };
  return {
    instructedAmount: { amount, currency: 'NOK' },
    debtorAccount: accountReference('NOK', from),
    creditorAccount: accountReference('NOK', to.number),
    // A customer of the sandbox may have a longer name than a payment can carry.
    creditorName: Array.from(to.owner ?? 'Payee')
      .slice(0, 70)
      .join(''),
    ...reference,
    ...(every === null ? single : standing),
  };
}

/** Has PSUs sign until no signature is missing. Returns who signed; an empty list if the bank asked for no SCA. */
async function sign(
  client: ControlPlaneClient,
  { paymentId, _links: { scaRedirect: opened, startAuthorisation } }: Initiated,
  signers: readonly Signer[],
): Promise<string[]> {
  if (opened === undefined) return [];
  let page: string | undefined = opened.href;
  const signed: string[] = [];
  for (const { psu, approval } of signers) {
    page ??= await startedAgain(client, startAuthorisation?.href ?? '');
    const scaId = /\/sca\/([^/?#]+)/.exec(page)?.[1] ?? '';
    const approved = { outcome: 'approve', psu, ...approval };
    const { redirect } = await client.ask('POST /sca/:scaId', 'redirect', { params: { scaId }, body: approved });
    const failure = new URL(redirect).searchParams;
    if (failure.has('code')) {
      const why = `${failure.get('code') ?? ''}: ${failure.get('message') ?? ''}`;
      throw new CommandFailed(`${psu} could not sign ${paymentId}: ${why}`);
    }
    signed.push(psu);
    if ((await paymentOf(client, paymentId)).status !== 'PATC') return signed;
    page = undefined;
  }
  throw new CommandFailed(`${paymentId} needs more signatures than those of ${signed.join(', ')}: name all with --psu`);
}

async function startedAgain(client: ControlPlaneClient, address: string): Promise<string> {
  const { _links: links } = await client.post<{ _links: Links }>(tpp + address, '_links');
  return links.scaRedirect?.href ?? '';
}

/** What the runs will do with the next payment. */
async function forecastOf(
  client: ControlPlaneClient,
  paymentId: string,
  next: PaymentAnswer['occurrences'][number] | undefined,
): Promise<Forecast> {
  const none = { settlesAt: null, attempts: [], noForecast: null };
  if (next === undefined) return none;
  try {
    const query = { to: addDays(localDate(next.executionDate), attemptsTake) };
    const { executions } = await client.ask('GET /forecast', 'executions', { query });
    const attempts = executions
      .filter(
        ({ paymentId: id, nominalDate: nominal = next.nominalDate }) =>
          id === paymentId && nominal === next.nominalDate,
      )
      .map(({ run, outcome, reason }) => ({ at: run.at, outcome, reason }));
    return { ...none, attempts, settlesAt: attempts.find(({ outcome }) => outcome === 'settle')?.at ?? null };
  } catch (error) {
    // The payment is made all the same.
    if (error instanceof CommandFailed) return { ...none, noForecast: error.message.split('\n')[0] ?? '' };
    throw error;
  }
}
