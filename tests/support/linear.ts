import { cpuTimeOf } from './cpu-time.ts';
import { textOf, type Growing } from './worst-texts.ts';

const kilobyte = 1024;
/**
 * What takes less, in ms, is linear, of 16 KB and of 64 KB: the square of 64 K is 2,000 ms of single steps, 60 ms of the fastest
 * scans. What is noticed of 16 KB need not take sixteen times as long to be found.
 */
const unnoticed = { 16: 5, 64: 20 } as const;
/** What takes less for 16 KB is unnoticed for 64 KB, in ms, even where four times the text costs 64 times as much. */
const soUnnoticed = unnoticed[64] / 64;
/** No linear work over a kilobyte takes this long, in ms: a way out before 64 KB would take hours. */
const hopeless = 50;
/** Ms of looks after which another one tells little. */
const enough = 200;

/**
 * Null when the work on 64 KB costs at most 8 times what it costs on 16 KB, and that 8 times what it costs on 4 KB, best of up to
 * three each; else what it costs. Goes up in steps and stops early, so that a cubic one ends too.
 */
export function worseThanLinear(work: (text: string) => unknown, growing: Growing): string | null {
  for (const times of [20, 23, 26]) {
    const text = grown(growing, times * growing.unit.length);
    if (timed(work, text) > hopeless && bestOf(3, work, text) > hopeless) return `exponential, over ${shown(growing)}`;
  }
  for (const size of [1, 4] as const) {
    const text = grown(growing, size * kilobyte);
    const now = timed(work, text) < hopeless ? 0 : bestOf(3, work, text);
    if (now > hopeless) return `${size} KB: ${now.toFixed(1)} ms, over ${shown(growing)}`;
  }
  for (const size of [16, 64] as const) {
    const text = grown(growing, size * kilobyte);
    const first = timed(work, text);
    if (size === 16 && first < soUnnoticed) return null;
    const slow = first < unnoticed[size] ? null : judge(work, growing, size);
    if (slow !== null) return `${slow}, over ${shown(growing)}`;
  }
  return null;
}

/**
 * A busy machine and its garbage collection make one look in some a wrong one: what is not linear is so in each of two, and
 * in processor time, which is slower to measure.
 */
function judge(work: (text: string) => unknown, growing: Growing, size: 16 | 64): string | null {
  const [small, large] = [grown(growing, (size / 4) * kilobyte), grown(growing, size * kilobyte)];
  let found = '';
  for (let look = 1; look <= 2; look += 1) {
    const before = bestOf(3, work, small);
    const now = bestOf(3, work, large);
    if (now <= unnoticed[size] || now <= 8 * before) return null;
    found = `${size} KB: ${now.toFixed(1)} ms, ${size / 4} KB: ${before.toFixed(1)} ms`;
  }
  return cpuTimeOf(attempt(work, large)) <= 8 * cpuTimeOf(attempt(work, small)) ? null : found;
}

/** The best of so many looks; of fewer when they take long together. */
function bestOf(looks: number, work: (text: string) => unknown, text: string): number {
  const times: number[] = [];
  for (let spent = 0; times.length < looks && spent < enough; spent += times.at(-1) ?? 0) times.push(timed(work, text));
  return Math.min(...times);
}

function timed(work: (text: string) => unknown, text: string): number {
  const begun = performance.now();
  attempt(work, text)();
  return performance.now() - begun;
}

/** A refusal costs what it costs. */
function attempt(work: (text: string) => unknown, text: string): () => void {
  return () => {
    try {
      work(text);
    } catch {
      return;
    }
  };
}

/** The texts of the description that was asked for last: a pattern is used in more than one way. */
let last: Growing | undefined;
const texts = new Map<number, string>();

function grown(growing: Growing, size: number): string {
  if (growing !== last) texts.clear();
  last = growing;
  const text = texts.get(size) ?? flat(textOf(growing, size));
  texts.set(size, text);
  return text;
}

/** What `repeat` and `+` make is put together when it is first read: that is not what is timed. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function shown({ before, unit, after }: Growing): string {
  return `${JSON.stringify(before.slice(0, 60))} + ${JSON.stringify(unit)} many times + ${JSON.stringify(after)}`;
}
