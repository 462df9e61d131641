/**
 * The member of a JSON value at a dotted path (`_links.scaRedirect.href`, `accounts.0.resourceId`), undefined when
 * there is none.
 */
export function pickMember(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return Object.getOwnPropertyDescriptor(at, name)?.value;
  }, value);
}
