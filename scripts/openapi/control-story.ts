import { type Answer, type Call, done, get, post, remove, send } from './control-calls.ts';
import type { ExampleRequest } from './send-example.ts';

/** Friday, with runs to come. */
export const begin = '2027-03-12T12:00:00+01:00';
/** The Sunday after it, when the answers are given: every run is of another day. */
export const now = '2027-03-14T12:00:00.000+01:00';
const executionDate = '2027-03-16';

export const psu = '13039319955';
const otherTpp = 'PSDNO-FSA-987654321';
const requestId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const kept = 'before-the-salaries';

const otherBank = post('/sandbox/banks', { name: 'ci-1', now: '2027-03-24', mode: 'frozen' });
const armed = post('/sandbox/faults', { code: 'SERVICE_BLOCKED', times: 2 });

/** What the example of an operation needs before it. */
const before: Readonly<Record<string, Call>> = {
  'GET /sandbox/faults': armed,
  'GET /sandbox/banks': otherBank,
  'DELETE /sandbox/banks/{name}': otherBank,
};

/** A bank in which something of each kind has happened, and what its control plane answers. */
export class ControlStory {
  readonly #address: string;

  private constructor(address: string) {
    this.#address = address;
  }

  /** `address`: of a bank in its known state, whose clock stands at {@link begin}. */
  static async tell(address: string): Promise<ControlStory> {
    const story = new ControlStory(address);
    await story.#sign(await story.#pay('250.00', '2027-03-12'));
    await done(address, post('/sandbox/clock/advance', { to: now }));
    await story.#sign(await story.#pay('1000.00', executionDate));
    await done(address, post('/sandbox/consents', { tpp: otherTpp, psu }));
    await story.#pay('100.00', executionDate);
    await send(address, get('/v1/accounts', { 'x-request-id': requestId }));
    await done(address, post('/sandbox/snapshots', { name: kept }));
    return story;
  }

  /** The answer to an example, in the state after the story. `type`: the media type that is asked for. */
  async answerTo(key: string, { method, path, params, query, body }: ExampleRequest, type: string): Promise<Answer> {
    await this.#goBack();
    const needed = before[key];
    if (needed !== undefined) await done(this.#address, needed);
    if (key === 'GET /sandbox/events') return this.#event();
    const target = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const asked = new URLSearchParams(query).toString();
    const whole = asked === '' ? target : `${target}?${asked}`;
    return send(this.#address, { method, path: whole, body, headers: { accept: type } });
  }

  /** A refusal of each status that not every call has, by method and path of the document. */
  async ownRefusals(): Promise<readonly (readonly [key: string, answer: Answer])[]> {
    await this.#goBack();
    const payment = '/sandbox/payments/{paymentId}';
    const list = (await done(this.#address, get('/sandbox/payments?status=ACSP'))) as {
      readonly payments: readonly { readonly paymentId: string }[];
    };
    const own = payment.replace('{paymentId}', encodeURIComponent(list.payments[0]?.paymentId ?? ''));
    await done(this.#address, post(`${own}/cancel`));
    const unknown = { paymentId: 'enc!!dHhuLTAwMDAwMDAwMDAwMQ==', status: 'ACSC' };
    const back = { now: '2027-01-04', mode: 'frozen' };
    const calls: readonly (readonly [key: string, call: Call])[] = [
      ['GET /sandbox/events', get('/sandbox/events', { accept: 'application/json' })],
      ['POST /sandbox/clock/advance', post('/sandbox/clock/advance', { until: unknown })],
      ['PUT /sandbox/clock', { ...post('/sandbox/clock', back), method: 'PUT' }],
      ['POST /sandbox/snapshots', post('/sandbox/snapshots', { name: 'seeded' })],
      ['DELETE /sandbox/snapshots/{name}', remove('/sandbox/snapshots/seeded')],
      [`PATCH ${payment}`, { ...post(own, { requestedExecutionDate: '2027-03-17' }), method: 'PATCH' }],
      [`POST ${payment}/cancel`, post(`${own}/cancel`)],
      [`POST ${payment}/status`, post(`${own}/status`, { status: 'ACTC' })],
      [`POST ${payment}/reject`, post(`${own}/reject`, { reason: 'creditor-account-closed' })],
      ['POST /sandbox/consents', post('/sandbox/consents', { tpp: otherTpp, psu: '01010150500' })],
      ['DELETE /sandbox/banks/{name}', remove('/sandbox/banks/default')],
    ];
    const told: (readonly [key: string, answer: Answer])[] = [];
    for (const [key, call] of calls) told.push([key, await send(this.#address, call)]);
    const busy = await this.#busy();
    for (const path of ['/clock/advance', '/reset', '/snapshots/{name}/restore']) {
      told.push([`POST /sandbox${path}`, busy]);
    }
    told.push(['POST /sandbox/faults', await this.#refused(() => armed)]);
    await done(this.#address, otherBank);
    told.push(['POST /sandbox/banks', await send(this.#address, otherBank)]);
    const many = await this.#refused((index) => post('/sandbox/banks', { name: `ci-1-${index}` }));
    return [...told, ['POST /sandbox/banks', many]];
  }

  /** The refusal of the first of these calls that is refused. */
  async #refused(call: (index: number) => Call): Promise<Answer> {
    for (let index = 0; ; index += 1) {
      const answer = await send(this.#address, call(index));
      if (answer.status >= 300) return answer;
    }
  }

  /** The refusal of one of two calls at once that move the clock, over two months in which there is something to do each day. */
  async #busy(): Promise<Answer> {
    await this.#sign(await this.#pay('0.01', executionDate, { frequency: 'Daily' }));
    const advance = post('/sandbox/clock/advance', { by: 'P2M' });
    for (let times = 0; times < 10; times += 1) {
      const answers = await Promise.all([send(this.#address, advance), send(this.#address, advance)]);
      const refused = answers.find(({ status }) => status === 409);
      if (refused !== undefined) return refused;
    }
    throw new Error('No two calls at once were refused.');
  }

  /** The first event of a stream. */
  async #event(): Promise<Answer> {
    const answer = await fetch(`${this.#address}/sandbox/events`);
    const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    await done(this.#address, post('/sandbox/clock/advance', { runs: 1 }));
    let text = '';
    for (;;) {
      text += (await reader.read()).value ?? '';
      const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/m.exec(text) ?? [];
      if (data === undefined) continue;
      await reader.cancel();
      return { status: answer.status, body: { id, event, data: JSON.parse(data) as unknown } };
    }
  }

  /** Initiates a payment, or one as often as `often` says, and returns where the control plane has its SCA. */
  async #pay(amount: string, on: string, often?: { readonly frequency: string }): Promise<string> {
    const service = often === undefined ? 'payments' : 'periodic-payments';
    const initiation = post(`/sandbox/as/docs/v1/${service}/norwegian-domestic-credit-transfers`, {
      instructedAmount: { amount, currency: 'NOK' },
      creditorName: 'Company 123',
      creditorAccount: { bban: '74712699947', currency: 'NOK' },
      debtorAccount: { bban: '09232911044', currency: 'NOK' },
      ...(often === undefined ? { requestedExecutionDate: on } : { startDate: on, ...often }),
    });
    const headers = {
      // Its own address would be in the ledger, whose hash is recorded.
      'tpp-redirect-uri': 'https://tpp.example/callback',
      'x-psu-identity': psu,
      'psu-context': 'PRIVATE',
      'psu-ip-address': '192.0.2.1',
      'tpp-session-id': 'session-1',
      'x-accept-fix': 'longer-names',
      'x-request-id': `4eba4445-1a4b-47b8-bdd5-${amount.replace('.', '').padStart(12, '0')}`,
    };
    const { _links } = (await done(this.#address, { ...initiation, headers })) as {
      readonly _links: { readonly scaRedirect: { readonly href: string } };
    };
    return `/sandbox/sca/${new URL(_links.scaRedirect.href).pathname.split('/').at(-1) ?? ''}`;
  }

  async #sign(sca: string): Promise<void> {
    await done(this.#address, post(sca, { outcome: 'approve', psu, context: 'PRIVATE' }));
  }

  /** To the end of the story. */
  async #goBack(): Promise<void> {
    const { status } = await send(this.#address, post(`/sandbox/snapshots/${kept}/restore`));
    // The last example removed it, and changed nothing else.
    if (status === 404) await done(this.#address, post('/sandbox/snapshots', { name: kept }));
    await done(this.#address, remove('/sandbox/faults'));
    await send(this.#address, remove('/sandbox/banks/ci-1'));
  }
}
