/** Work that may pause after each step, and its result. A step takes a fraction of a ms unless its maker says otherwise. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all the work without a pause, and returns its result. */
export function atOnce<Result>(work: Steps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
