import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';

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
export function textOf({ before, unit, after }: Growing, size: number): string {
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
