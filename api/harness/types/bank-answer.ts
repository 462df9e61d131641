import type { FaultCode } from './closed-lists.ts';

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
  readonly _links?: Links<never, 'scaRedirect'>;
}

/** What the bank tells the TPP. */
export interface TppMessage {
  /** `WARNING`: of a payment that is accepted, or will be tried again. */
  readonly category: 'ERROR' | 'WARNING';
  readonly code: FaultCode;
  /** The member, the header or the parameter that it is about. */
  readonly path?: string;
  /** What is wrong, and what to do. */
  readonly text: string;
}

/** Where to go on, by what for: those that are always there, and others. */
export type Links<Always extends string, Sometimes extends string = never> = { readonly [Name in Always]: Link } & {
  readonly [Name in Sometimes]?: Link;
};

export interface Link {
  /** A path of this bank, or an address: `tpp.fetch` takes both. */
  readonly href: string;
  /** The methods that the address takes. */
  readonly verbs: readonly string[];
}
