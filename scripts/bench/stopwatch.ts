/** One measurement. */
export interface Measured {
  readonly seconds: number;
  /** Most resident memory at any moment since, above what there was at the start, in MB. */
  readonly megabytes: number;
}

const bytesPerMegabyte = 1024 * 1024;

/** Collects garbage and starts to measure; call what it returns to stop. */
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
