import { createBank } from '../../api/harness/create-bank.ts';
import type { Bank } from '../../api/harness/index.ts';
import { reasonOf } from '../../api/start/error-text.ts';
import { words } from '../../engine/values/text.ts';
import { statusPath } from './answer-rules.ts';
import { type Difference, Findings } from './difference.ts';
import { codeOf, type Exchange, messageOf, parsed } from './exchange.ts';

/** Codes of refusals that follow from the request alone: the bank checks its form before anything that it knows (rules.md G1). */
const ofForm: ReadonlySet<string> = new Set(
  words([
    'NOT_FOUND PRODUCT_UNKNOWN HTTP_HEADER_REQUIRED FORMAT_ERROR REQUESTED_FORMATS_INVALID SERVICE_INVALID',
    'PARAMETER_NOT_SUPPORTED QUERY_PARAMETER_REQUIRED',
  ]),
);

/** Headers that the door, the bank or the connection sets, or that tell of another connection. */
const notSent =
  /^(?::|date$|digest$|signature$|tpp-signature-certificate$|host$|content-length$|connection$|keep-alive$|transfer-encoding$|te$|trailer$|upgrade$|expect$|accept-encoding$|authorization$|proxy-|cookie$|sandbank-control-token$)/;
const offered = ['x-request-id', 'tpp-redirect-uri', 'psu-ip-address'];

/** A refusal, or that the bank would read on. */
interface Verdict {
  readonly status: number;
  readonly code: string;
  readonly path: unknown;
}

/** What the form of each request leads to, by the place of the exchange in the file. */
export type Asked = ReadonlyMap<number, readonly Difference[]>;

/**
 * Sends each request to a bank in memory, which says whether it refuses the request for its form (DW3). It opens no connection. `quirks`: as
 * `--quirks` takes them. Throws an Error for settings that cannot be.
 */
export async function askAll(
  exchanges: readonly Exchange[],
  { quirks, profile }: { readonly quirks: readonly string[]; readonly profile?: string | object },
): Promise<Asked> {
  // A bank under maintenance answers nothing.
  const answering = quirks.filter((text) => !/^-?maintenance/.test(text));
  const byName = new Map(answering.map((text) => [text.replace(/^-/, '').split('=')[0], text]));
  const options = { quirks: [...byName.values()] as never, ...(profile !== undefined && { profile }) };
  await using bank = await createBank(options);
  const asked = new Map<number, readonly Difference[]>();
  for (const exchange of exchanges) asked.set(exchange.number, compare(exchange, await ask(bank, exchange)));
  return asked;
}

/** How the recorded answer differs from what the form of its request leads to. */
function compare(exchange: Exchange, ours: Verdict): readonly Difference[] {
  const { status, answer, target } = exchange;
  const theirs = { status, code: codeOf(answer), path: messageOf(answer)['path'] };
  const found = new Findings();
  const isOfForm = (one: Verdict): boolean => one.status >= 400 && ofForm.has(one.code);
  // The test data refuse what does not fit to what they hold by the same codes. An id that is used twice is refused so too.
  const isOfData = target.startsWith('/v1/sandbox') || theirs.path === 'x-request-id';
  if (ours.status >= 500) found.tell('status', statusPath(exchange), status, ours.status);
  else if (isOfForm(ours)) compareRefusals(exchange, theirs, ours, found);
  else if (isOfForm(theirs) && !isOfData)
    found.tell('status', statusPath(exchange), status, 'an answer: the request has the right form', whyOf(theirs));
  return found.all;
}

async function ask(bank: Bank, exchange: Exchange): Promise<Verdict> {
  const headers: Record<string, string | null> = { 'content-type': null };
  for (const name of offered) headers[name] = '';
  for (const [name, value] of exchange.headers) {
    if (notSent.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) continue;
    headers[name] = standingFor(name, value, exchange);
  }
  const { method, target, body } = exchange;
  const sent = { method, headers, ...(body !== '' && method !== 'GET' && method !== 'HEAD' && { body }) };
  const answer = await bank.fetch(`/sandbox/as/drift${target}`, sent).catch((error: unknown) => reasonOf(error));
  if (typeof answer === 'string') return { status: 400, code: '', path: undefined };
  const message = messageOf(parsed(await answer.text()));
  return { status: answer.status, code: String(message['code'] ?? ''), path: message['path'] };
}

function whyOf({ code, path }: Verdict): string {
  return `${code} ${String(path ?? '')}`;
}

function compareRefusals(exchange: Exchange, theirs: Verdict, ours: Verdict, found: Findings): void {
  const why = whyOf(ours);
  const isOther = theirs.status !== ours.status;
  if (isOther) found.tell('status', statusPath(exchange), theirs.status, ours.status, why);
  if (theirs.code !== ours.code && !(isOther && theirs.code === ''))
    return found.tell('code', 'tppMessages[].code', theirs.code, ours.code, why);
  if (!isOther) found.compare('path', 'tppMessages[].path', theirs.path, ours.path, why);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A value that this bank takes where the other one took it: each request has an id of its own here, and a stand-in is no address. */
function standingFor(name: string, value: string, { status, number }: Exchange): string {
  if (name === 'x-request-id' && (status < 400 || uuid.test(value)))
    return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return status < 400 && name === 'tpp-redirect-uri' && !URL.canParse(value) ? 'https://tpp.example/callback' : value;
}
