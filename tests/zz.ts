import { simulate } from './lab/simulation/simulate.ts';
for (const o of [
  {},
  {},
  { profile: 'bien-sparebank' },
  { persona: 'student' },
  { persona: 'family' },
  { profile: 'bien-sparebank', persona: 'pensioner' },
  {},
]) {
  const c = process.cpuUsage().user,
    t = performance.now();
  try {
    const { counts, problems } = await simulate(3, 1825, o);
    console.log(
      o,
      counts.payments,
      counts.runs,
      ((process.cpuUsage().user - c) / 5e6).toFixed(2),
      ((performance.now() - t) / 5e3).toFixed(2),
      problems,
    );
  } catch (e) {
    console.log(o, String(e).slice(0, 200));
  }
}
