import { curlLine } from '../../api/pages/curl-line.ts';
import type { Scenario } from '../../api/catalogue/scenario.ts';
import type { Arguments } from '../cli/arguments.ts';
import { flagsAgain } from '../cli/bank-address.ts';
import { CommandFailed } from '../cli/command.ts';
import type { ServerCall } from '../cli/server-command.ts';
import { filled, onlyMembers, shortJson } from '../../api/catalogue/step-values.ts';
import { type PlayedStep, playScenario, type StepRequest } from '../../api/catalogue/play-scenario.ts';
import { ScenarioFailed } from '../../api/catalogue/step-values.ts';
import { onStage, type Stage, type StageOptions } from './stage.ts';

/**
 * Plays a scenario in a bank of its own, and prints each call as a curl line with its answer; with --json all of it as
 * JSON.
 */
export async function tellScenario(scenario: Scenario, call: ServerCall, options: StageOptions): Promise<void> {
  const { given, terminal } = call;
  const stays = options.keeps || given.has('keep');
  await onStage(scenario, call, options, async (stage) => {
    const kept = new Map<string, string>();
    const steps = playScenario(scenario, stage, kept);
    if (given.has('json')) {
      const reports = [];
      for await (const { step, request, status, answer } of steps)
        reports.push({ says: step.says, curl: curlOf(request, stage.token), status, answer });
      const { name } = scenario;
      const ends = filled(scenario.ends, kept);
      terminal.print(JSON.stringify({ name, bank: stage.address, steps: reports, ends }, null, 2));
      return;
    }
    terminal.out(`${scenario.title}, in a bank of its own: ${stage.address}`);
    terminal.out(scenario.about);
    terminal.out(
      `Its clock starts at ${scenario.bank.now}. Answers are cut to what matters here; run a line to see its whole answer.`,
    );
    let number = 0;
    let last: PlayedStep | null = null;
    // The reason follows when what the step keeps is known, which is at the next one.
    for await (const played of steps) {
      for (const line of whyLines(last, kept)) terminal.out(line);
      for (const line of stepLines(played, (number += 1), stage.token)) terminal.out(line);
      last = played;
    }
    const lines = [
      ...whyLines(last, kept),
      '',
      filled(scenario.ends, kept),
      '',
      ...farewell(stage, scenario, stays, given),
    ];
    for (const line of lines) terminal.out(line);
  }).catch((error: unknown) => {
    // Nobody reads how it ended.
    if (terminal.closed.aborted) return;
    throw error instanceof ScenarioFailed ? new CommandFailed(error.message, error.problem) : error;
  });
}

function stepLines({ step, request, status, answer }: PlayedStep, number: number, token: string | null): string[] {
  const shown = step.shows === undefined ? answer : onlyMembers(answer, step.shows);
  const text = isEmpty(shown) ? '' : ` ${shortJson(shown)}`;
  return ['', `${number}. ${step.says}`, '', curlOf(request, token), ...`${status}${text}`.split('\n')];
}

function whyLines(played: PlayedStep | null, kept: ReadonlyMap<string, string>): string[] {
  return played?.step.why === undefined ? [] : ['', `   ${filled(played.step.why, kept)}`];
}

/** Whether nothing is shown of an answer, or it has no body. */
function isEmpty(shown: unknown): boolean {
  return shown === '' || (typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0);
}

/** The line takes the control token from the variable of the shell. */
function curlOf(request: StepRequest, token: string | null): string {
  return `${curlLine(request)}${token === null ? '' : ' -H "Authorization: Bearer $SANDBANK_CONTROL_TOKEN"'}`;
}

function farewell({ isBorrowed, bank }: Stage, { name }: Scenario, stays: boolean, given: Arguments): string[] {
  const { program } = given;
  const server = flagsAgain(given, 'port', 'host');
  if (!isBorrowed) {
    return [
      `This server was in memory, and ends here. To repeat the lines, start one that stays: ${program} serve`,
      `and run this beside it: ${program} play ${name} --keep`,
    ];
  }
  if (!stays) return [`The bank ${bank} is gone. To look into it afterwards: ${program} play ${name} --keep${server}`];
  return [
    `The bank ${bank} stays as long as the server runs: repeat the lines. An SCA ends once, and a booked payment leaves the payment`,
    `API: those lines take the ids of a new consent or payment. When you are done: ${program} bank remove ${bank}${server}`,
    `A payment of your own: ${program} pay --amount 100${server}`,
  ];
}
