import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { cpuTimeOf } from './cpu-time.ts';

const kilobyte = 1024;
/**
 * What takes less, in ms, is linear, of 16 KB and of 64 KB: the square of 64 K is 2,000 ms of single steps, 60 ms of the fastest
 * scans. What is noticed of 16 KB need not take sixteen times as long to be found.
 */
const unnoticed = { 16: 5, 64: 20 } as const;
/** What takes less for 16 KB is unnoticed for 64 KB, in ms, even where four times the text costs 64 times as much. */
const soUnnoticed = unnoticed[64] / 64;
/** No linear work over a few KB takes this long, in ms: a way out before 64 KB would take hours. */
const hopeless = 50;
/** Ms of looks after which another one tells little. */
const enough = 200;
/** Ms: the system counts processor time in steps of up to 10 ms, and the limits leave room for half of it. */
const longEnough = 20;
/** The small text that a large one is compared with is this part of it. */
const part = 16;
/**
 * Linear work over a text of 16 times the size costs 16 times as much, quadratic work 256 times. The memory of large lists makes a step of linear
 * work, up to three times as much; the limit is above it, and far from both.
 */
const maxTimes = 60;

/**
 * Null when the work on 16 KB and 64 KB costs at most 60 times what it costs on a sixteenth of them; else what it costs. Goes up in steps
 * and stops early, so that a cubic one ends too. A look at the wall clock only lets work pass that is fast enough: what a busy machine adds to
 * it leads to a second look, at processor time.
 */
export function worseThanLinear(work: (text: string) => unknown, growing: Growing): string | null {
  for (const times of [20, 23, 26]) {
    if (isHopeless(work, grown(growing, times * growing.unit.length))) return `exponential, over ${shown(growing)}`;
  }
  for (const size of [1, 4] as const) {
    if (isHopeless(work, grown(growing, size * kilobyte)))
      return `over ${hopeless} ms for ${size} KB, ${shown(growing)}`;
  }
  for (const size of [16, 64] as const) {
    const first = timed(work, grown(growing, size * kilobyte));
    if (size === 16 && first < soUnnoticed) return null;
    const slow = first < unnoticed[size] ? null : judge(work, growing, size);
    if (slow !== null) return `${slow}, over ${shown(growing)}`;
  }
  return null;
}

function isHopeless(work: (text: string) => unknown, text: string): boolean {
  return timed(work, text) > hopeless && best(2, () => cpuTimeOf(attempt(work, text), longEnough)) > hopeless;
}

/**
 * What passes by the wall clock, with room to spare, is linear. Else processor times decide, a second time before it says that they grow too
 * fast. The small text first: it warms the code up for both.
 */
function judge(work: (text: string) => unknown, growing: Growing, size: 16 | 64): string | null {
  const [small, large] = [grown(growing, (size / part) * kilobyte), grown(growing, size * kilobyte)];
  const [few, all] = [best(3, () => timed(work, small)), best(3, () => timed(work, large))];
  if (all <= unnoticed[size] || all <= (maxTimes / 2) * few) return null;
  let found = '';
  for (let look = 1; look <= 2; look += 1) {
    const before = cpuTimeOf(attempt(work, small), longEnough);
    const now = best(2, () => cpuTimeOf(attempt(work, large), longEnough));
    if (now <= unnoticed[size] || now <= maxTimes * before) return null;
    found = `${size} KB: ${now.toFixed(1)} ms, ${size / part} KB: ${before.toFixed(2)} ms`;
  }
  return found;
}

/** The best of so many looks; of fewer when they take long together. */
function best(looks: number, look: () => number): number {
  const times: number[] = [];
  for (let spent = 0; times.length < looks && spent < enough; spent += times.at(-1) ?? 0) times.push(look());
  return Math.min(...times);
}

function timed(work: (text: string) => unknown, text: string): number {
  const begun = performance.now();
  attempt(work, text)();
  return performance.now() - begun;
}

/** A refusal costs what it costs. Of work that returns a promise the part until then is timed. */
function attempt(work: (text: string) => unknown, text: string): () => void {
  return () => {
    try {
      const result = work(text);
      if (result instanceof Promise) result.catch(() => undefined);
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
  const text = texts.get(size) ?? flat(growingText(growing, size));
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

/** A text that grows: what stands before it, what is repeated, and what makes the whole fail at last. */
export interface Growing {
  readonly before: string;
  readonly unit: string;
  readonly after: string;
}

/** Characters that tell the classes of patterns apart. */
const alphabet = [
  ...Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code)),
  '\u0080',
  '\u00a0',
  'å',
  '\u2028',
  '𐀀',
];
/** No pattern of a text format wants these at its end. */
const tails = ['', '!\u0001a'];

/** A text of about that many characters. */
export function growingText({ before, unit, after }: Growing, size: number): string {
  return before + unit.repeat(Math.ceil(size / unit.length)) + after;
}

/**
 * The texts that are worst for a pattern: for each place where it repeats, what leads there, then each character that the
 * pattern takes anywhere near, alone and in turn with another, then something that it does not take. Its own beginning,
 * many times over, is among them: a search starts at each.
 */
export function worstFor(source: string, flags: string): Growing[] {
  const unicode = flags.includes('u');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode });
  const characters = new Map<string, Set<string>>();
  const places: AST.Quantifier[] = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => void (node.max > 20 && places.push(node)),
    onCharacterEnter: (node) => void characters.set(node.raw, new Set([String.fromCodePoint(node.value)])),
    onCharacterSetEnter: (node) => void characters.set(node.raw, taken(node, flags)),
    onCharacterClassEnter: (node) => void characters.set(node.raw, taken(node, flags)),
    onExpressionCharacterClassEnter: (node) => void characters.set(node.raw, taken(node, flags)),
  });
  // Three of each class, and each literal: blanks and letters behave differently further on.
  const units = new Set([...characters.values()].flatMap((some) => [...some].slice(0, 3)));
  const growing: Growing[] = [];
  const add = (before: string, unit: string): void => {
    if (unit !== '') for (const after of tails) growing.push({ before, unit, after });
  };
  // What no pattern begins with: then an anchored alternative does not take the whole run at once.
  const befores = new Set(['', '\u0001', ...places.map(leadingTo)]);
  for (const before of befores) {
    for (const unit of units) add(before, unit);
    for (const place of places) add(before, sample(place.element, flags));
    if (before !== '') add('', before);
  }
  const few = [...units].slice(0, 8);
  for (const one of few) for (const other of few) if (one !== other) add('', one + other);
  add('', sampleOf(pattern.alternatives[0], flags));
  return growing;
}

/** The characters that a class takes: the first, one from the middle and the last, so that they differ. */
function taken({ raw }: { readonly raw: string }, flags: string): Set<string> {
  const pattern = new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ''));
  const all = alphabet.filter((character) => pattern.test(character));
  return new Set(
    [all[0], all[Math.floor(all.length / 2)], all.at(-1), ...all.filter((one) => /\s/.test(one)).slice(0, 1)].filter(
      (one) => one !== undefined,
    ),
  );
}

/** A text that brings the pattern to this place. */
function leadingTo(place: AST.Quantifier): string {
  let before = '';
  for (let node: AST.Node = place; node.parent !== null && node.parent !== undefined; node = node.parent) {
    if (node.parent.type !== 'Alternative') continue;
    const elements: readonly AST.Node[] = node.parent.elements;
    before =
      elements
        .slice(0, elements.indexOf(node))
        .map((one) => sample(one, ''))
        .join('') + before;
  }
  return before;
}

function sampleOf(alternative: AST.Alternative | undefined, flags: string): string {
  return (alternative?.elements ?? []).map((element) => sample(element, flags)).join('');
}

/** The shortest text that a part of a pattern takes, as far as its parts say. */
function sample(node: AST.Node, flags: string): string {
  if (node.type === 'Character') return String.fromCodePoint(node.value);
  if (node.type === 'CharacterSet' || node.type === 'CharacterClass') return [...taken(node, flags)][0] ?? '';
  if (node.type === 'Quantifier') return sample(node.element, flags).repeat(Math.min(node.min, 30));
  if (node.type === 'Group' || node.type === 'CapturingGroup') return sampleOf(node.alternatives[0], flags);
  return '';
}
