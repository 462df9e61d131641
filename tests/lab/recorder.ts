import type { Bank } from '../../api/harness/index.ts';
import { boundedMatch, pickMember } from '../../api/catalogue/step-values.ts';
import { stepRequest } from '../../api/catalogue/play-scenario.ts';
import type { Scenario } from '../../api/catalogue/scenario.ts';
import { headersOf } from '../../api/harness/connect.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { HarEntry } from '../../scripts/drift/har-file.ts';
import { entryOf } from '../../scripts/drift/har-file.ts';

/** What is sent to a bank, and written down. */
interface ToRecord {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value to send as JSON. */
  readonly body?: unknown;
}

/** Parsed JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- campaigns and tests read members of answers whose shape they know
export type Answer = any;

const door = /^\/sandbox\/as\/([\w-]+)(\/v1\/.*)$/s;

/** Sends requests to a bank, and writes those to the interface down as a signing proxy does: as they reach `/v1`, with its headers. */
export class Recorder {
  readonly entries: HarEntry[] = [];
  readonly #bank: Bank;
  /** The wall clock of the recording, in ms: a second a request. */
  #wall = Date.UTC(2026, 10, 23, 8);
  #requests = 0;
  /** Requests through the unsigned door are recorded as they are sent, not as the signed request that they become. */
  readonly #ofDoor: boolean;

  constructor(bank: Bank, ofDoor = false) {
    this.#bank = bank;
    this.#ofDoor = ofDoor;
  }

  /** Sends a request to a path of the bank. One through the unsigned door is recorded as the signed request that it becomes. */
  async send(path: string, { method, headers = {}, body }: ToRecord): Promise<{ status: number; answer: Answer }> {
    const [, tpp, target] = door.exec(path) ?? [];
    const text = body === undefined ? '' : JSON.stringify(body);
    this.#requests += 1;
    const given = headersOf({}, { headers });
    const own = target === undefined || this.#ofDoor ? given : { ...addedByDoor(target, this.#requests), ...given };
    const reply = await this.#bank.fetch(path, {
      method,
      headers: { ...(text === '' && { 'content-type': null }), ...own },
      ...(text !== '' && { body: text }),
    });
    const received = await reply.text();
    this.#wall += 1_000;
    if (tpp !== undefined) {
      const sent = Object.entries({ ...(text !== '' && { 'content-type': 'application/json' }), ...own });
      const seal = { digest: 'SHA-256=', signature: 'keyId=""', 'tpp-signature-certificate': `certificate of ${tpp}` };
      const signed = Object.entries({ date: new Date(this.#wall).toUTCString(), ...seal });
      const entry = entryOf({
        method,
        url: this.#ofDoor ? `http://127.0.0.1:7263${path}` : `https://bank.example/api-sandbox${target}`,
        // The door takes a header away that is sent empty.
        rawHeaders: (this.#ofDoor ? sent : [...sent.filter(([, value]) => value !== ''), ...signed]).flat(),
        body: Buffer.from(text),
        status: reply.status,
        answerHeaders: [...reply.headers].flat(),
        answer: Buffer.from(received),
        startedAt: this.#wall as Instant,
        took: 5,
      });
      if (typeof entry === 'string') throw new Error(entry);
      this.entries.push(entry);
    }
    return { status: reply.status, answer: parsed(received) };
  }

  /** A call of the TPP `shop` through the unsigned door. */
  async call(method: string, target: string, sent: Omit<ToRecord, 'method'> = {}): Promise<Answer> {
    return (await this.send(`/sandbox/as/shop${target}`, { method, ...sent })).answer;
  }

  /** A POST of the control plane. */
  async control(path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return (await this.send(`/sandbox${path}`, { method: 'POST', headers, body })).answer;
  }

  /** Reads a list of transactions, and by their links at most two more pages of it. */
  async pages(target: string, headers: Readonly<Record<string, string>>): Promise<void> {
    let next: string | undefined = target;
    for (let page = 0; page < 3 && next !== undefined; page += 1) {
      const answer: Answer = await this.call('GET', next, { headers });
      next = answer.transactions?._links?.next?.href;
    }
  }

  /** The PSU approves the SCA that an answer links to. Gives the PSU-ID of the redirect; empty if there is none. */
  async approve(answer: Answer, psu: string, accounts?: readonly string[]): Promise<string> {
    const href: string | undefined = answer?._links?.scaRedirect?.href;
    if (href === undefined) return '';
    const approval = { outcome: 'approve', psu, context: 'PRIVATE', ...(accounts !== undefined && { accounts }) };
    const { redirect } = await this.control(`/sca/${new URL(href).pathname.split('/').at(-1)}`, approval);
    return redirect === undefined ? '' : (new URL(redirect).searchParams.get('psu-id') ?? '');
  }

  /**
   * The PSU approves on the pages that an answer links to, as a browser without scripts shows them, and grants all accounts. Gives the PSU-ID of
   * the redirect; empty if there is none, or if a page refuses.
   */
  async approveOnPages(answer: Answer, psu: string): Promise<string> {
    let address = new URL(answer._links.scaRedirect.href);
    for (let step = 0; step < 4; step += 1) {
      const text = await (await this.#bank.fetch(address)).text();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const reply = await this.#bank.fetch(address, { method: 'POST', headers, body: String(approval(text, psu)) });
      const next = new URL(reply.headers.get('location') ?? address, address);
      if (next.pathname !== address.pathname) return next.searchParams.get('psu-id') ?? '';
      address = next;
    }
    return '';
  }
}

/** The form that a PSU sends from a page on the way to an approval. */
function approval(page: string, psu: string): URLSearchParams {
  const valuesOf = (name: string): string[] =>
    [...page.matchAll(/<input[^>]*>/g)].flatMap(([input]) =>
      input.includes(`name="${name}"`) ? [/value="([^"]*)"/.exec(input)?.[1] ?? ''] : [],
    );
  const [token = ''] = valuesOf('token');
  if (page.includes('name="psu"')) return new URLSearchParams({ token, action: 'identify', psu });
  if (page.includes('name="context"')) return new URLSearchParams({ token, action: 'choose', context: 'PRIVATE' });
  const form = new URLSearchParams({ token, action: 'approve' });
  for (const id of valuesOf('account')) form.append('account', id);
  return form;
}

/** The headers that the unsigned door adds; one that is sent empty is left out. */
function addedByDoor(target: string, number: number): Record<string, string> {
  const requestId = { 'x-request-id': `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` };
  if (target.startsWith('/v1/sandbox/')) return requestId;
  return { ...requestId, 'tpp-redirect-uri': 'https://tpp.example/callback', 'psu-ip-address': '192.0.2.10' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a bank of a recording has beside the scenario's own: a profile, or quirks. */
export interface RecordingBank {
  readonly profile?: string;
  readonly quirks?: readonly string[];
}

/**
 * Plays a scenario in a bank under these settings, by default its own, and records it. It ends early where an answer has not what a later
 * step needs.
 */
export async function recordScenario(scenario: Scenario, under?: RecordingBank): Promise<HarEntry[]> {
  const { now, fixtures = 'known-state' } = scenario.bank;
  const { quirks = [], profile }: RecordingBank = under ?? scenario.bank;
  await using bank = await createBank({
    now,
    fixtures,
    quirks: quirks as never,
    ...(profile !== undefined && { profile }),
  });
  const recorder = new Recorder(bank);
  const kept = new Map<string, string>();
  try {
    for (const step of scenario.steps) {
      const { url, method, headers, body } = stepRequest(step, bank.url, kept);
      const { answer } = await recorder.send(url.pathname + url.search, {
        method,
        headers,
        ...(body.length > 0 && { body: JSON.parse(body.toString()) as unknown }),
      });
      for (const [name, { at, match }] of Object.entries(step.keep ?? {})) {
        const found = pickMember(answer, at);
        const text = typeof found === 'object' ? JSON.stringify(found) : String(found);
        const value = match === undefined ? text : boundedMatch(match, text)?.[1];
        if (found !== undefined && value !== undefined) kept.set(name, value);
      }
    }
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('no step before has kept')) throw error;
  }
  return recorder.entries;
}
