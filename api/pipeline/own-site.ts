import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../engine/values/fault.ts';
import { clip, quote } from '../../engine/values/text.ts';
import { isHost } from './addresses.ts';

/*
 * The check against other web sites (rules.md A2d, docs/spec/control-plane.md C1, C2). The interface needs none: a TPP
 * signs its requests. Everything else is unsigned, so a page of another site must not reach it through the browser of a
 * developer:
 *
 * - `hostFault`: a request has one Host header.
 * - `ownSite`: Host and Origin are the bank's own.
 * - `ownPages`: the request does not come from a page of another site, by Sec-Fetch-Site. Needed where a request
 *   changes something.
 * - `ownCalls`: the same, but a link of another site may open a page of the console or the control plane.
 * - A form carries a token of the page that showed it (api/pages/page-security.ts).
 *
 * The control plane answers a fault with a problem, see api/control/guard.ts, and pages with a page, see
 * api/pages/refusals.ts.
 */

/** Why a request to the pages or the control plane is refused. */
export interface SiteFault {
  readonly text: string;
  /** The accepted hosts, if the Host header is wrong. */
  readonly hosts?: readonly string[];
}

/** The settings that name the bank's own hosts. */
interface SiteSettings {
  readonly allowedHosts: readonly string[];
  readonly publicUrl: string | null;
  /** The name or IP address that the server listens on and prints. */
  readonly host: string;
}

/** Checks a request. Returns null if it passes. */
export type SiteCheck = (request: Pick<IncomingMessage, 'headers'>) => SiteFault | null;

/** The same, by the method of the request. */
export type CallCheck = (request: Pick<IncomingMessage, 'headers' | 'method'>) => SiteFault | null;

/**
 * Refusal of a request with two Host headers: each reader could take another one. Returns null if it has one, or none.
 */
export function hostFault({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Refusal | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts < 2) return null;
  const text = `The header Host was sent ${hosts} times. Send it once.`;
  return new Refusal({ code: 'BAD_REQUEST', path: 'host', text });
}

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Makes the check of Host and Origin. The Host must be localhost, the setting `HOST`, one of `SANDBANK_ALLOWED_HOSTS`
 * or the host of `SANDBANK_PUBLIC_URL`: this stops DNS rebinding. An Origin must be that of the Host or of the public
 * address; programs such as curl send none.
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
      text: `The bank refuses web pages of another origin; this request came from ${quote(origin, 100)}.`,
    };
  };
}

/**
 * The check for requests that change something, which some GETs do too. An image or a link of another page sends no
 * Origin, but the browser says in `Sec-Fetch-Site` where the request comes from.
 */
export function ownPages(check: SiteCheck): SiteCheck {
  return (request) => {
    const from = request.headers['sec-fetch-site'];
    const isOwn = from === undefined || from === 'same-origin' || from === 'none';
    return isOwn ? check(request) : { text: 'The bank refuses web pages of another origin.' };
  };
}

/**
 * The check for calls whose GETs change nothing: all must pass {@link ownPages}, but a link of another site may open a
 * page (C35). An image of another site would tell it the size of what it shows, and a fetch would begin a dear read.
 */
export function ownCalls(check: SiteCheck): CallCheck {
  const ofPages = ownPages(check);
  return (request) => {
    const { method, headers } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const isOpened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    return (isRead && isOpened ? check : ofPages)(request);
  };
}

/** The spellings of a host in an address: as given, and as browsers write it (`2001:DB8::0:1` is `[2001:db8::1]`). */
function namesOf(host: string): readonly string[] {
  const written = (host.includes(':') ? `[${host}]` : host).toLowerCase();
  const address = `http://${written}`;
  return URL.canParse(address) ? [written, new URL(address).hostname] : [];
}

/** The name in a Host header, without its port; empty if the header names no host. */
function nameIn(host: string): string {
  return /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host)?.[1] ?? '';
}

/** Whether an Origin is that of a Host. Both are parsed as URLs, which drops a default port. */
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
