import { boundedMatch, keptName, placesIn } from '../../api/catalogue/step-values.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { readInput } from '../cli/file-input.ts';
import { CommandFailed } from '../cli/command.ts';
import { parseJson } from '../../api/pipeline/read-body.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';
import { scenarioSchema, type Scenario, type Step } from '../../api/catalogue/scenario.ts';

/**
 * Reads the scenario of a file. Throws a WrongUse for a file that cannot be read, a CommandFailed that names what is
 * wrong in it.
 */
export function readScenario(file: string): Scenario {
  return parseScenario(readInput(file, file), file);
}

/** The scenario of a JSON file. `source` names it in errors. Throws a CommandFailed with a line for each mistake. */
export function parseScenario(bytes: Uint8Array, source: string): Scenario {
  let value: unknown;
  try {
    value = parseJson(bytes);
    validateBody(scenarioSchema, value, { quirks: new Set() });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw wrong(
      source,
      error.faults.map(({ path, text: said }) =>
        path === undefined ? said.replace('The body', 'It') : `${path}: ${said}`,
      ),
    );
  }
  const mistakes = mistakesIn(value);
  if (mistakes.length > 0) throw wrong(source, mistakes);
  return value;
}

function wrong(source: string, mistakes: readonly string[]): CommandFailed {
  return new CommandFailed([`${source} is no scenario:`, ...mistakes.map((line) => `  ${line}`)].join('\n'));
}

/** A segment `.` or `..` as URLs read it: `\` is a slash, tabs and line breaks are ignored. */
const dotSegment = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/**
 * What no schema says: paths that could lead out of the bank, names that `{name}` cannot stand for, broken patterns,
 * unknown names.
 */
function mistakesIn({ steps, ends }: Scenario): string[] {
  const known = new Set<string>();
  const unknown = (path: string, value: unknown): string[] =>
    placesIn(value)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: No step before keeps {${name}}; kept are ${[...known].join(', ') || 'none'}.`);
  const found = steps.flatMap((step, index) => {
    const { path, headers, body, expect, keep = {} } = step;
    const at = `steps[${index}]`;
    const [plain = ''] = path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/);
    const mistakes = Object.entries({ path, headers, body, expect }).flatMap(([member, value]) =>
      unknown(`${at}.${member}`, value),
    );
    if (dotSegment.test(plain))
      mistakes.push(`${at}.path: "${path}" has a segment . or ..: write the path without it.`);
    for (const name of Object.keys(keep)) {
      if (!keptName.test(name)) mistakes.push(`${at}.keep: "${name}" is no name here: 1 to 40 letters, digits and _.`);
      known.add(name);
    }
    for (const [member, pattern, needsGroup] of patternsOf(step)) {
      const reason = problemOf(pattern, needsGroup);
      if (reason !== null) mistakes.push(`${at}.${member}: ${reason}`);
    }
    return [...mistakes, ...unknown(`${at}.why`, step.why)];
  });
  return [...found, ...unknown('ends', ends)];
}

function patternsOf({ expect, keep = {} }: Step): (readonly [path: string, pattern: string, needsGroup: boolean])[] {
  return [
    ...Object.entries(expect.matches ?? {}).map(([at, pattern]) => [`expect.matches.${at}`, pattern, false] as const),
    ...Object.entries(keep).flatMap(([name, { match }]) =>
      match === undefined ? [] : [[`keep.${name}.match`, match, true] as const],
    ),
  ];
}

function problemOf(pattern: string, needsGroup: boolean): string | null {
  try {
    // An alternative that is empty matches, with every group of the pattern.
    const groups = (boundedMatch(`${pattern}|`, '')?.length ?? 1) - 1;
    return needsGroup && groups === 0 ? 'The pattern has no group to keep: put what you want in brackets.' : null;
  } catch (error) {
    return error instanceof Error ? `${error.message}.` : String(error);
  }
}
