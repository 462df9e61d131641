import type { Request } from 'express';
import { clip, quote } from '../../engine/values/text.ts';
import { isHost } from './host-name.ts';

/** Why a request does not reach what people and testers use: the pages and the control plane. */
export interface SiteFault {
  readonly text: string;
  /** The hosts that would be taken, where the Host is what is wrong. */
  readonly hosts?: readonly string[];
}

/** The settings that say which names are the bank's own. */
export interface SiteSettings {
  readonly allowedHosts: readonly string[];
  readonly publicUrl: string | null;
}

/** Null: the request may pass. */
export type SiteCheck = (request: Request) => SiteFault | null;

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Keeps other web pages away from what has no signature (rules.md A2d). The Host is localhost, one of
 * `SANDBANK_ALLOWED_HOSTS` or that of `SANDBANK_PUBLIC_URL`: a name that was rebound to this machine is none. An Origin
 * is that of the host that was asked, or of the public address; a program such as curl sends none.
 */
export function ownSite({ allowedHosts, publicUrl }: SiteSettings): SiteCheck {
  const published = publicUrl === null ? null : new URL(publicUrl);
  const hosts = new Set([...localHosts, ...allowedHosts.map((host) => host.toLowerCase())]);
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

/** The name in a Host, without its port; empty where there is none. */
function nameIn(host: string): string {
  return /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host)?.[1] ?? '';
}

/** Both through the same parser: a default port falls away on either side. */
function isOriginOf(host: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  const own = `${protocol}//${host}`;
  return from !== '' && URL.canParse(own) && new URL(own).host === from;
}

function foreignHost(host: string, hosts: ReadonlySet<string>): SiteFault {
  if (host === '') return { text: 'The request names no host. Send one of these as Host.', hosts: [...hosts] };
  const cure = isHost(host) ? `SANDBANK_ALLOWED_HOSTS=${nameIn(host)} adds it` : 'SANDBANK_ALLOWED_HOSTS adds names';
  const text = `The bank does not answer to the host ${quote(host, 100)} here. ${clip(cure, 200)}.`;
  return { text, hosts: [...hosts] };
}
