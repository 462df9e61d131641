/**
 * Mean processor time of a piece of work in ms. What other processes of a busy machine take meanwhile does not count. The work is
 * repeated for `longEnough` ms: the system counts processor time in steps of up to 10 ms.
 */
export function cpuTimeOf(work: () => unknown, longEnough = 60): number {
  const begun = process.threadCpuUsage();
  for (let times = 1; ; times += 1) {
    work();
    const { user, system } = process.threadCpuUsage(begun);
    const spent = (user + system) / 1000;
    if (spent >= longEnough) return spent / times;
  }
}

/**
 * Processor time in ms, of all threads of this process, until the work is done: that of a bank which runs in it, and not what other processes of
 * a busy machine take.
 */
export async function cpuTimeDuring(work: () => Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/**
 * Ms that pass until the work is done, for work that is mostly waiting. A busy machine only adds to them: work that takes longer than `limit` is
 * tried again, up to three times in all. Each time it is made anew, and what it returns is timed.
 */
export async function shortestWait(limit: number, made: () => Promise<() => Promise<unknown>>): Promise<number> {
  let shortest = Infinity;
  for (let tries = 0; tries < 3 && shortest >= limit; tries += 1) {
    const work = await made();
    const begun = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - begun);
  }
  return shortest;
}
