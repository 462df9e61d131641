import { contentOf, membersOf, oidOf, type DerValue } from './der.ts';

/** What one extension of a certificate holds, null when it is not there. Throws a plain Error for malformed extensions. */
export function extensionContent(extensions: DerValue, oid: string): Buffer | null {
  const extension = membersOf(extensions).find((one) => oidOf(membersOf(one)[0]) === oid);
  return extension === undefined ? null : contentOf(membersOf(extension).at(-1));
}
