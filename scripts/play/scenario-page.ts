import { catalogueByTopic } from '../../api/catalogue/catalogue.ts';
import { bankOf, type Kept, type Scenario, type Step, topics } from '../../api/catalogue/scenario.ts';
import { curlLine } from '../../api/pages/curl-line.ts';
import { shortJson } from '../../api/catalogue/step-values.ts';
import { stepRequest } from '../../api/catalogue/play-scenario.ts';

/** The page of a scenario, `docs/scenarios/NAME.md`: its calls as lines for bash with curl and jq. */
export function scenarioPage(scenario: Scenario): string {
  const { name, title, about, source, meets, steps, ends } = scenario;
  const kept = new Map<string, string>();
  const parts = [
    `<!-- npm run generate makes this page from scenarios/${name}.json: change it there. -->`,
    `# ${title}`,
    about,
    ...(source === undefined ? [] : [`Dates: ${source}`]),
    `\`sandbank play ${name}\` plays this scenario. To play it by hand in a bank of its own, use curl and jq:`,
    block([
      'SERVER=http://127.0.0.1:8080',
      `curl -sS "$SERVER/sandbox/banks" -H 'content-type: application/json' --data-raw '${JSON.stringify({ name, ...bankOf(scenario) })}'`,
      `BANK="$SERVER/banks/${name}"`,
    ]),
    ...steps.flatMap((step, index) => stepParts(step, index + 1, kept)),
    '## Afterwards',
    named(ends),
    block([`curl -sS -X DELETE "$SERVER/sandbox/banks/${name}" -H 'content-type: application/json'`]),
    `Behaviours: ${meets.map((behaviour) => `\`${behaviour}\``).join(', ')}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The list of all scenarios and how to write one, `docs/scenarios.md`. */
export function scenariosPage(): string {
  const parts = catalogueByTopic().map(([topic, some]) => {
    const rows = some.map(({ name, title, about }) => `- [${name}](scenarios/${name}.md): **${title}.** ${about}`);
    return `## ${topic}\n\n${rows.join('\n')}`;
  });
  return `${[start, ...parts, format].join('\n\n')}\n`;
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
    ...Object.entries(matches).map(([path, pattern]) => `\`${path}\` is like \`${pattern}\``),
    ...absent.map((path) => `\`${path}\` is not there`),
  ];
  return `The answer is ${status}${remarks.length === 0 ? '' : `: ${remarks.join(', ')}`}.`;
}

/** The text with variables for the kept values. */
function named(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, '$$$1');
}

function block(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

const start = `<!-- npm run generate makes this page: change scripts/play/scenario-page.ts and scenarios/. -->

# Scenarios

A scenario tells what happens to a payment or a consent at a bank. It consists of calls to a bank of your own and their answers.
\`sandbank play\` lists the scenarios. \`sandbank play five-attempts\` plays one and prints each call as a curl line. The console plays scenarios in a
browser, at \`/console/scenarios\`. Each scenario opens a [named bank](time-machine.md#many-banks), whose clock stands still until the story moves it, and
removes the bank afterwards; \`--keep\` keeps the bank. Calls go through the unsigned door (\`/sandbox/as/shop/v1/...\`), which signs them, so you can
repeat each curl line as it is.`;

const format = `## A scenario of your own

A scenario is a JSON file without code. \`sandbank play ./mine.json\` plays it, and says what is wrong in the file. At the first unexpected answer \`play\`
ends with exit code 1 and prints the step, the expected value and the received value; \`--json\` prints
\`{detail, step, call, what, expected, received, answer}\`. Exit code 0 means that every answer was as expected. Exit code 2 means that the file cannot be
read, or that no scenario has that name.

\`\`\`json
{
  "name": "mine",
  "title": "A payment on a Sunday",
  "about": "My shop pays its suppliers on Sundays.",
  "meets": [],
  "bank": { "now": "2027-03-07T12:00:00+01:00" },
  "steps": [
    {
      "says": "The TPP pays.",
      "method": "POST",
      "path": "/sandbox/as/shop/v1/payments/norwegian-domestic-credit-transfers",
      "headers": { "X-PSU-IDENTITY": "13039319955", "PSU-Context": "PRIVATE" },
      "body": {
        "instructedAmount": { "amount": "10.00", "currency": "NOK" },
        "debtorAccount": { "bban": "09232911044", "currency": "NOK" },
        "creditorAccount": { "bban": "90491105991", "currency": "NOK" },
        "creditorName": "Supplier AS"
      },
      "expect": {
        "status": 201,
        "members": { "transactionStatus": "RCVD" },
        "matches": { "tppMessages.0.text": "2027-03-08" }
      },
      "keep": {
        "payment": { "at": "paymentId" },
        "sca": { "at": "_links.scaRedirect.href", "match": "/sca/([^/?#]+)" }
      },
      "why": "Sunday is closed: Monday it is."
    },
    {
      "says": "The PSU signs.",
      "method": "POST",
      "path": "/sandbox/sca/{sca}",
      "body": { "outcome": "approve", "psu": "13039319955", "context": "PRIVATE" },
      "expect": { "status": 200 }
    }
  ],
  "ends": "The payment {payment} waits for Monday."
}
\`\`\`

- \`name\`: lower-case letters, digits and hyphens; the bank of this scenario is called \`mine-1\`
- \`title\`, \`about\`, \`ends\`: what happens, why it matters, how it ends
- \`topic\`: the heading of the list under which the scenario stands: ${topics.map((topic) => `\`${topic}\``).join(', ')} (optional)
- \`source\`: where the expected dates come from (optional)
- \`meets\`: the behaviours of the bank that the scenario shows, by their names in \`GET /sandbox/coverage\`
- \`tells\`: the sections of docs/spec/interface.md that the scenario tells of, by their anchors (optional); there the guide leads to it
- \`bank\`: \`now\`, and optionally \`mode\` (default \`frozen\`), \`fixtures\` (\`known-state\`), \`quirks\` (none; \`["reissued-ids=P7D"]\`) and \`profile\` (none), as in \`POST /sandbox/banks\`. All dates are relative to \`now\`, so the story is the same on every day
- \`steps[]\`: the calls, in order: \`says\`, \`rule\` of docs/spec/rules.md (optional), \`method\`, \`path\` below the address of the bank (without \`.\` and \`..\`), \`headers\`, \`body\` (sent as JSON)
- \`steps[].expect\`: \`status\`; \`members\` has the expected value for each path; \`matches\` has a regular expression for each path, and a match may take one second; \`absent\` lists paths that the answer must lack
- \`steps[].keep\`: keeps values of the answer under names of 1 to 40 letters, digits and \`_\`. \`at\` is a path; \`match\` is a regular expression whose first group is kept. Later steps, \`why\` and \`ends\` refer to a value by \`{name}\`
- \`steps[].why\`: what the bank did and why (optional)
- \`steps[].shows\`: the paths of the members to print. Without \`shows\` the story prints all members; \`[]\` prints none

\`accounts.0.name\` is a path. \`accounts.length\` is the number of accounts.`;
