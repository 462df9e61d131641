import { globSync, readFileSync } from 'node:fs';
import { interfaceItems, type Item } from './interface-document.ts';
import { allStories } from './stories.ts';

/** A test, or a group of tests, by its name. */
export interface Named {
  readonly file: string;
  readonly name: string;
}

/** A numbered rule of docs/spec. */
interface Rule {
  readonly number: string;
  readonly sentence: string;
  /** The heading above it. */
  readonly section: string;
}

const title =
  /(?:\b(?:describe|test|holds|testWith|withCurl|withOpenssl|findsNothing)(?:\.\w+)*\((?:\w+, )?|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const [singles, spans] = [
  /(?<![\w-])[A-Z]{1,2}\d+[a-z]?(?![\w-])/g,
  /(?<![\w-])([A-Z]+\d+[a-z]?)(?: to |-)([A-Z]+\d+[a-z]?)(?!\w)/g,
];
const ruleLine = /^- \*\*([A-Z]{1,2}\d+[a-z]?) \[[a-z, ]+\] ?([^*]*)\*\*(.*)$/;
/** A rule begins with its number and those whom it serves: `- **T4 [container, tests] Settlement runs.** Five on each banking day`. */
const ruleHead = /^- \*\*([A-Z]{1,2}\d+[a-z]?) \[(.+?)\]/;
const users = new Set(['container', 'reset', 'tests']);
const [maxLines, maxWidth] = [5, 120];

/** Every name in the test files, in the order of the files, and those of stories. */
export function namesOfTests(): readonly Named[] {
  const ofFiles = globSync('tests/**/*.test.ts')
    .toSorted()
    .flatMap((file) => namesIn(readFileSync(file, 'utf8')).map((name) => ({ file, name })));
  return [...ofFiles, ...allStories()];
}

/** The names of the tests and groups in the text of a test file, with the gaps that their tables fill. */
export function namesIn(source: string): readonly string[] {
  return [...source.matchAll(title)].map(([, , words = '']) => words.replace(/\\(['"`])/g, '$1'));
}

/** The numbered rules of a page of docs/spec, by the bold beginnings of their paragraphs. */
export function rulesIn(page: string): readonly Rule[] {
  const rules: Rule[] = [];
  let section = '';
  for (const line of page.replaceAll(/(?<=\S)\n {0,2}(?=[^\s|#*-])/g, ' ').split('\n')) {
    section = /^#+ (.*)$/.exec(line)?.[1] ?? section;
    const [, id, bold = '', rest = ''] = ruleLine.exec(line) ?? [];
    if (id !== undefined) rules.push({ number: id, section, sentence: firstSentence(`${bold.trim()} ${rest.trim()}`) });
  }
  return rules;
}

/**
 * What is wrong with the form of the rules of a page: each bullet is a rule with a number of its own, which names those whom it serves, and
 * has at most five lines; a line has at most 120 characters, rows of tables and code excepted.
 */
export function formFaults(page: string): readonly string[] {
  const text = page.replaceAll(/^```[^]*?^```$|^\|.*$/gm, '');
  const wide = text.split('\n').filter((line) => line.length > maxWidth);
  const seen = new Set<string>();
  const ofRules = [...text.matchAll(/^- .*(?:\n {2}.*)*/gm)].flatMap(([rule]) => {
    const [, id = '', served = ''] = ruleHead.exec(rule) ?? [];
    const told = id === '' ? rule.slice(0, 40) : id;
    const isSecond = seen.has(id);
    seen.add(id);
    const names = served.split(', ');
    if (id === '' || !names.every((name) => users.has(name))) return [`${told} names no user`];
    if (isSecond || new Set(names).size < names.length) return [`${told} is there twice, or names a user twice`];
    return rule.split('\n').length > maxLines ? [`${told} has more than ${maxLines} lines`] : [];
  });
  return [...wide.map((line) => `a line is too long: ${line.slice(0, 40)}`), ...ofRules];
}

/** The rules that a name begins with: of `S4, T4b to T4f: ...` the three that it writes. */
export function rulesCitedIn(name: string): readonly string[] {
  const [beginning = ''] = /^[^:]*(?=:)/.exec(name) ?? [];
  return beginning.split(/, | to |-/).filter((word) => /^[A-Z]{1,2}\d+[a-z]?$/.test(word));
}

/** Tells of a rule whether the name has its number, also as one in `T4b to T4f` or `R2-R7`. */
export function citedBy(name: string): (rule: string) => boolean {
  const single = new Set([...name.matchAll(singles)].map(([one]) => one));
  const ranges = [...name.matchAll(spans)];
  return (rule) => single.has(rule) || ranges.some(([, from = '', to = '']) => isBetween(rule, from, to));
}

function isBetween(rule: string, from: string, to: string): boolean {
  const [one, first, last] = [rule, from, to].map((each) => /^([A-Z]+)(\d+)([a-z]?)$/.exec(each)?.slice(1) ?? []);
  const order = ([, count = '', letter = '']: readonly string[] = []): string => count.padStart(3, '0') + letter;
  if (one?.[0] !== first?.[0] || one?.[0] !== last?.[0]) return false;
  // `R2-R7` has no letters, and means R2b too.
  return order(one) >= order(first) && (order(one) <= order(last) || (last?.[2] === '' && one?.[1] === last[1]));
}

/** What a name says of the interface document: `interface, Link, Events 2: ...` gives `Link` and `Events 2`. */
export function interfaceLabels(name: string): readonly string[] {
  const [, labels = ''] = /^interface, ([^:]+)/.exec(name) ?? [];
  return labels === '' ? [] : labels.split(', ');
}

/** Whether a label names the section, or begins its name, and has the number of a numbered point. */
export function isAbout(label: string, { section, key }: Item, sections: readonly string[]): boolean {
  const [, name = '', point] = /^(.*?)(?: (\d+))?$/.exec(label) ?? [];
  if (section !== name && (sections.includes(name) || !section.startsWith(name))) return false;
  return /^\d+\.$/.test(key) ? `${point}.` === key : true;
}

/** The tests of each rule and of each part of the interface document, as lines; and the rules, points and sections that no test names. */
export function coverage(names = namesOfTests()): {
  readonly lines: readonly string[];
  readonly missing: readonly string[];
} {
  const missing: string[] = [];
  const row = (what: string, sentence: string, tests: readonly Named[], key = what): string[] => {
    if (tests.length === 0) missing.push(key);
    const told = tests.map(({ file, name }) => `  ${file}: ${name.replaceAll(/\s+/g, ' ')}`);
    return [`${what} ${sentence}`.trimEnd(), ...told];
  };
  const cited = names.map((named) => ({ named, has: citedBy(named.name) }));
  const citing = (rule: string): Named[] => cited.filter(({ has }) => has(rule)).map(({ named }) => named);
  const ofRules = ['rules', 'control-plane'].flatMap((file) => {
    const groups = Map.groupBy(rulesIn(readFileSync(`docs/spec/${file}.md`, 'utf8')), ({ section }) => section);
    return [...groups].flatMap(([section, own]) => [
      `\n${file}.md, ${section}`,
      ...own.flatMap(({ number: id, sentence }) => row(id, sentence, citing(id))),
    ]);
  });
  const labelled = names.map((named) => ({ named, labels: interfaceLabels(named.name) }));
  const sections = Map.groupBy(
    interfaceItems(readFileSync('docs/spec/interface.md', 'utf8')),
    ({ section }) => section,
  );
  const known = [...sections.keys()];
  const ofInterface = [...sections].flatMap(([section, items]) => {
    const isPoint = ({ key }: Item): boolean => /^\d+\.$/.test(key);
    const holding = (item: Item): Named[] =>
      labelled.filter(({ labels }) => labels.some((label) => isAbout(label, item, known))).map(({ named }) => named);
    const others = items.filter((item) => !isPoint(item)).map(({ key }) => key);
    return [
      `\ninterface.md, ${section}`,
      ...(others.length > 0 ? row('all', others.join(', '), holding({ section, key: '' }), section) : []),
      ...items.filter(isPoint).flatMap((item) => row(item.key, '', holding(item), `${section} ${item.key}`)),
    ];
  });
  return { lines: [...ofRules, ...ofInterface], missing };
}

/** The bold words, and the first sentence that says something. */
function firstSentence(text: string): string {
  const [first = '', second = ''] = text.split(/(?<=[.:]) (?=[A-Z`*])/);
  return (first.length < 40 ? `${first} ${second}` : first).trim();
}
