/** Ms for which work is repeated: the system counts processor time in steps of up to 10 ms. */
const longEnough = 60;

/** Mean processor time of a piece of work in ms. What other processes of a busy machine take meanwhile does not count. */
export function cpuTimeOf(work: () => unknown): number {
  const begun = process.threadCpuUsage();
  for (let times = 1; ; times += 1) {
    work();
    const { user, system } = process.threadCpuUsage(begun);
    const spent = (user + system) / 1000;
    if (spent >= longEnough) return spent / times;
  }
}
