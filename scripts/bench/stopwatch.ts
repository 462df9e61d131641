/** One measurement. */
export interface Measured {
  readonly seconds: number;
  /** Peak of resident memory above that at the start, in MB. */
  readonly megabytes: number;
}

const bytesPerMegabyte = 1024 * 1024;

/** Collects garbage and starts to measure; returns the function that stops. */
export function stopwatch(): () => Measured {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const start = performance.now();
  return () => {
    const seconds = (performance.now() - start) / 1000;
    const peak = process.resourceUsage().maxRSS * 1024;
    return { seconds, megabytes: (peak - before) / bytesPerMegabyte };
  };
}
