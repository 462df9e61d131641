import { randomBytes, randomUUID } from 'node:crypto';

/** Where new identifiers come from. A seeded source makes two ledgers alike. */
export interface Ids {
  /** An id of the interface: `enc!!` and url-safe base64 with its `=`, as the banks write them (rules.md P2). */
  resourceId(): string;
  uuid(): string;
  /** An unguessable word that is safe in a path (rules.md A2). */
  secret(): string;
}

/** 31 bytes fill 42 characters of base64 and two `=`, which a client must encode or leave alone. */
const resourceIdBytes = 31;

export const randomIds: Ids = {
  resourceId: () => `enc!!${randomBytes(resourceIdBytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`,
  uuid: () => randomUUID(),
  secret: () => randomBytes(24).toString('base64url'),
};
