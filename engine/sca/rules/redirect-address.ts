/** Schemes that a browser executes, reads from its own machine or passes to another program. */
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
const maxLength = 2048;

/** `https`, `http` or an app's own scheme, with a host or its equivalent. */
const withAuthority = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i;
/** RFC 8252, 7.1: an app's own scheme is a reversed domain name, and its address has only a path. */
const withPath = /^([a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+):\/(?!\/)/i;
/** Printable ASCII without the backslash, which browsers read as a slash. */
const characters = /^[\x21-\x5b\x5d-\x7e]+$/;

/** Text of a refusal: what {@link isRedirectAddress} accepts and refuses. */
export const redirectAddressWords =
  `https, http or an app's own scheme (myapp://..., com.example.app:/...), at most ${maxLength} characters, ` +
  `and never ${[...refusedSchemes, `${refusedPrefix}*`].map((scheme) => `${scheme}:`).join(', ')}, ` +
  'a user name, a backslash, blanks or control characters';

/** Whether the PSU may be sent to an address after SCA (rules.md A2b). */
export function isRedirectAddress(value: string): boolean {
  // The length first, so that no pattern runs over a long text.
  if (value.length > maxLength || !characters.test(value) || !URL.canParse(value)) return false;
  const [, scheme, authority = ''] = withAuthority.exec(value) ?? withPath.exec(value) ?? [];
  if (scheme === undefined || authority.includes('@')) return false;
  const name = scheme.toLowerCase();
  return !refusedSchemes.includes(name) && !name.startsWith(refusedPrefix);
}
