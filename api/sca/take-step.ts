import type { Bank } from '../../engine/bank.ts';
import { finishSca, NothingChosen, type ScaAnswer } from '../../engine/approval/finish-sca.ts';
import { identifyForSca } from '../../engine/approval/identify-for-sca.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import { contextNamed, contextValue, type ScaForm } from './sca-form.ts';
import type { NumberProblem, ScaSteps, Step } from './sca-steps.ts';
import { pageAddress, type PageLanguage } from '../pages/language.ts';

/** The page that a form was sent from. */
interface StepTaken {
  readonly bank: Bank;
  readonly steps: ScaSteps;
  readonly scaId: string;
  /** Null on the first page. */
  readonly step: Step | null;
  readonly method: string | null;
  readonly shown: PageLanguage;
}

const nationalNumber = /^\d{11}$/;
/** Limits on what a stored step holds, in characters; a valid number or context is shorter. */
const longestTyped = 20;
const longestContext = 100;

/**
 * Takes one step of an SCA (rules.md A2, A2c) and returns the address to redirect to: the next page, relative to this one, or
 * the TPP's. Asks again for what a person can correct; a refusal of the bank (A4) ends the SCA. Throws what identifyForSca
 * and finishSca throw for an SCA that cannot be used.
 */
export async function takeStep(taken: StepTaken, form: ScaForm): Promise<string> {
  switch (form.action) {
    case 'cancel':
      return end(taken, { outcome: 'cancel' });
    case 'reject':
      return reject(taken);
    case 'identify':
      return identify(taken, form.psu);
    case 'choose':
      return choose(taken, form.context);
    case 'approve':
      return approve(taken, form.accounts);
  }
}

async function identify(taken: StepTaken, psu: string): Promise<string> {
  const asked = { psu: psu.slice(0, longestTyped), context: null, askedAgain: null, problem: null };
  const askAgain = (problem: NumberProblem): string => pageOf(taken, { ...asked, problem });
  if (psu === '') return askAgain({ why: 'missing' });
  if (!nationalNumber.test(psu)) return askAgain({ why: 'malformed' });
  const identified = await identifyForSca(taken.bank, taken.scaId, psu);
  switch (identified.next) {
    case 'ask-again':
      return askAgain({ why: identified.why, left: identified.left });
    case 'choose-context':
      return pageOf(taken, asked);
    case 'approve':
      return pageOf(taken, { ...asked, context: contextValue(identified.choice) });
    case 'closed':
      return firstPage(taken);
    case 'redirect':
      return redirectAddress(identified.result);
  }
}

/** The next page checks whether the PSU has this context. */
function choose(taken: StepTaken, context: string): string {
  const { step } = taken;
  if (!isIdentified(step)) return firstPage(taken);
  return pageOf(taken, { ...step, context: context.slice(0, longestContext), askedAgain: null });
}

async function approve(taken: StepTaken, accounts: readonly string[]): Promise<string> {
  const { step } = taken;
  if (!isIdentified(step)) return firstPage(taken);
  const choice = contextNamed(step.context ?? '');
  if (choice === null) return pageOf(taken, step);
  try {
    const mustChoose = step.askedAgain !== 'shares nothing';
    return await end(taken, { outcome: 'approve', psu: step.psu, ...choice, accounts, mustChoose });
  } catch (error) {
    if (!(error instanceof NothingChosen)) throw error;
    return pageOf(taken, { ...step, askedAgain: 'shares nothing' });
  }
}

/** Asks once more before it rejects the payment for all of its signers (rules.md A4c). */
async function reject(taken: StepTaken): Promise<string> {
  const { step } = taken;
  if (!isIdentified(step)) return firstPage(taken);
  return step.askedAgain === 'reject'
    ? end(taken, { outcome: 'reject' })
    : pageOf(taken, { ...step, askedAgain: 'reject' });
}

function isIdentified(step: Step | null): step is Step {
  return step !== null && step.problem === null;
}

/** Relative address of the first page, from any page of the SCA. */
function firstPage({ shown }: StepTaken): string {
  return pageAddress({}, shown);
}

function pageOf({ steps, scaId, method, shown }: StepTaken, step: Omit<Step, 'method'>): string {
  return pageAddress({ step: steps.keep(scaId, { ...step, method }) }, shown);
}

async function end({ bank, scaId }: StepTaken, answer: ScaAnswer): Promise<string> {
  return redirectAddress(await finishSca(bank, scaId, answer));
}
