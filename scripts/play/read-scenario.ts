import { boundedMatch, keptName, placesIn } from '../../api/catalogue/step-values.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { readInput } from '../cli/file-input.ts';
import { CommandFailed } from '../cli/command.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';
import { scenarioSchema, type Scenario, type Step } from '../../api/catalogue/scenario.ts';

/** Reads the scenario of a file. Throws a WrongUse for a file that cannot be read, a CommandFailed that names what is wrong in it. */
export function readScenario(file: string): Scenario {
  return parseScenario(readInput(file, file).toString('utf8'), file);
}

/** The scenario of a JSON text. `source` names it in errors. Throws a CommandFailed with a line for each mistake. */
export function parseScenario(text: string, source: string): Scenario {
  const value = parsed(text, source);
  try {
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
  const mistakes = [...badPaths(value), ...badNames(value), ...brokenPatterns(value), ...unknownPlaces(value)];
  if (mistakes.length > 0) throw wrong(source, mistakes);
  return value;
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(source, [`It is no JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function wrong(source: string, mistakes: readonly string[]): CommandFailed {
  return new CommandFailed([`${source} is no scenario:`, ...mistakes.map((line) => `  ${line}`)].join('\n'));
}

/** A segment `.` or `..` as URLs read it: `\` is a slash, tabs and line breaks are ignored. */
const dotSegment = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/** Paths that could lead out of the bank. */
function badPaths({ steps }: Scenario): string[] {
  return steps.flatMap(({ path }, index) => {
    const [plain = ''] = path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/);
    return dotSegment.test(plain)
      ? [`steps[${index}].path: "${path}" has a segment . or ..: write the path without it.`]
      : [];
  });
}

/** Names of kept values that `{name}` cannot stand for. */
function badNames({ steps }: Scenario): string[] {
  return steps.flatMap(({ keep = {} }, index) =>
    Object.keys(keep)
      .filter((name) => !keptName.test(name))
      .map((name) => `steps[${index}].keep: "${name}" is no name here: 1 to 40 letters, digits and _.`),
  );
}

function brokenPatterns({ steps }: Scenario): string[] {
  return steps.flatMap((step, index) =>
    patternsOf(step).flatMap(([path, pattern, needsGroup]) => {
      const reason = problemOf(pattern, needsGroup);
      return reason === null ? [] : [`steps[${index}].${path}: ${reason}`];
    }),
  );
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

/** A `{name}` that no earlier step keeps. */
function unknownPlaces({ steps, ends }: Scenario): string[] {
  const known = new Set<string>();
  const unknown = (path: string, value: unknown): string[] =>
    placesIn(value)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: No step before keeps {${name}}; kept are ${[...known].join(', ') || 'none'}.`);
  const found = steps.flatMap((step, index) => {
    const { path, headers, body, expect, keep = {} } = step;
    const here = Object.entries({ path, headers, body, expect }).flatMap(([member, value]) =>
      unknown(`steps[${index}].${member}`, value),
    );
    for (const name of Object.keys(keep)) known.add(name);
    return here.concat(unknown(`steps[${index}].why`, step.why));
  });
  return found.concat(unknown('ends', ends));
}
