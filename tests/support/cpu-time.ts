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
