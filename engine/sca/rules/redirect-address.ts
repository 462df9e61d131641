/** Schemes that a browser runs, reads from its own machine or hands to another program with what stands in the address. */
const refusedSchemes = [
  'javascript',
  'data',
  'file',
  'blob',
  'vbscript',
  'intent',
  'chrome',
  'about',
  'view-source',
  'filesystem',
];
const refusedPrefix = 'ms-';
const longest = 2048;

/** `https`, `http`, or an app's own scheme, each with a host or what stands in its place. */
const withAuthority = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i;
/** RFC 8252, 7.1: an app's own scheme is a domain name in reverse, and its address has a path alone. */
const withPath = /^([a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+):\/(?!\/)/i;
/** Printable ASCII. A backslash is part of no address, and browsers read it as a slash. */
const characters = /^[\x21-\x5b\x5d-\x7e]+$/;

/** What {@link isRedirectAddress} takes and refuses, for the text of a refusal. */
export const redirectAddressWords =
  `https, http or an app's own scheme (myapp://..., com.example.app:/...), at most ${longest} characters, ` +
  `and never ${[...refusedSchemes, `${refusedPrefix}*`].map((scheme) => `${scheme}:`).join(', ')}, ` +
  'a user name, a backslash, blanks or control characters';

/** Whether the PSU may be sent to an address after SCA (rules.md A2b). */
export function isRedirectAddress(value: string): boolean {
  // The length first: nothing below then reads a long text.
  if (value.length > longest || !characters.test(value) || !URL.canParse(value)) return false;
  const [, scheme, authority = ''] = withAuthority.exec(value) ?? withPath.exec(value) ?? [];
  if (scheme === undefined || authority.includes('@')) return false;
  const name = scheme.toLowerCase();
  return !refusedSchemes.includes(name) && !name.startsWith(refusedPrefix);
}
