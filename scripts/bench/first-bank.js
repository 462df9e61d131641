// A process of its own: prints how many ms its first `createBank` took, and the median of those after it. `node first-bank.js HARNESS`.
const { performance } = globalThis;
const [harness] = process.argv.slice(2);
const { createBank } = await import(harness);

async function timeOfOne() {
  const begun = performance.now();
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  const time = performance.now() - begun;
  await bank.close();
  return time;
}

const first = await timeOfOne();
const later = [];
while (later.length < 31) later.push(await timeOfOne());
console.log(JSON.stringify({ first, later: later.toSorted((one, other) => one - other)[15] }));
