import { catalogueByTopic } from '../../api/catalogue/catalogue.ts';
import { bankOf, type Kept, type Scenario, type Step } from '../../api/catalogue/scenario.ts';
import { curlLine } from '../../api/pages/curl-line.ts';
import { shortJson } from '../../api/catalogue/step-values.ts';
import { stepRequest } from '../../api/catalogue/play-scenario.ts';

/** The page of a scenario, `docs/scenarios/NAME.md`: its calls as lines for bash with curl and jq. */
export function scenarioPage(scenario: Scenario): string {
  const { name, title, about, source, steps, ends } = scenario;
  const kept = new Map<string, string>();
  const parts = [
    `<!-- npm run generate makes this page from scenarios/${name}.json: change it there. -->`,
    `# ${title}`,
    about,
    ...(source === undefined ? [] : [`Dates: ${source}`]),
    `\`sandbank play ${name}\` plays this scenario. To play it by hand in a bank of its own, use curl and jq:`,
    block([
      'SERVER=http://127.0.0.1:7263',
      `curl -sS "$SERVER/sandbox/banks" -H 'content-type: application/json' --data-raw '${JSON.stringify({ name, ...bankOf(scenario) })}'`,
      `BANK="$SERVER/banks/${name}"`,
    ]),
    ...steps.flatMap((step, index) => stepParts(step, index + 1, kept)),
    '## Afterwards',
    named(ends),
    block([`curl -sS -X DELETE "$SERVER/sandbox/banks/${name}" -H 'content-type: application/json'`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The list of all scenarios, a part of `docs/scenarios.md`. */
export function scenarioList(): string {
  const parts = catalogueByTopic().map(([topic, some]) => {
    const rows = some.map(({ name, title, about }) => `- [${name}](scenarios/${name}.md): **${title}.** ${about}`);
    return `## ${topic}\n\n${rows.join('\n')}`;
  });
  return parts.join('\n\n');
}

function stepParts(step: Step, number: number, kept: Map<string, string>): string[] {
  const call = shellCall(step, kept);
  const keeps = Object.entries(step.keep ?? {});
  const lines =
    keeps.length === 0
      ? [call]
      : [`answer=$(${call})`, `printf '%s\\n' "$answer"`, ...keeps.map(([name, from]) => keepLine(name, from))];
  for (const [name] of keeps) kept.set(name, marker(name));
  return [
    `## ${number}. ${step.says}`,
    block(lines),
    expectation(step),
    ...(step.why === undefined ? [] : [named(step.why)]),
    ...(step.rule === undefined ? [] : [`Rule: [${step.rule}](../spec/rules.md#${step.rule.toLowerCase()})`]),
  ];
}

/** The played line, with shell variables in place of the address and of kept values. */
function shellCall(step: Step, kept: ReadonlyMap<string, string>): string {
  return curlLine(stepRequest(step, base, kept))
    .replaceAll(/'([^'"$`\\]*)'/g, (word, text: string) => {
      const named = text.replace(base, '$BANK').replaceAll(markers, '$$$1');
      return named === text ? word : `"${named}"`;
    })
    .replaceAll(markers, `'"$$$1"'`);
}

/** Stand for the address and for kept values while a line is made. */
const base = 'http://bank.invalid';
const markers = /KEPT-(\w{1,40})-END/g;

function marker(name: string): string {
  return `KEPT-${name}-END`;
}

/** The first group that keeps, after escapes, classes, groups that keep nothing and plain characters. */
const firstGroup = /^((?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?(?!<[^=!])|[^\\[(])*)\((?:\?<\w+>|(?!\?))/;

/** jq reads a member of the last answer into a variable. */
function keepLine(name: string, { at, match }: Kept): string {
  const path = at
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : /^\w+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
    .join('');
  const group =
    match === undefined ? '' : ` | capture(${JSON.stringify(match.replace(firstGroup, '$1(?<kept>'))}).kept`;
  return `${name}=$(printf '%s' "$answer" | jq -r '${path}${group}')`;
}

function expectation({ expect: { status, members = {}, matches = {}, absent = [] } }: Step): string {
  const remarks = [
    ...Object.entries(members).map(([path, value]) => `\`${path}\` is \`${named(shortJson(value))}\``),
    ...Object.entries(matches).map(([path, pattern]) => `\`${path}\` ${likeness(pattern)}`),
    ...absent.map((path) => `\`${path}\` is not there`),
  ];
  return `The answer is ${status}${remarks.length === 0 ? '' : `: ${remarks.join(', ')}`}.`;
}

/** What a text has to contain, in words where the pattern is plain words with anything between them. */
function likeness(pattern: string): string {
  const parts = pattern.split(/\.\{0,\d+\}/);
  return parts.some((part) => /[\\^$.*+?()[\]{}|]/.test(part))
    ? `matches the pattern \`${pattern}\``
    : `contains ${parts.map((part) => `\`${part}\``).join(' and later ')}`;
}

/** The text with variables for the kept values. */
function named(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, '$$$1');
}

function block(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}
