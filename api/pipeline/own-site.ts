import type { IncomingMessage } from 'node:http';
import { clip, quote } from '../../engine/values/text.ts';
import { isHost } from './host-name.ts';

/** Reason to refuse a request to the pages or the control plane. */
export interface SiteFault {
  readonly text: string;
  /** Accepted hosts, when the Host header is wrong. */
  readonly hosts?: readonly string[];
}

/** Settings with the bank's own host names. */
export interface SiteSettings {
  readonly allowedHosts: readonly string[];
  readonly publicUrl: string | null;
  /** The name or IP address that the server listens at, which it prints. */
  readonly host: string;
}

/** Checks a request; null: it passes. */
export type SiteCheck = (request: Pick<IncomingMessage, 'headers'>) => SiteFault | null;

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Protects unsigned calls from other web pages (rules.md A2d). The Host must be localhost, the `HOST` of the settings, one of
 * `SANDBANK_ALLOWED_HOSTS` or the host of `SANDBANK_PUBLIC_URL`: this stops DNS rebinding. An Origin, if sent, must be that of the Host or of the
 * public address; programs such as curl send none.
 */
export function ownSite({ allowedHosts, publicUrl, host: own }: SiteSettings): SiteCheck {
  const published = publicUrl === null ? null : new URL(publicUrl);
  const hosts = new Set([...localHosts, ...namesOf(own), ...allowedHosts.map((host) => host.toLowerCase())]);
  if (published !== null) hosts.add(published.hostname);
  return (request) => {
    const host = (request.headers.host ?? '').toLowerCase();
    if (!hosts.has(nameIn(host)) && !hosts.has(host)) return foreignHost(host, hosts);
    const { origin } = request.headers;
    if (origin === undefined || origin === published?.origin || isOriginOf(host, origin)) return null;
    return {
      text: `The bank takes nothing from web pages of another origin, and this came from ${quote(origin, 100)}.`,
    };
  };
}

/**
 * The same check, for paths where a GET changes something too, as one that opens an SCA: an image or a link of another page
 * sends no Origin, but a browser says where it comes from in `Sec-Fetch-Site`.
 */
export function ownPages(check: SiteCheck): SiteCheck {
  return (request) => {
    const from = request.headers['sec-fetch-site'];
    const isOwn = from === undefined || from === 'same-origin' || from === 'none';
    return isOwn ? check(request) : { text: 'The bank takes nothing from web pages of another origin.' };
  };
}

/** A host as it is written in an address, and as browsers write it there: `2001:DB8::0:1` is `[2001:db8::1]`. */
function namesOf(host: string): readonly string[] {
  const written = (host.includes(':') ? `[${host}]` : host).toLowerCase();
  const address = `http://${written}`;
  return URL.canParse(address) ? [written, new URL(address).hostname] : [];
}

/** The name in a Host header, without its port; empty when there is none. */
function nameIn(host: string): string {
  return /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host)?.[1] ?? '';
}

/** Parses both as URLs, which drops a default port. */
function isOriginOf(host: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  const own = `${protocol}//${host}`;
  return from !== '' && URL.canParse(own) && new URL(own).host === from;
}

function foreignHost(host: string, hosts: ReadonlySet<string>): SiteFault {
  if (host === '') return { text: 'The request names no host. Send one of these as Host.', hosts: [...hosts] };
  const advice = isHost(host) ? `SANDBANK_ALLOWED_HOSTS=${nameIn(host)} adds it` : 'SANDBANK_ALLOWED_HOSTS adds names';
  const text = `The bank does not answer to the host ${quote(host, 100)} here. ${clip(advice, 200)}.`;
  return { text, hosts: [...hosts] };
}
