import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { addressOf } from '../../api/pipeline/addresses.ts';
import { ownPages, ownSite } from '../../api/pipeline/own-site.ts';
import { generateKey, issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { Credentials } from '../../api/signing/signature/sign-request.ts';
import { lockedReason } from '../../api/signing/certificate-kit.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { firstLineOf } from '../../api/start/error-text.ts';
import { listen } from '../../api/start/free-port.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { bankAddress, bankBelow } from '../cli/bank-address.ts';
import { bankFlag, CommandFailed, WrongUse } from '../cli/command.ts';
import { readInput } from '../cli/file-input.ts';
import { aborted, endSignal } from '../cli/end-signal.ts';
import { expecting, wholeIn } from '../../engine/values/text-form.ts';
import { valueOf } from '../cli/flag-values.ts';
import { bankClockOf } from '../cli/signing-clock.ts';
import type { ProxyRecording } from './proxy-recording.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The port of the platform vendor's proxy: scripts for that proxy send to it. */
const usualPort = 8731;

/** 0: a free one. */
const portForm = expecting(`a port such as ${usualPort}`, wholeIn(0, 65_535));

/** Signs plain requests outside the server, for any bank of this interface, until a signal ends it. */
export const proxy: Command = {
  name: 'proxy',
  summary: 'Signs plain requests and passes them on to any bank with this interface.',
  flags: {
    '--port <N>': `The port to listen on; 0 takes a free port [${usualPort}].`,
    '--host <HOST>': 'The address to listen on [127.0.0.1].',
    '--target <URL>':
      'The address of the bank; its path goes before the path of each request. Default: $BANK, or the server of HOST and PORT.',
    '--cert <FILE>': 'The signing certificate, PEM. Default: a self-signed certificate of a throw-away TPP.',
    '--key <FILE>': 'Its RSA key, PEM.',
    '--record <FILE>':
      'Writes what passes to the interface as HAR 1.2, for sandbank drift. Stand-ins replace personal data as docs/drift.md says: read the file before you give it away.',
    ...bankFlag,
    '--json': 'Prints the address and the target as one line of JSON.',
  },
  settings: ['SANDBANK_ALLOWED_HOSTS'],
  notes: [
    'The proxy signs requests to paths of the interface (/v1, /api/v1, /api-sandbox/v1, also below /banks/NAME). It passes on other requests unchanged.',
    'The proxy adds Date, Digest, X-Request-ID, TPP-Redirect-URI and PSU-IP-Address if they are missing. It keeps your headers, and drops a header that you send empty. It refuses a request that has a signature: send that request to the bank.',
    'Host and Origin must be localhost or one of --allowed-hosts, as for the control plane. Ctrl-C or SIGTERM stops the proxy.',
    'With --record the proxy passes on a signed request unchanged. The file is complete after each entry. The proxy sends the bank no requests of its own. It also records calls through the unsigned door of a Sandbank. docs/drift.md explains stand-ins.',
    'If Node does not trust the certificate of the bank, set NODE_EXTRA_CA_CERTS=FILE. If the bank does not answer, the proxy answers 502.',
  ],
  examples: [
    'sandbank proxy --port 0 --target https://bank.example/api-sandbox',
    'sandbank proxy --port 0 --record bank.har',
  ],
  run: async (given, terminal) => {
    const host = (given.text('host') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
    const port = valueOf('port', given.text('port') ?? String(usualPort), portForm);
    const target = targetOf(given);
    const site = ownPages(ownSite({ host, allowedHosts: given.config().allowedHosts, publicUrl: null }));
    const recording = await recordingOf(given);
    // Imported only here, because it loads Node's TLS.
    const { signingProxy } = await import('./signing-proxy.ts');
    const now = (): Instant => systemClock.now();
    // A bank that is recorded is asked nothing.
    const clockOf = bankClockOf(given, !given.has('target'));
    const signedAt = async (url: URL): Promise<Instant> => (recording === null && (await clockOf(url))) || now();
    const tpp = await credentialsOf(given, [now(), await signedAt(target)]);
    const server = signingProxy({ target, tpp, site, now, signedAt, recorder: recording ?? undefined });
    await listen(server, { port, host }).catch((error: unknown) => {
      throw error instanceof Mistake ? new CommandFailed(error.message) : error;
    });
    await recording?.begin().catch((error: unknown) => {
      server.close();
      throw error;
    });
    // Before the address is printed: its reader may end the proxy at once.
    const { signal: ending } = endSignal({ env: terminal.env });
    const address = addressOf(host, (server.address() as AddressInfo).port);
    const there = target.href.replace(/\/$/, '');
    if (given.has('json')) terminal.out(JSON.stringify({ address, target: there }));
    else terminal.out(`Signing proxy ${address} for ${there}`);
    await aborted(ending);
    server.close();
    server.closeAllConnections();
    recording?.end(terminal, given.has('json'));
  },
};

/** The recording of `--record`. */
async function recordingOf(given: Arguments): Promise<ProxyRecording | null> {
  const file = given.text('record');
  if (file === undefined) return null;
  // Loaded here only, so that the other commands start faster.
  const { ProxyRecording: Recording } = await import('./proxy-recording.ts');
  return new Recording(file);
}

/** --port and --host are the proxy's own. */
function targetOf(given: Arguments): URL {
  const text = given.text('target');
  const { server, path } = text === undefined ? bankAddress(given, false) : bankBelow(text, given, '--target');
  return new URL(server + path);
}

/** The certificate of the files, or a throw-away certificate whose key stays in memory. */
async function credentialsOf(given: Arguments, clocks: readonly Instant[]): Promise<Credentials> {
  const [cert, key] = [given.text('cert'), given.text('key')];
  if ((cert === undefined) !== (key === undefined)) throw new WrongUse('--cert and --key go together');
  if (cert !== undefined && key !== undefined) {
    const certificate = read('--cert', cert, (text) => new X509Certificate(text));
    return { certificate, key: read('--key', key, createPrivateKey) };
  }
  const keyPem = await generateKey();
  const issued = issueCertificate({ ...testTppRequest('default', clocks), keyPem });
  return { certificate: issued.certificatePem, key: issued.keyPem };
}

/** Reads a file that `parse` understands. */
function read(flag: string, file: string, parse: (text: string) => unknown): string {
  const text = readInput(`${flag} ${file}`, file).toString('utf8');
  try {
    parse(text);
    return text;
  } catch (error) {
    throw new Mistake(`${flag} ${file} cannot be used: ${lockedReason(text) ?? firstLineOf(error)}`);
  }
}
