/** A developer's own page may frame the page too, wherever it runs on the same machine. */
const localPages = ['http://localhost:*', 'http://127.0.0.1:*'];

/** An origin that a content security policy can name: a host of other characters could add directives to it. */
const nameable = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/**
 * Who may frame the pages of an SCA (rules.md A2f; interface: PSU identification and SCA, 2): the origin of its redirect
 * address, and pages of the same machine. An address of an app has no origin: nobody.
 */
export function frameAncestors(redirectUri: string): readonly string[] {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  return nameable.test(url.origin) ? [url.origin, ...localPages] : localPages;
}
