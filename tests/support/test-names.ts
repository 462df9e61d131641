const title = /(?:\b(?:describe|test|holds)\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const gap = /%[sdijp#]|\$\{[^}]*\}|\$[\w.]+/;

/** The names of the tests and describes in the text of a test file, with the gaps that their tables fill. */
export function testTitles(source: string): readonly string[] {
  return [...source.matchAll(title)].map(([, , words = '']) => words.replace(/\\(['"`])/g, '$1'));
}

/**
 * Whether a test of the file has these words in its name. Words that are not in a title itself are looked for in one with
 * gaps: what is left without the title's own words has to be a text of the file, the case that fills the gap.
 */
export function namesATest(source: string, words: string): boolean {
  return testTitles(source).some((one) => one.includes(words) || (gap.test(one) && fillsGaps(source, one, words)));
}

function fillsGaps(source: string, words: string, wanted: string): boolean {
  const own = words.split(gap).map(bare);
  const rest = own.reduce((left, part) => (part === '' ? left : left.replace(part, '\n')), wanted);
  const cases = rest.split('\n').map(bare);
  return cases.some((part) => part !== '') && cases.every((part) => part === '' || isText(source, part));
}

/** Without blanks and marks at its ends. */
function bare(text: string): string {
  return text.replace(/^[\s:;,.]+|[\s:;,.]+$/g, '');
}

/** A quoted text of the file that begins with the words. */
function isText(source: string, words: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${words}`));
}
