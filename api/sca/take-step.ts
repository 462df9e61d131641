import type { Bank } from '../../engine/bank.ts';
import { finishSca, NothingChosen, type ScaAnswer } from '../../engine/approval/finish-sca.ts';
import { identifyForSca } from '../../engine/approval/identify-for-sca.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import { contextNamed, contextValue, type ScaForm } from './sca-form.ts';
import type { ScaSteps, Step } from './sca-steps.ts';

/** The page that a form was sent from. */
interface StepTaken {
  readonly bank: Bank;
  readonly steps: ScaSteps;
  readonly scaId: string;
  /** Null on the first page. */
  readonly step: Step | null;
  readonly method: string | null;
}

const nationalNumber = /^\d{11}$/;
/** Limits on what a stored step holds, in characters; a valid number or context is shorter. */
const longestTyped = 20;
const longestContext = 100;

/** Relative address of the first page, from any page of the SCA. */
const firstPage = '?';

/**
 * Takes one step of an SCA (rules.md A2, A2c) and returns the address to redirect to: the next page, relative to this one, or
 * the TPP's. Asks again for what a person can correct; a refusal of the bank (A4) ends the SCA. Throws what identifyForSca
 * and finishSca throw for an SCA that cannot be used.
 */
export async function takeStep(taken: StepTaken, form: ScaForm): Promise<string> {
  switch (form.action) {
    case 'cancel':
      return end(taken, { outcome: 'cancel' });
    case 'identify':
      return identify(taken, form.psu);
    case 'choose':
      return choose(taken, form.context);
    case 'approve':
      return approve(taken, form.accounts);
  }
}

async function identify(taken: StepTaken, psu: string): Promise<string> {
  const asked = { psu: psu.slice(0, longestTyped), context: null, sharesNothing: false, problem: null };
  const askAgain = (text: string): string => pageOf(taken, { ...asked, problem: { text, field: 'psu' } });
  if (psu === '') return askAgain('Enter a national identity number');
  if (!nationalNumber.test(psu)) return askAgain('A national identity number has 11 digits');
  const identified = await identifyForSca(taken.bank, taken.scaId, psu);
  switch (identified.next) {
    case 'ask-again':
      return askAgain(`${identified.fault.text} ${triesLeft(identified.left)}`);
    case 'choose-context':
      return pageOf(taken, asked);
    case 'approve':
      return pageOf(taken, { ...asked, context: contextValue(identified.choice) });
    case 'closed':
      return firstPage;
    case 'redirect':
      return redirectAddress(identified.result);
  }
}

function triesLeft(left: number): string {
  return left === 1 ? 'One more try is left.' : `${left} more tries are left.`;
}

/** The next page checks whether the PSU has this context. */
function choose(taken: StepTaken, context: string): string {
  const { step } = taken;
  if (!isIdentified(step)) return firstPage;
  return pageOf(taken, { ...step, context: context.slice(0, longestContext), sharesNothing: false, problem: null });
}

async function approve(taken: StepTaken, accounts: readonly string[]): Promise<string> {
  const { step } = taken;
  if (!isIdentified(step)) return firstPage;
  const choice = contextNamed(step.context ?? '');
  if (choice === null) return pageOf(taken, { ...step, problem: null });
  try {
    const mustChoose = !step.sharesNothing;
    return await end(taken, { outcome: 'approve', psu: step.psu, ...choice, accounts, mustChoose });
  } catch (error) {
    if (!(error instanceof NothingChosen)) throw error;
    return pageOf(taken, { ...step, sharesNothing: true });
  }
}

function isIdentified(step: Step | null): step is Step {
  return step !== null && step.problem?.field !== 'psu';
}

function pageOf({ steps, scaId, method }: StepTaken, step: Omit<Step, 'method'>): string {
  return `?step=${steps.keep(scaId, { ...step, method })}`;
}

async function end({ bank, scaId }: StepTaken, answer: ScaAnswer): Promise<string> {
  return redirectAddress(await finishSca(bank, scaId, answer));
}
