import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';

/** Nora, who pays. */
export const nora = '13039319955';
/** The X-Request-ID of a request of a day, the same each time. */
const idOf = (day: string): string => `0b5e6a3e-6c5f-4d2c-8a55-7a1d${day.replaceAll('-', '')}`;
const refusedId = idOf('2027-03-24');

/** The machine's clock stands still in the pictures, so that they show the same each time. */
const signedAt = Date.UTC(2026, 10, 24, 8) as Instant;
const wall: WallClock = { now: () => signedAt, monotonic: () => 0 };

/** A bank before Easter 2027, and the addresses of its pages. */
interface EasterStory {
  readonly calendar: string;
  /** Where Nora signs the payment for Maundy Thursday. */
  readonly scaPage: string;
  /** That payment in the console. */
  readonly payment: string;
  /** In the console a request whose signature was refused. */
  readonly refused: string;
  /** Nora pays more than she has, on the day after Easter, and five runs try it; its page in the console. */
  rejected(): Promise<string>;
  /** Moves the bank's clock to an instant or a date. */
  advance(to: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a bank whose ids and clocks are the same each time: rent was paid on 23 March, and a payment for Maundy Thursday, made on
 * the Wednesday before Easter, waits for its signature.
 */
export async function easterStory(): Promise<EasterStory> {
  const settings = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', '--id-seed', 'easter'];
  const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-22T12:00:00+01:00'];
  const { address, stop } = await startServer(readConfig({}, [...settings, ...clock]), wall);
  try {
    const shop = new Shop(address);
    const advance = async (to: string): Promise<void> => {
      await post(`${address}/sandbox/clock/advance`, JSON.stringify({ to }), {});
    };
    const approve = async (scaPage: string): Promise<void> => {
      const approval = JSON.stringify({ outcome: 'approve', psu: nora, context: 'PRIVATE' });
      await post(`${address}/sandbox/sca/${scaPage.split('/').at(-1)}`, approval, {});
    };
    const pageOf = (id: string): string => `${address}/console/payments/${encodeURIComponent(id)}`;
    await approve((await shop.pay('Husleie Bakken', '9500.00', '2027-03-23')).scaPage);
    await advance('2027-03-24T12:00:00+01:00');
    const { paymentId, scaPage } = await shop.pay('Påskeharen AS', '250.00', '2027-03-25');
    await shop.sendRefused();
    return {
      calendar: `${address}/console/calendar`,
      scaPage,
      payment: pageOf(paymentId),
      refused: `${address}/console/requests/${refusedId}`,
      rejected: async () => {
        const short = await shop.pay('Strøm og Nett AS', '25000.00', '2027-03-30');
        await approve(short.scaPage);
        await advance('2027-03-31T05:30:00+02:00');
        return pageOf(short.paymentId);
      },
      advance,
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Initiated {
  readonly paymentId: string;
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}

/** A TPP. */
class Shop {
  readonly #address: string;
  readonly #certificate = issueCertificate({
    commonName: 'nettbutikken.example',
    organization: 'Nettbutikken AS',
    organizationIdentifier: 'PSDNO-FSA-987654321',
    roles: ['PSP_AI', 'PSP_PI'],
    validFrom: Date.UTC(2026, 0, 1) as Instant,
    validTo: Date.UTC(2027, 11, 31) as Instant,
  });

  constructor(address: string) {
    this.#address = address;
  }

  /** Nora pays from her account on a date. */
  async pay(creditorName: string, amount: string, on: string): Promise<{ paymentId: string; scaPage: string }> {
    const target = '/v1/payments/norwegian-domestic-credit-transfers';
    const body = JSON.stringify({
      debtorAccount: { bban: '09232911044', currency: 'NOK' },
      creditorAccount: { bban: '90491105991', currency: 'NOK' },
      creditorName,
      instructedAmount: { amount, currency: 'NOK' },
      requestedExecutionDate: on,
    });
    const back = `${this.#address}/sandbox/landed`;
    const headers = { 'tpp-redirect-uri': back, 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
    const signed = this.#signed('POST', target, headers, { body, requestId: idOf(on) });
    const answer = (await post(this.#address + target, body, signed)) as Initiated;
    return { paymentId: answer.paymentId, scaPage: answer._links.scaRedirect.href };
  }

  /** A request whose redirect address got its query after it was signed. */
  async sendRefused(): Promise<void> {
    const back = 'https://nettbutikken.example/back';
    const headers = { 'tpp-redirect-uri': back, 'tpp-session-id': 'session-1' };
    const signed = this.#signed('GET', '/v1/accounts', headers, { body: '', requestId: refusedId });
    await fetch(`${this.#address}/v1/accounts`, { headers: { ...signed, 'tpp-redirect-uri': `${back}?order=7` } });
  }

  #signed(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    { body, requestId }: { readonly body: string; readonly requestId: string },
  ): Record<string, string> {
    const { certificatePem: certificate, keyPem: key } = this.#certificate;
    const own = { 'psu-ip-address': '192.0.2.10', 'x-accept-fix': 'longer-names', ...headers };
    const given = { method, target, headers: own, body: Buffer.from(body), certificate, key };
    return { ...own, ...signHeaders({ ...given, date: signedAt, requestId }) };
  }
}

/** The answer to JSON. Throws an Error with a refusal. */
async function post(address: string, body: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const own = { 'content-type': 'application/json', ...headers };
  const answer = await fetch(address, { method: 'POST', headers: own, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${address}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
