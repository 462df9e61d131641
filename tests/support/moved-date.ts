/** The machine's own `Date`, whatever a test has put in its place. */
export const RealDate = Date;

let offset = 0;

class MovedDate extends RealDate {
  constructor(...given: [] | ConstructorParameters<typeof RealDate>) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}

/** Moves the wall clock, which node-cron, signatures and a server read, to this instant in ms; it goes on from there. */
export function moveWall(to: number): void {
  offset = to - RealDate.now();
  globalThis.Date = MovedDate as DateConstructor;
}

/** Gives the machine its wall clock back. */
export function restoreWall(): void {
  globalThis.Date = RealDate;
}
