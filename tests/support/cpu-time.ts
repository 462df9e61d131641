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

/** The least processor time in ms of some tries: the work of a garbage collector falls into others. */
export async function leastCpuTime(tries: number, time: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let count = 0; count < tries; count += 1) least = Math.min(least, await time());
  return least;
}

/** Ms of processor time: enough to tell {@link slowness} within a fifth. */
const pace = 50;

/**
 * How many times as long as on an idle machine work takes now, because other processes use the processor: at least 1. A limit in ms for
 * something that a process of ours does by itself is for an idle machine, and is multiplied by it.
 */
export function slowness(): number {
  const [begun, cpu] = [performance.now(), process.threadCpuUsage()];
  for (;;) {
    const { user, system } = process.threadCpuUsage(cpu);
    const spent = (user + system) / 1000;
    if (spent >= pace) return Math.max(1, (performance.now() - begun) / spent);
  }
}

/**
 * Ms that pass until the work is done on an idle machine, for work that is mostly waiting. Work that takes longer than `limit` is
 * tried again, up to three times in all. Each time it is made anew, and what it returns is timed.
 */
export async function shortestWait(limit: number, made: () => Promise<() => Promise<unknown>>): Promise<number> {
  let shortest = Infinity;
  for (let tries = 0; tries < 3 && shortest >= limit; tries += 1) {
    const work = await made();
    const begun = performance.now();
    await work();
    shortest = Math.min(shortest, (performance.now() - begun) / slowness());
  }
  return shortest;
}

/** Ms: half a step of the system's count more or less does not make a hundred times as long ten thousand times as long. */
const longer = 20;

/**
 * How many times as long the work takes at the large size as at the small one, the faster of two each: what takes time in
 * proportion to the size gives their ratio, whatever the machine. Good to a factor of two.
 */
export function growth(work: (size: number) => () => unknown, small: number, large: number): number {
  return faster(work(large)) / faster(work(small));
}

function faster(work: () => unknown): number {
  return Math.min(cpuTimeOf(work, longer), cpuTimeOf(work, longer));
}
