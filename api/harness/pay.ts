import type { Bank } from '../../engine/bank.ts';
import { listPsus } from '../../engine/sandbox-data/psus.ts';
import { findAccount } from './account-state.ts';
import type { Approval, PaymentOrder, Psu, ScaRedirect, SendOptions, Tpp } from './types.ts';

interface Signer {
  readonly psu: string;
  readonly approval: Approval;
}

/** Initiates the order in NOK and has PSUs sign until no signature is missing. Returns the paymentId; throws an Error if refused. */
export async function pay(
  bank: Bank,
  tpp: Pick<Tpp, 'fetch'>,
  psuOf: (customerNumber: string) => Psu,
  order: PaymentOrder,
): Promise<string> {
  const signers = await signersOf(bank, order);
  const service = order.every === undefined ? 'payments' : 'periodic-payments';
  const path = `/v1/${service}/norwegian-domestic-credit-transfers`;
  const [first] = signers;
  if (first === undefined) throw new Error('signedBy names nobody. Leave it out for those who usually sign.');
  const headers = { 'x-psu-identity': first.psu, 'psu-context': first.approval.context ?? 'PRIVATE' };
  const { paymentId, _links: links } = await post<Initiated>(tpp, path, { headers, body: bodyOf(order) });
  let scaRedirect: ScaRedirect | undefined = links.scaRedirect;
  // Exempt from SCA (rules.md A5): no signature is needed.
  if (scaRedirect === undefined) return paymentId;
  for (const { psu, approval } of signers) {
    scaRedirect ??= await startedAgain(tpp, links.startAuthorisation);
    requireSigned(psu, await psuOf(psu).approve(scaRedirect, approval));
    scaRedirect = undefined;
    const answer = await tpp.fetch(`${path}/${paymentId}/status`);
    const { transactionStatus } = (await answer.json()) as { readonly transactionStatus?: string };
    if (transactionStatus !== 'PATC') return paymentId;
  }
  const all = signers.map(({ psu }) => psu).join(', ');
  throw new Error(`The payment ${paymentId} needs more signatures than those of ${all}. Name who signs in signedBy.`);
}

interface Initiated {
  readonly paymentId: string;
  readonly _links: {
    readonly scaRedirect?: { readonly href: string };
    readonly startAuthorisation?: { readonly href: string };
  };
}

/** Throws if the redirect reports a failed signature (rules.md A2). */
function requireSigned(psu: string, { searchParams }: URL): void {
  const code = searchParams.get('code');
  if (code !== null) throw new Error(`The PSU ${psu} could not sign: ${code} ${searchParams.get('message') ?? ''}`);
}

async function startedAgain(
  tpp: Pick<Tpp, 'fetch'>,
  link: { readonly href: string } | undefined,
): Promise<ScaRedirect> {
  if (link === undefined) throw new Error('The bank offers no authorisation of this payment.');
  const started = await post<Initiated>(tpp, link.href, {});
  if (started._links.scaRedirect === undefined) throw new Error('The bank offers no page to sign this payment on.');
  return started._links.scaRedirect;
}

async function post<Answer>(tpp: Pick<Tpp, 'fetch'>, path: string, sent: SendOptions): Promise<Answer> {
  const answer = await tpp.fetch(path, { ...sent, method: 'POST' });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as Answer;
  const { tppMessages = [] } = JSON.parse(text) as {
    readonly tppMessages?: readonly { readonly code: string; readonly path?: string; readonly text?: string }[];
  };
  const faults = tppMessages.map(({ code, path: where, text: why = '' }) =>
    [code, where, why].filter(Boolean).join(' '),
  );
  throw new Error(`The payment was refused, ${answer.status}: ${faults.join('; ')}`);
}

function bodyOf({ from, to, amount, on, every, until, more }: PaymentOrder): object {
  return {
    instructedAmount: { amount, currency: 'NOK' },
    debtorAccount: reference(from),
    creditorAccount: reference(to),
    creditorName: 'Payee',
    ...(every === undefined
      ? on !== undefined && { requestedExecutionDate: on }
      : { frequency: every, startDate: on, ...(until !== undefined && { endDate: until }) }),
    ...more,
  };
}

function reference(number: string): object {
  return { [/^[A-Z]{2}/.test(number) ? 'iban' : 'bban']: number, currency: 'NOK' };
}

/** Who signs: the holder, or for a corporation's account the PSUs who may pay from it (rules.md D4). */
async function signersOf(bank: Bank, { from, signedBy }: PaymentOrder): Promise<readonly Signer[]> {
  const { holder } = await findAccount(bank, from);
  const psus = await listPsus(bank);
  const mayPay = psus.flatMap(({ customerNumber: psu, engagements }) =>
    engagements
      .filter(({ account, roles }) => [account.bban, account.iban].includes(from) && roles.includes('REGISTER'))
      .map(({ agreement }): Signer => ({ psu, approval: { context: 'CORPORATE', agreement: agreement.id } })),
  );
  const isPerson = psus.some(({ customerNumber }) => customerNumber === holder);
  const usual = isPerson || mayPay.length === 0 ? [{ psu: holder, approval: {} }] : mayPay;
  return signedBy?.map((psu) => mayPay.find((signer) => signer.psu === psu) ?? { psu, approval: {} }) ?? usual;
}
