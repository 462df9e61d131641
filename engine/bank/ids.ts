import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Where new identifiers come from. A seeded source makes two ledgers alike. */
export interface Ids {
  /** An id of the interface: `enc!!` and url-safe base64 with its `=`, as the banks write them (rules.md P2). */
  resourceId(): string;
  uuid(): string;
  /** An unguessable word that is safe in a path (rules.md A2). */
  secret(): string;
  /** Of seeded ones: the next follow from this text, and are counted anew. */
  readonly follow?: (past: string) => void;
}

/** 31 bytes fill 42 characters of base64 and two `=`, which a client must encode or leave alone. */
const resourceIdBytes = 31;

export const randomIds: Ids = {
  resourceId: () => resourceIdOf(randomBytes(resourceIdBytes)),
  uuid: () => randomUUID(),
  secret: () => randomBytes(24).toString('base64url'),
};

/**
 * For tests: ids that follow from a seed and the order in which they are drawn, and that nobody guesses who does not know
 * the seed. What they `follow` keeps a bank that is opened again from drawing those that its ledger holds.
 */
export function seededIds(seed: string): Ids {
  let past = '';
  let count = 0;
  const draw = (): Buffer =>
    createHmac('sha256', seed)
      .update(`${past} ${(count += 1)}`)
      .digest();
  return {
    resourceId: () => resourceIdOf(draw().subarray(0, resourceIdBytes)),
    uuid: () => uuidOf(draw()),
    secret: () => draw().subarray(0, 24).toString('base64url'),
    follow: (text) => {
      past = text;
      count = 0;
    },
  };
}

function resourceIdOf(bytes: Buffer): string {
  return `enc!!${bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`;
}

/** A UUID of version 4, as RFC 9562 marks it. */
function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
