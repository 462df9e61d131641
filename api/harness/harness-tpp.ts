import { createHash } from 'node:crypto';
import { systemClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { generateKey } from '../signing/certificate/generate-key.ts';
import { issueCertificate } from '../signing/certificate/issue-certificate.ts';
import { signHeaders } from '../signing/signature/sign-request.ts';
import { signersOwn, testTppId, testTppName, usualHeaders } from '../signing/test-tpp.ts';
import { bytesOf, headersOf, type Send, targetIn } from './connect.ts';
import type { Tpp, TppOptions } from './types.ts';

/** So wide that the certificate is valid in a test that fakes the wall clock. */
const validity = { validFrom: Date.UTC(1950, 0, 1) as Instant, validTo: Date.UTC(2049, 11, 31) as Instant };

/** A TPP without `pay`. The same name is the same TPP in every bank. */
export function harnessTpp(send: Send, base: URL, { name = 'default', roles }: TppOptions): Omit<Tpp, 'pay'> {
  if (!testTppName.test(name)) {
    throw new Error(`${JSON.stringify(name)} is no name for a TPP: use 1 to 60 letters, digits and hyphens.`);
  }
  const id = testTppId(name);
  let issued: ReturnType<Tpp['credentials']> | undefined;
  const issue = async () => {
    const keyPem = await throwAwayKey();
    // Not derived from the key, which several certificates share.
    const serial = createHash('sha256')
      .update(`${name} ${String(roles)}`)
      .digest('hex')
      .slice(0, 16);
    const subject = { commonName: name, organization: `Test TPP ${name}`, organizationIdentifier: id };
    const certificate = issueCertificate({
      ...subject,
      roles: roles ?? ['PSP_AI', 'PSP_PI'],
      ...validity,
      serial,
      keyPem,
    });
    return { certificate: certificate.certificatePem, key: keyPem };
  };
  const credentials = () => (issued ??= issue());
  return {
    id,
    name,
    credentials,
    fetch: async (address, options = {}) => {
      const { method = 'GET' } = options;
      const [target, body] = [targetIn(base, address), bytesOf(options)];
      const wanted = headersOf(usualHeaders(method, target, body), options);
      const own = signersOwn.find((header) => header in wanted);
      if (own !== undefined)
        throw new Error(`A TPP sets the header ${own} itself. bank.fetch sends a request exactly as given.`);
      const { 'x-request-id': requestId = randomIds.uuid(), ...headers } = wanted;
      const date = systemClock.now();
      const signature = signHeaders({ method, target, headers, body, ...(await credentials()), date, requestId });
      return send({ method, target, headers: { ...headers, ...signature }, body });
    },
  };
}

let made: Promise<string> | undefined;

/**
 * One RSA key for all TPPs of this process, PKCS#8 in PEM: generating a key takes longer than the rest of a test. Each TPP has
 * a certificate of its own, by which the bank knows it.
 */
function throwAwayKey(): Promise<string> {
  made ??= generateKey();
  return made;
}
