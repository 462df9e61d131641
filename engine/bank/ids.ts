import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Creates identifiers. With the same seed and the same commands two ledgers get the same ones. */
export interface Ids {
  /** Resource id: `enc!!` and url-safe base64 with its `=`, as the banks write it (rules.md P2). */
  resourceId(): string;
  uuid(): string;
  /** An unguessable text that is safe in a path (rules.md A2). */
  secret(): string;
  /**
   * The key of ids on the wire (rules.md Q3), 32 bytes as hex. With a seed it is always the same, and drawing it
   * changes no other id.
   */
  wireKey(): string;
  /** Seeded ids only: later ids follow from this text. */
  readonly follow?: (past: string) => void;
}

/** 31 bytes give 42 characters of base64 and two `=`, so that clients meet the `=` that real ids have. */
const resourceIdBytes = 31;

export const randomIds: Ids = {
  resourceId: () => resourceIdOf(drawBytes(resourceIdBytes)),
  uuid: () => randomUUID(),
  secret: () => drawBytes(24).toString('base64url'),
  wireKey: () => randomBytes(32).toString('hex'),
};

/** A reserve of random bytes: asking the system each time takes longer than an SQL statement. */
let randomBytesLeft = Buffer.alloc(0);

/** Takes random bytes from the reserve. */
function drawBytes(count: number): Buffer {
  if (randomBytesLeft.length < count) randomBytesLeft = randomBytes(4_096);
  const bytes = randomBytesLeft.subarray(0, count);
  randomBytesLeft = randomBytesLeft.subarray(count);
  return bytes;
}

/**
 * Ids for tests: determined by the seed and their order, and unguessable without the seed. `follow` keeps a reopened
 * bank from creating ids that its ledger already has.
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
    wireKey: () => createHmac('sha256', seed).update('ids on the wire').digest('hex'),
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

/** The secret of this number that follows from another one. */
export function secretFrom(secret: string, number: number): string {
  return createHmac('sha256', secret).update(String(number)).digest().subarray(0, 24).toString('base64url');
}

/**
 * A new secret, random even with a seed: earlier cursors of lists and addresses of pages become unknown (rules.md A9c,
 * A7e).
 */
export function newKey(): string {
  return randomBytes(32).toString('hex');
}
