import { BankError, codeOf } from '../bank-error.ts';
import { isOk, type Received } from '../connect.ts';
import type { Approval, Psu, Refused, ScaRedirect, SignedSendOptions } from '../types/index.ts';

/** A TPP that sends signed requests. */
export interface SendingTpp {
  send(address: string | URL, options?: SignedSendOptions): Promise<Received>;
}

/** The links of an answer that may start an SCA. */
export interface ScaLinks {
  readonly scaRedirect?: { readonly href: string };
}

interface ScaStarted {
  readonly _links: Required<Pick<ScaLinks, 'scaRedirect'>>;
}

/**
 * The JSON of an answer; null when it has no body. Throws a BankError with `what` and the faults when it is refused.
 */
export async function ask<Answer>(
  tpp: SendingTpp,
  what: string,
  path: string,
  sent: SignedSendOptions = {},
): Promise<Answer> {
  const answer = await tpp.send(path, sent);
  const body = answer.body.toString();
  if (isOk(answer)) return (body === '' ? null : JSON.parse(body)) as Answer;
  const { tppMessages = [] } = JSON.parse(body) as Refused;
  const faults = tppMessages.map(({ code, path: where, text: why }) => [code, where, why].filter(Boolean).join(' '));
  const { status } = answer;
  const text = `${what} was refused, ${status}: ${faults.join('; ')}`;
  throw new BankError(text, { status, code: codeOf(tppMessages[0]?.code) });
}

/** Starts an authorisation at a link or path. Returns the address of its SCA page. */
export async function startSca(tpp: SendingTpp, path: string): Promise<URL> {
  const { _links: links } = await ask<ScaStarted>(tpp, 'The authorisation', path, { method: 'POST' });
  return new URL(links.scaRedirect.href);
}

/**
 * Has a PSU approve. Returns the parameters of the redirect. Throws a BankError if it reports a failure (rules.md A2).
 */
export async function approve(psu: Psu, scaRedirect: ScaRedirect, approval: Approval): Promise<URLSearchParams> {
  const { searchParams } = await psu.approve(scaRedirect, approval);
  const code = searchParams.get('code');
  if (code === null) return searchParams;
  const text = `The PSU ${psu.customerNumber} could not sign: ${code} ${searchParams.get('message') ?? ''}`;
  throw new BankError(text, { status: Number(searchParams.get('status')), code: codeOf(code) });
}
