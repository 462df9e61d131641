import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { verifyAnswer } from 'sandbank/client';
import type { Tpp } from 'sandbank';
import { ask, has } from './asking.ts';

interface Linked {
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}

/** A client that connects customers to their bank, and shows what they have there. */
export class Connector {
  readonly #tpp: Tpp;
  readonly #base: string;
  /** What identifies the customer; null: there is no consent. */
  #psuId: string | null = null;

  constructor(tpp: Tpp, base: string) {
    this.#tpp = tpp;
    this.#base = base;
  }

  /** Begins a consent. Returns the page on which the customer gives it. */
  async begin(): Promise<string> {
    const { body } = await ask(this.#tpp, '/v1/bank-offered-consents', { method: 'POST' });
    const links = (body as Linked)._links;
    const page = has('takes the last link for the page') ? Object.values(links).at(-1) : links['scaRedirect'];
    return page?.href ?? '';
  }

  /** The customer has come back. Returns the page of another attempt; null: the consent is there. */
  async cameBack(redirect: URL): Promise<string | null> {
    if (redirect.searchParams.get('code') !== null && !has('takes every redirect for a success')) return this.begin();
    this.#psuId = redirect.searchParams.get('psu-id');
    return null;
  }

  async #read(path: string): Promise<Awaited<ReturnType<typeof ask>>> {
    return ask(this.#tpp, path, { headers: { 'PSU-ID': this.#psuId, 'PSU-Context': 'PRIVATE' } });
  }

  /** The ids of the customer's accounts. */
  async accounts(): Promise<readonly string[]> {
    const { status, body } = await this.#read('/v1/accounts');
    if (status !== 200) throw new Error('There is no consent.');
    return body.accounts.map((account: Readonly<Record<string, string>>) => {
      const { name = '', resourceId = '' } = account;
      // A column of 40 characters.
      if (has('keeps names in 40 characters') && name.length > 40)
        throw new Error('The value is too long for its column.');
      return has('reads members by their places') ? Object.values(account)[0] : resourceId;
    });
  }

  /** How many cards the customer has. */
  async cards(): Promise<number> {
    const { status, body } = await this.#read('/v1/card-accounts');
    if (status === 404 && !has('expects an empty list of cards')) return 0;
    if (status !== 200) throw new Error(`Cards: ${status}`);
    return body.cardAccounts.length;
  }

  /** The KID of the last booked transaction, which has a category. */
  async lastKid(accountId: string): Promise<string> {
    const { body } = await this.#read(
      `/v1/accounts/${encodeURIComponent(accountId)}/transactions?bookingStatus=booked`,
    );
    this.categoryOf(body.transactions.booked[0]);
    const [{ remittanceInformationStructuredArray: references = [] }] = body.transactions.booked;
    if (has('reads a KID in one form')) return references[0].reference;
    return /\d{4,25}/.exec(JSON.stringify(references))?.[0] ?? '';
  }

  /** Reads from a bank that signs its answers. Throws an error for one that was forged. */
  async readSigned(certificate: string): Promise<void> {
    const { status, headers, text } = await ask(this.#tpp, '/v1/accounts', {
      headers: { 'PSU-ID': this.#psuId, 'PSU-Context': 'PRIVATE' },
    });
    if (has('does not verify')) return;
    if (!has('verifies the digest alone')) verifyAnswer({ status, headers, body: text }, { certificate });
    else if (headers.get('digest') !== `SHA-256=${createHash('sha256').update(text).digest('base64')}`)
      throw new Error('The digest is another.');
  }

  /** The category of a booked transaction by the code of its bank. */
  categoryOf(transaction: Readonly<Record<string, string>>): string {
    const { bankTransactionCode, proprietaryBankTransactionCode } = transaction;
    const code = proprietaryBankTransactionCode ?? bankTransactionCode;
    if (has('takes each code for one of ISO') && code !== undefined && !/^[A-Z]{4}-/.test(code))
      throw new Error(`There is no code ${code}.`);
    return bankTransactionCode?.split('-')[0] ?? '';
  }

  /** The type of a raw answer, by a connection of its own. */
  async rawType(): Promise<string> {
    const path = '/v1/accounts';
    const headers = { 'PSU-ID': this.#psuId ?? '', 'PSU-Context': 'PRIVATE' };
    for (let tries = 1; ; tries += 1) {
      try {
        const signed = await this.#tpp.sign(path, { headers });
        return await new Promise<string>((resolve, reject) => {
          const sent = request(new URL(path, this.#base), { headers: signed }, (answer) => {
            const at = answer.rawHeaders.findIndex((name) =>
              has('finds headers by their exact spelling') ? name === 'content-type' : /^content-type$/i.test(name),
            );
            answer.resume();
            answer.once('error', reject);
            answer.once('end', () => {
              const type = answer.rawHeaders[at + 1] ?? '';
              if (answer.statusCode === 200) resolve(type);
              else reject(new Error(`${answer.statusCode}`));
            });
          });
          sent.once('error', reject);
          sent.end();
        });
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
  }
}
