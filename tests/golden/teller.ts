import { type Profile, readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { at, manualClock } from '../lab/bank.ts';
import { type Reply, TestBank, validCertificate } from '../lab/server.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a story reads members of answers, and goes on where there are none
type Body = any;
type RequestHeaders = Readonly<Record<string, string | null>>;

/** A call of a story and its answer: status, headers and body, without what differs from bank to bank. */
export interface ToldCall {
  /** `GET /v1/accounts/<id 49==>/balances` */
  readonly call: string;
  readonly answer: Body;
}

const noon = '2027-03-22T12:00:00+01:00';
const certificate = validCertificate({ validFrom: at('2027-01-01'), validTo: at('2027-12-31') });
/** Headers of signed answers, which each bank has other values of (tests/signing/signed-answers.test.ts). */
const ofSeal = ['aspsp-signature-certificate', 'digest', 'signature'];
/** Headers that each answer has, or that depend on the machine. */
const unread = ['connection', 'content-length', 'date', 'keep-alive', 'etag', 'x-request-id'];

/**
 * Plays calls and keeps their answers. Ids, keys and addresses are replaced by what of them must stay: the length of an id, and whether
 * an answer before has had it.
 */
export class Teller {
  readonly told: ToldCall[] = [];
  readonly bank: TestBank;
  readonly #known = new Set<string>();

  private constructor(bank: TestBank) {
    this.bank = bank;
  }

  /** A bank at noon of a Monday before Easter, its wall clock frozen too. */
  static async begin(profile: Profile | null): Promise<Teller> {
    const flags = ['--port=0', '--ledger=:memory:', '--clock-mode=frozen', `--clock-now=${noon}`, '--log-level=silent'];
    const config = readConfig({}, [...flags, '--id-seed=golden'], profile);
    const server = await startServer(config, manualClock(at(noon)));
    return new Teller(new TestBank(server.address, server.bank, () => server.stop()));
  }

  /** Forgets all calls and ids. */
  begin(): void {
    this.told.length = 0;
    this.#known.clear();
  }

  /** A signed call of the interface. `psu`: a PSU-ID, or the headers that name the PSU. Answers with its body. */
  async v1(
    method: string,
    path: string,
    psu: string | RequestHeaders = {},
    body?: unknown,
    more: RequestHeaders = {},
  ): Promise<Body> {
    const { headers, bytes } = this.#signed(
      method,
      path,
      typeof psu === 'string' ? { 'psu-id': psu } : psu,
      more,
      body,
    );
    return this.#answered(method, path, await this.bank.raw(method, path, headers, bytes));
  }

  /** A signed call whose Signature is changed on the way. */
  async changed(method: string, path: string, change: (signature: string) => string): Promise<Body> {
    const { headers, bytes } = this.#signed(method, path, {}, {});
    const signature = change(headers['signature'] ?? headers['Signature'] ?? '');
    return this.#answered(method, path, await this.bank.raw(method, path, { ...headers, signature }, bytes));
  }

  #signed(method: string, path: string, psu: RequestHeaders, more: RequestHeaders, body?: unknown) {
    const requestId = `00000000-0000-4000-8000-${String(this.told.length).padStart(12, '0')}`;
    this.#known.add(requestId);
    const sent = { headers: { 'x-request-id': requestId, ...psu, ...more }, body, date: at(noon), certificate };
    const { headers, body: bytes } = this.bank.signedParts(method, path, sent);
    return { headers, bytes };
  }

  /** A call of the control plane, by its path below `/sandbox`. Answers with its body. */
  async control(method: string, path: string, body?: unknown): Promise<Body> {
    return this.#answered(method, `/sandbox${path}`, await this.bank.control(method, `/sandbox${path}`, body));
  }

  /** The PSU answers the SCA to which an answer leads; gives the address that the browser is led to. */
  async sca(answer: Body, outcome: object): Promise<URL> {
    const id = /\/sca\/([\w-]+)/.exec(String(answer?._links?.scaRedirect?.href))?.[1] ?? 'none';
    const { redirect } = (await this.control('POST', `/sca/${id}`, outcome)) ?? {};
    return new URL(redirect ?? 'https://tpp.example/none');
  }

  #answered(method: string, path: string, { status, headers, body }: Reply): Body {
    const seen = [...headers]
      .filter(([name]) => !unread.includes(name))
      .map(([name, value]) => [name, ofSeal.includes(name) ? '<of a seal>' : value] as const)
      .toSorted();
    // An id is new until the end of its answer.
    const fresh = new Set<string>();
    const answer = JSON.stringify({ status, headers: Object.fromEntries(seen), body });
    const call = this.#plain(`${method} ${path}`, fresh).replaceAll(/ (?:new|known)>/g, '>');
    this.told.push({ call, answer: JSON.parse(this.#plain(answer, fresh), sentencesAsNumbers) });
    for (const id of fresh) this.#known.add(id);
    return body;
  }

  #plain(text: string, fresh: Set<string>): string {
    const id = (found: string, kind: string): string => {
      fresh.add(found);
      return `<${kind} ${this.#known.has(found) ? 'known' : 'new'}>`;
    };
    return text
      .replaceAll(this.bank.address, 'http://bank')
      .replaceAll('%3D', '=')
      .replaceAll(/"version":"[^"]+"/g, '"version":"<version>"')
      .replaceAll(/cursor=[\w.~-]+/g, 'cursor=<cursor>')
      .replaceAll(/(?<=\/sca\/|"scas":\[.*?"id":")[\w-]{32}/g, '<sca>')
      .replaceAll(/enc!![\w-]+(={0,2})/g, (found: string, end: string) => id(found, `id ${found.length}${end}`))
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, (found) => id(found, 'uuid'));
  }
}

/** A sentence to a person may be worded anew: its numbers stay. */
function sentencesAsNumbers(this: Body, name: string, value: unknown): unknown {
  if (typeof value !== 'string' || (name === 'text' && !('category' in this))) return value;
  if (!['text', 'detail', 'effect'].includes(name)) return value;
  return `<${(value.replaceAll(/<[^>]+>|^.*See http.*$/gm, '').match(/\d+/g) ?? []).join(' ')}>`;
}
