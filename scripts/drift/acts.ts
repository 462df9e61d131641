import { unescaped } from '../../engine/values/text.ts';
import { bbanOf, bodyOf, type Implied, type ImpliedAccount, type Person, psuKeyOf } from './implied.ts';
import { codeOf, type Exchange, isInitiation, listOf, membersOf } from './exchange.ts';

/** What a PSU or the bank did between two requests, as far as the recording shows it. */
export type Act =
  | {
      readonly does: 'approve';
      /** Index of the exchange that offered the SCA. */
      readonly birth: number;
      readonly psu: string;
      readonly context: 'PRIVATE' | 'CORPORATE';
      readonly agreement?: string | undefined;
      /** Numbers of accounts and cards. Left out: all of them. */
      readonly accounts?: readonly string[];
      /** The recorded counterparts of the ids in the redirect. */
      readonly psuId?: string;
      readonly corporateId?: string;
    }
  | { readonly does: 'revoke' }
  | { readonly does: 'double' }
  | { readonly does: 'cancel' | 'reject'; readonly payment: string; readonly of?: object }
  | { readonly does: 'move'; readonly payment: string; readonly date: string }
  | {
      readonly does: 'top-up';
      readonly bban: string;
      readonly amount: { readonly amount: string; readonly currency: string };
    }
  | { readonly does: 'post'; readonly bban: string; readonly transactions: readonly object[] }
  | { readonly does: 'release'; readonly bban: string; readonly transactions: readonly object[] }
  | { readonly does: 'pend'; readonly psu: string; readonly payments: readonly object[] };

/** The end of the path of the `scaRedirect` of an answer; null: it offers none. */
export function scaOf(answer: unknown): string | null {
  const { scaRedirect } = membersOf(membersOf(answer)['_links']);
  const { href } = membersOf(scaRedirect);
  if (typeof href !== 'string' || !URL.canParse(href)) return null;
  return new URL(href).pathname.split('/').at(-1) ?? '';
}

const services = /^\/v1\/(?:payments?|periodic-payments|bulk-payments|signing-baskets)\//;

/** The id of the payment or the basket that an exchange made, or that its path names; null: neither. */
export function resourceOf(exchange: Exchange): string | null {
  const { target, answer, status } = exchange;
  if (isMaking(exchange)) {
    const { paymentId, basketId } = membersOf(answer);
    const made = paymentId ?? basketId;
    return status === 201 && typeof made === 'string' ? made : null;
  }
  if (!services.test(target)) return null;
  const [path = ''] = target.split('?');
  const segments = path.split('/');
  const at = /^(?:payment|signing-baskets)$/.test(segments[2] ?? '') ? 3 : 4;
  return segments[at] === undefined ? null : unescaped(segments[at]);
}

interface Approval {
  readonly before: number;
  readonly act: Act & { readonly does: 'approve' };
}

/** The SCAs that the recording offers and that were approved, with time and approver; `unclear`: the recording does not show it. */
export function approvalsOf(
  exchanges: readonly Exchange[],
  implied: Implied,
): { readonly certain: readonly Approval[]; readonly unclear: readonly Approval[] } {
  const certain: Approval[] = [];
  const unclear: Approval[] = [];
  const births = exchanges.flatMap((exchange, index) => (scaOf(exchange.answer) === null ? [] : [index]));
  for (const birth of births) {
    const exchange = exchanges[birth];
    if (exchange === undefined) continue;
    const resource = resourceOf(exchange);
    if (resource === null) {
      const approval = consentApproval(exchanges, births, birth, implied);
      if (approval !== null) certain.push(approval);
      continue;
    }
    const found = signatureAfter(exchanges, birth, resource);
    const act = signatureOf(exchanges, birth, resource, implied);
    if (found !== null) (found.isCertain ? certain : unclear).push({ before: found.before, act });
  }
  return { certain, unclear };
}

/** The answer to the SCA that an exchange offers for a payment, a basket or a cancellation. */
function signatureOf(
  exchanges: readonly Exchange[],
  birth: number,
  resource: string,
  implied: Implied,
): Approval['act'] {
  const account = accountOf(exchanges, resource, implied);
  const named = exchanges.slice(0, birth + 1).filter((one) => resourceOf(one) === resource);
  const { number } = signerOf(named, account, implied);
  const lastContext = named
    .map(({ headers }) => headers.get('psu-context'))
    .findLast((context) => context !== undefined);
  const isCorporate = account === null ? lastContext === 'CORPORATE' : account.corporation !== null;
  const tpp = exchanges[birth]?.tpp ?? '';
  const psuId = exchanges
    .slice(birth + 1)
    .filter((one) => one.tpp === tpp)
    .map(({ headers }) => headers.get('psu-id') ?? '')
    .find((id) => id !== '' && implied.personOf(`id ${tpp} ${id}`).number === number);
  return {
    does: 'approve',
    birth,
    psu: number,
    context: isCorporate ? 'CORPORATE' : 'PRIVATE',
    ...(isCorporate && { agreement: implied.agreementOf(account?.corporation ?? '') }),
    ...(psuId !== undefined && { psuId }),
  };
}

/** Who answers the SCA that the last of these exchanges offers. All of them name its payment. */
function signerOf(named: readonly Exchange[], account: ImpliedAccount | null, implied: Implied): Person {
  const keys = named.map(psuKeyOf);
  const [own, first] = [keys.at(-1) ?? null, keys.find((key) => key !== null) ?? null];
  if (account === null) return implied.personOf(own ?? first);
  const signers = implied.signersOf(account);
  const offers = named.slice(0, -1).filter((one) => scaOf(one.answer) !== null);
  const likely = own ?? (offers.length === 0 ? first : null);
  if (likely !== null) {
    const wanted = implied.personOf(likely).number;
    return signers.find(({ number }) => number === wanted) ?? signers[0];
  }
  // Each of several signers signs once.
  const turn = account.signatures === 1 ? 0 : offers.filter(({ status }) => status === 201).length;
  return signers[turn % signers.length] ?? signers[0];
}

/** The debtor account of a payment, or of the first payment of a basket. */
function accountOf(exchanges: readonly Exchange[], resource: string, implied: Implied): ImpliedAccount | null {
  const made = exchanges.find((one) => isMaking(one) && resourceOf(one) === resource);
  if (made === undefined) return null;
  const { debtorAccount, paymentIds } = membersOf(bodyOf(made));
  if (Array.isArray(paymentIds)) return accountOf(exchanges, String(paymentIds[0]), implied);
  return implied.accounts.get(bbanOf(debtorAccount) ?? '') ?? null;
}

/** Whether an exchange asks for a payment or a basket. */
function isMaking(exchange: Exchange): boolean {
  return isInitiation(exchange) || (exchange.method === 'POST' && exchange.endpoint === '/signing-baskets');
}

/**
 * The exchange before which the SCA of a payment, a basket or a cancellation was approved: the one after the last answer that shows it
 * unsigned. The result is certain if a later answer shows it signed. Null: another SCA follows, or it was deleted unsigned.
 */
function signatureAfter(
  exchanges: readonly Exchange[],
  birth: number,
  resource: string,
): { readonly before: number; readonly isCertain: boolean } | null {
  const isCancellation = /\/cancellation-authorisations$/.test(exchanges[birth]?.target.split('?')[0] ?? '');
  const wasPartly = statusBefore(exchanges, birth, resource) === 'PATC';
  let before = birth + 1;
  for (let index = birth + 1; index < exchanges.length; index += 1) {
    const one = exchanges[index];
    if (one === undefined || resourceOf(one) !== resource) continue;
    const verdict = tellsSigned(one, isCancellation, wasPartly);
    if (verdict === 'signed') return { before, isCertain: true };
    if (verdict === 'unsigned') before = index + 1;
    // Another SCA of the same: the later one was approved, if any.
    if (verdict === 'again') return null;
  }
  return { before, isCertain: false };
}

function statusBefore(exchanges: readonly Exchange[], birth: number, resource: string): string | null {
  const read = exchanges
    .slice(0, birth)
    .findLast((one) => resourceOf(one) === resource && typeof membersOf(one.answer)['transactionStatus'] === 'string');
  return read === undefined ? null : String(membersOf(read.answer)['transactionStatus']);
}

function tellsSigned(
  { method, target, status, answer }: Exchange,
  isCancellation: boolean,
  wasPartly: boolean,
): 'signed' | 'unsigned' | 'again' | null {
  const [path = ''] = target.split('?');
  const { transactionStatus: read, _links: links } = membersOf(answer);
  if (isCancellation) {
    if (read === 'CANC') return 'signed';
    if (/\/cancellation-authorisations$/.test(path) && status === 201) return 'again';
    return typeof read === 'string' && status === 200 ? 'unsigned' : null;
  }
  if (method === 'POST' && /\/authorisations$/.test(path)) {
    if (status === 201) return wasPartly ? null : 'again';
    return codeOf(answer) === 'STATUS_INVALID' ? 'signed' : null;
  }
  if (method === 'POST' && /\/cancellation-authorisations$/.test(path)) return status === 201 ? 'signed' : null;
  // 204: it was deleted unsigned.
  if (method === 'DELETE') return status === 204 ? 'again' : status === 202 || status === 405 ? 'signed' : null;
  if (method !== 'GET') return null;
  if (status === 403) return 'unsigned';
  if (typeof read !== 'string' || status !== 200) return null;
  if (read === 'PATC') return wasPartly ? 'unsigned' : 'signed';
  if (read !== 'RCVD') return 'signed';
  // The status may lag behind the signature, the links do not (rules.md Q21).
  return Object.hasOwn(membersOf(links), 'startAuthorisation') ? 'unsigned' : 'signed';
}

const details = '/accounts/:accountId/transactions/:transactionId';

/** Paths of account information, and of what a PSU-ID opens. */
const readings = /^\/(?:accounts|card-accounts)(?:\/|$)/;

/**
 * The approval of an SCA that asks for a consent or for the PSU. A later read that works, or a new PSU-ID, shows the approval. Null:
 * neither follows.
 */
function consentApproval(
  exchanges: readonly Exchange[],
  births: readonly number[],
  birth: number,
  implied: Implied,
): Approval | null {
  const asked = exchanges[birth];
  if (asked === undefined) return null;
  const known = new Set(exchanges.slice(0, birth + 1).map(({ headers }) => headers.get('psu-id') ?? ''));
  const bound = psuKeyOf(asked);
  let before = birth + 1;
  for (let index = birth + 1; index < exchanges.length; index += 1) {
    const one = exchanges[index];
    if (one === undefined || one.tpp !== asked.tpp) continue;
    const id = one.headers.get('psu-id') ?? '';
    const isAgain = births.includes(index) && resourceOf(one) === null;
    // A later link stands for it.
    if (isAgain && (id === '' || known.has(id))) return null;
    if (id === '') continue;
    const key = psuKeyOf(one);
    if (bound !== null && implied.personOf(bound).number !== implied.personOf(`id ${one.tpp} ${id}`).number) continue;
    const isNew = !known.has(id) && codeOf(one.answer) !== 'PSU_CREDENTIALS_INVALID';
    const isRead = readings.test(one.endpoint ?? '') || one.endpoint === '/agreements';
    if (!isNew && isRead && one.status >= 400 && scaOf(one.answer) !== null) before = index + 1;
    if (!isNew && !(isRead && one.status === 200)) continue;
    // Lists may be open longer than the details that were refused (rules.md, quirk details-days).
    if (!isNew && asked.endpoint === details && one.endpoint !== details) continue;
    const corporateId = one.headers.get('psu-corporate-id') ?? '';
    const isCorporate = corporateId !== '' || asked.headers.get('psu-context') === 'CORPORATE';
    const corporateUse = corporateId === '' ? corporateIdAfter(exchanges, index, id) : corporateId;
    const granted = grantedIn(exchanges, index);
    return {
      before,
      act: {
        does: 'approve',
        birth,
        psu: implied.personOf(key).number,
        context: isCorporate ? 'CORPORATE' : 'PRIVATE',
        ...(isCorporate && {
          agreement: implied.agreementOf(corporateUse),
          ...(corporateUse !== '' && { corporateId: corporateUse }),
        }),
        ...(granted.length > 0 && { accounts: granted }),
        psuId: id,
      },
    };
  }
  return null;
}

/** The first PSU-Corporate-ID that is sent with a PSU-ID and works. */
function corporateIdAfter(exchanges: readonly Exchange[], from: number, psuId: string): string {
  const used = exchanges
    .slice(from)
    .find(({ headers, status }) => headers.get('psu-id') === psuId && headers.has('psu-corporate-id') && status < 400);
  return used?.headers.get('psu-corporate-id') ?? '';
}

/** The numbers of the accounts and cards that reads show from an exchange on, until another consent is asked for. */
export function grantedIn(exchanges: readonly Exchange[], from: number): string[] {
  const { headers, tpp } = exchanges[from] ?? {};
  const found = new Set<string>();
  for (const one of exchanges.slice(from)) {
    if (one.tpp !== tpp || one.headers.get('psu-id') !== headers?.get('psu-id')) {
      if (one.tpp === tpp && one.endpoint === '/bank-offered-consents') break;
      continue;
    }
    if (one.headers.get('psu-corporate-id') !== headers?.get('psu-corporate-id')) continue;
    if (one.status !== 200) continue;
    const answer = membersOf(one.answer);
    const shown = [
      ...(one.endpoint === '/accounts' ? listOf(answer, 'accounts') : []),
      ...(one.endpoint === '/card-accounts' ? listOf(answer, 'cardAccounts') : []),
      ...(readings.test(one.endpoint ?? '') ? [answer['account'], answer['cardAccount']] : []),
    ];
    for (const account of shown) {
      const number = bbanOf(account) ?? membersOf(account)['maskedPan'];
      if (typeof number === 'string') found.add(number);
    }
  }
  return [...found];
}
