/*
 * What only a sandbox has. At a real bank the certificate comes from a certificate authority, the day is today, and the dates of
 * a standing order are for the shop to work out.
 */

/** A date on which a standing order is paid. */
export interface OrderDate {
  readonly executionDate: string;
  /** Why it is not the day of the month that was asked for. */
  readonly moved?: string;
  /** `planned`, or the status of that payment. */
  readonly status: string;
}

export class Sandbox {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** `address`: of the bank, such as `http://127.0.0.1:7263`. `token`: its control token. If it is left out, it has none. */
  constructor(address: string, token?: string) {
    this.#address = `${address.replace(/\/$/, '')}/sandbox`;
    this.#headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  }

  /** A certificate and its key, PEM, for a TPP of that name. */
  certificate(name: string): Promise<{ readonly certificate: string; readonly key: string }> {
    return this.#ask('/certificates', { method: 'POST', body: JSON.stringify({ name }) });
  }

  /** Where a browser on this machine finds the bank; its address can be another in a network of containers. */
  async publicAddress(): Promise<string> {
    const { addresses } = await this.#ask<{ readonly addresses: { readonly sca: string } }>('/info');
    return addresses.sca.replace(/\/sca$/, '');
  }

  /** The day on the bank's clock. */
  async today(): Promise<string> {
    return (await this.#ask<{ readonly date: string }>('/clock')).date;
  }

  /** The dates of a standing order, past and next. */
  async dates(paymentId: string): Promise<readonly OrderDate[]> {
    const path = `/payments/${encodeURIComponent(paymentId)}`;
    return (await this.#ask<{ readonly occurrences: readonly OrderDate[] }>(path)).occurrences;
  }

  async #ask<Answer>(path: string, sent: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(this.#address + path, { ...sent, headers: this.#headers }).catch((error: unknown) => {
      const { code = '' } = Object((error as Error).cause) as { readonly code?: string };
      const isUntrusted = /CERT|VERIFY|ISSUER/.test(code);
      const why = 'its certificate is not trusted: NODE_EXTRA_CA_CERTS=FILE trusts the CA in FILE';
      throw new Error(isUntrusted ? why : 'nothing answers there', { cause: error });
    });
    if (answer.ok) return (await answer.json()) as Answer;
    if (answer.status === 401)
      throw new Error('it asks for its control token: set SANDBANK_CONTROL_TOKEN for the shop too');
    throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
}
