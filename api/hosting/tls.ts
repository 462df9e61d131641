import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Logger } from 'pino';
import { replaceOwn } from '../../engine/open-bank.ts';
import { clearTimeout, setTimeout } from '../../engine/time/clock.ts';
import { assert } from '../../engine/values/assert.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { lockedReason, pemBlocks } from '../signing/certificate-kit.ts';
import { isOutside, issueCertificate, type Validity, validity } from '../signing/certificate/issue-certificate.ts';
import { fileReason } from '../start/error-text.ts';
import { type Config, sandboxCaFile, unusable } from '../start/config.ts';
import { type SandboxCa, type SandboxCaSource, usableCa } from '../start/trusted-cas.ts';
import type { ClientLimits } from './http-server.ts';

const day = 86_400_000;
/** How long an issued certificate is valid: some clients refuse more than 398 days. */
const validDays = 365;
/** How many days before its end a new one takes its place. */
const renewalDays = 30;

/** Certificate and key of a server, PEM. */
interface Credentials extends Validity {
  readonly cert: string;
  readonly key: string;
}

/** Gives certificate and key of a server, valid by all these clocks. Those of `--tls-cert` are always the same ones. */
type Issue = (clocks: readonly Instant[]) => Credentials;

/** The certificate of `--tls-cert`, if there is one. Throws a Mistake for files that a server cannot use now. */
function ownCertificate(config: Config, now: Instant): Issue | null {
  const { tls, tlsCert, tlsKey } = config;
  if (tlsCert === null && tlsKey === null) return null;
  if (!tls) throw new Mistake('--tls-cert and --tls-key go with --tls');
  if (tlsCert === null || tlsKey === null) throw new Mistake('--tls-cert and --tls-key go together');
  const cert = readPem(config, 'tlsCert', (text) => new X509Certificate(text));
  const key = readPem(config, 'tlsKey', createPrivateKey);
  const { validTo, validFromDate, validToDate } = cert.parsed;
  if (validToDate.getTime() <= now) throw unusable(config, 'tlsCert', `it expired on ${validTo}`);
  if (!cert.parsed.checkPrivateKey(key.parsed)) {
    const chain = pemBlocks(cert.text, 'CERTIFICATE');
    const isBelow = chain.some((each) => new X509Certificate(each).checkPrivateKey(key.parsed));
    if (isBelow) throw unusable(config, 'tlsCert', `the certificate of the key in "${tlsKey}" comes first`);
    throw unusable(config, 'tlsKey', `it is not the key of the certificate in "${tlsCert}"`);
  }
  const of = { validFrom: validFromDate.getTime() as Instant, validTo: validToDate.getTime() as Instant };
  const credentials = { cert: cert.text, key: key.text, ...of };
  return () => credentials;
}

function readPem<Parsed>(config: Config, key: 'tlsCert' | 'tlsKey', parse: (text: string) => Parsed) {
  let text = '';
  try {
    text = readFileSync(config[key] ?? '', 'utf8');
    return { text, parsed: parse(text) };
  } catch (error) {
    const isUnread = (error as NodeJS.ErrnoException).syscall !== undefined;
    const why = isUnread ? fileReason(error) : (lockedReason(text) ?? 'it is no PEM file of that kind');
    throw unusable(config, key, why);
  }
}

/** Certificates that the sandbox CA issues for localhost and all other names of this server. */
function issuedCertificate({ host, publicUrl, allowedHosts }: Config, issuer: SandboxCa): Issue {
  const published = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const allowed = allowedHosts.map((each) => each.replace(/:\d+$/, ''));
  // A client asks for an address without its brackets, and knows no zone of another machine.
  const own = [host, ...published, ...allowed].map((name) => name.replace(/^\[|\]$|%.*/g, ''));
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', ...own])];
  return (clocks) => {
    const validIn = validity(clocks, validDays);
    const subject = { commonName: 'localhost', organization: 'Sandbank', roles: null, hosts, key: 'P-256' as const };
    const { certificatePem, keyPem } = issueCertificate({ ...subject, ...validIn, issuer });
    return { ...validIn, cert: certificatePem, key: keyPem, validTo: (validIn.validTo - renewalDays * day) as Instant };
  };
}

interface SecurePort {
  /** Connections wait for it. If it rejects, the start fails with the same error. */
  readonly issue: Promise<Issue>;
  /**
   * The times of the server: the first is the wall clock, the others are those by which its banks judge certificates.
   */
  readonly clocks: () => readonly [Instant, ...Instant[]];
  readonly limits: ClientLimits;
  readonly stopping: AbortSignal;
  readonly log: Logger;
}

/**
 * Has a server speak TLS as its settings say. `ready` settles when clients can connect. Throws a Mistake for wrong
 * settings.
 */
export function secure(
  server: Server,
  config: Config,
  { sandboxCa, ...port }: Omit<SecurePort, 'issue'> & { readonly sandboxCa: SandboxCaSource },
): { readonly ready: Promise<unknown> } {
  const own = ownCertificate(config, port.clocks()[0]);
  const issue = own === null ? issuedBySandbox(config, sandboxCa) : Promise.resolve(own);
  speakTls(server, { ...port, issue });
  return { ready: issue };
}

async function issuedBySandbox(config: Config, sandboxCa: SandboxCaSource): Promise<Issue> {
  const ca = await usableCa(sandboxCa);
  if (config.ledger !== ':memory:') writeCa(sandboxCaFile(config.ledger, 'crt'), ca);
  return issuedCertificate(config, ca);
}

function writeCa(file: string, { certificatePem }: SandboxCa): void {
  try {
    replaceOwn(file, certificatePem, isOfSandbank);
  } catch (error) {
    if (error instanceof Mistake) throw error;
    throw new Mistake(`cannot write "${file}": ${fileReason(error)}`);
  }
}

/** Whether a file is a certificate of a sandbox CA. */
function isOfSandbank(beginning: Buffer): boolean {
  try {
    return /^O=Sandbank$/m.test(new X509Certificate(beginning).subject);
  } catch {
    return false;
  }
}

/** The first byte of a TLS connection: its record is a handshake. */
const handshake = 0x16;

/**
 * Has an HTTP server speak TLS 1.2 and 1.3 on its port (rules.md G13). A connection that begins with another byte stays
 * plain, so that the server can refuse its requests in words; Node's own HTTPS server only resets it. A connection that
 * sends nothing is closed in time.
 */
function speakTls(server: Server, { issue, clocks, limits, stopping, log }: SecurePort): void {
  const [takeHttp] = server.listeners('connection') as ((socket: Socket) => void)[];
  assert(takeHttp !== undefined, 'an HTTP server listens to its connections');
  server.removeAllListeners('connection');
  /** The connections that speak no HTTP yet, by the address of the client. */
  const opening = new Map<string, Socket>();
  const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  const http = (socket: Socket): void => {
    opening.delete(clientOf(socket));
    takeHttp.call(server, socket);
  };
  const acceptTls = issue.then((issued) => tlsServer(issued, { clocks, limits, log, http }));
  acceptTls.catch(() => undefined);
  stopping.addEventListener('abort', () => opening.forEach((socket) => socket.destroy()), { once: true });
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket);
    const destroy = (): void => void socket.destroy();
    opening.set(client, socket);
    socket.once('close', () => opening.delete(client));
    socket.on('error', destroy).once('end', destroy);
    const timer = setTimeout(destroy, limits.headers).unref();
    socket.once('data', (first: Buffer) => {
      clearTimeout(timer);
      socket.pause();
      socket.unshift(first);
      if (first[0] === handshake) {
        acceptTls.then((accept) => accept(socket)).catch(destroy);
        return;
      }
      socket.off('error', destroy).off('end', destroy);
      http(socket);
      socket.resume();
    });
  });
}

/**
 * Takes connections that begin a handshake. It renews the certificate before its end, and when a clock has moved out of
 * it, and keeps the old one if that fails.
 */
function tlsServer(
  issue: Issue,
  {
    clocks,
    limits,
    log,
    http,
  }: Pick<SecurePort, 'clocks' | 'limits' | 'log'> & { readonly http: (socket: Socket) => void },
): (socket: Socket) => void {
  let issued = issue(clocks());
  let isTold = false;
  const options = { minVersion: 'TLSv1.2', handshakeTimeout: limits.headers, ALPNProtocols: ['http/1.1'] } as const;
  const server = createServer({ ...options, ...issued });
  server.on('secureConnection', http);
  server.on('tlsClientError', ({ message }, socket) => {
    log.info({ error: message, peer: socket.remoteAddress }, 'a connection by TLS failed');
    socket.destroy();
  });
  const keepValid = (): void => {
    try {
      const outside = clocks().find((at) => isOutside(issued, [at]));
      if (outside === undefined) return void (isTold = false);
      const next = issue(clocks());
      if (next === issued) {
        const text = `the certificate of --tls-cert is not valid on ${formatInstant(outside)}, which a clock of this server shows: clients in that time refuse it`;
        if (!isTold) log.warn(text);
        return void (isTold = true);
      }
      server.setSecureContext({ minVersion: options.minVersion, ...next });
      issued = next;
    } catch (error) {
      log.error({ err: error }, 'the certificate could not be renewed: the old one stays in use');
    }
  };
  return (socket) => {
    if (socket.destroyed) return;
    // Half a connection is open on a server of HTTP: a client that left would keep it until the handshake is over.
    socket.allowHalfOpen = false;
    keepValid();
    server.emit('connection', socket);
  };
}
