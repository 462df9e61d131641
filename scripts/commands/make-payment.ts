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
  readonly months?: readonly (number | string)[] | undefined;
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
type PaymentAnswer = AnswerTo<'GET /payments/:paymentId'>;

interface Links {
  readonly scaRedirect?: { readonly href: string };
  readonly startAuthorisation?: { readonly href: string };
}

interface Initiated {
  readonly paymentId: string;
  readonly _links: Links;
}

/** The throw-away TPP of the unsigned door. */
const tpp = '/as/pay';

/** How many days the five attempts take at most, with one run on a banking day. */
const attemptsTake = 14;

/** Initiates an order, has it signed, and asks the forecast. Throws a CommandFailed with the refusal of the bank. */
export async function makePayment(client: ControlPlaneClient, order: Order) {
  const { psus: all, clock } = await client.ask('GET /info', 'psus');
  const from = await withOwner(client, accountIn(all, 'from', order.from));
  const to = await withOwner(client, accountIn(all, 'to', order.to, from.owner));
  const { amount, kid = null, every = null, allowDuplicate = false } = order;
  const path = `/v1/${every === null ? 'payments' : 'periodic-payments'}/norwegian-domestic-credit-transfers`;
  const signers = whoSigns(all, from.number, order.psus ?? []);
  const [{ psu, approval }] = signers;
  const initiated = await client.post<Initiated>(
    `${tpp}${path}${allowDuplicate ? '?allowLogicalDuplicate=true' : ''}`,
    'paymentId',
    bodyOf(order, from.number, to, clock.date),
    {
      'x-psu-identity': psu,
      'psu-context': approval.context,
      ...(every !== null && { 'tpp-session-id': randomIds.uuid(), 'x-accept-fix': 'none' }),
    },
  );
  const signed = await sign(client, initiated, signers);
  const { paymentId, status, occurrences } = await paymentOf(client, initiated.paymentId);
  const [next] = occurrences;
  return {
    /** As the control plane shows it. */
    paymentId,
    /** The one that a TPP sees under /v1; left out: the same (rules.md Q3). */
    ...(paymentId !== initiated.paymentId && { wirePaymentId: initiated.paymentId }),
    status,
    amount,
    from,
    to,
    kid,
    every,
    /** Who signed. */
    psus: signed,
    /** For a standing order the date of its first payment; null: nothing is left to pay. */
    executionDate: next?.executionDate ?? null,
    ...(await forecastOf(client, paymentId, next)),
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

/** The body. JSON leaves out what is undefined. */
function bodyOf(
  { amount, kid, every, on, until, months }: Order,
  from: string,
  to: PaymentAccount,
  today: string,
): object {
  const standing = { frequency: every, startDate: on ?? today, endDate: until, monthsOfExecution: months };
  return {
    instructedAmount: { amount, currency: 'NOK' },
    debtorAccount: accountReference('NOK', from),
    creditorAccount: accountReference('NOK', to.number),
    // A customer of the sandbox may have a longer name than a payment can carry.
    creditorName: Array.from(to.owner ?? 'Payee')
      .slice(0, 70)
      .join(''),
    remittanceInformationStructuredArray: kid === undefined ? undefined : [{ reference: kid, referenceType: 'SCOR' }],
    ...(every === undefined ? { requestedExecutionDate: on } : standing),
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

/** What the runs will do with the next payment, by the forecast. */
async function forecastOf(
  client: ControlPlaneClient,
  paymentId: string,
  next: PaymentAnswer['occurrences'][number] | undefined,
) {
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
