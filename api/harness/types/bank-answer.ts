import type { Link, TppMessage } from './answers.ts';

/** An answer of the bank. Its `json` has a type: of a refusal, or the one that is named. */
export interface BankAnswer extends Response {
  /**
   * The body. Name what it has, or read a refusal without a name:
   *
   *     const { paymentId } = await answer.json<{ paymentId: string }>();
   *     const code = (await answer.json()).tppMessages?.[0]?.code;
   */
  json<Body = Refused>(): Promise<Body>;
}

/** What the body of a refusal under `/v1` has. */
export interface Refused {
  /** What is wrong; the first one gives the status. */
  readonly tppMessages?: readonly TppMessage[];
  /** `scaRedirect`, where the PSU could help. */
  readonly _links?: { readonly scaRedirect?: Link };
}
