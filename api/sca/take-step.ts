import { finishSca, NothingChosen, type ScaAnswer } from '../../engine/approval/finish-sca.ts';
import { identifyForSca } from '../../engine/approval/identify-for-sca.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { pageAddress } from '../pages/language.ts';
import { contextNamed, contextValue } from './sca-page.ts';
import type { NumberProblem, Step, StepCall } from './sca-steps.ts';

const nationalNumber = /^\d{11}$/;
/** Limits on what a stored step holds, in characters; a valid number or context is shorter. */
const maxTyped = 20;
const maxContext = 100;

/**
 * Takes one step of an SCA (rules.md A2, A2c) and returns the address to redirect to: the next page, relative to this one, or
 * the TPP's. Asks again for what a person can correct; a refusal of the bank (A4) ends the SCA. Fields that no page submits:
 * BAD_REQUEST. Throws what identifyForSca and finishSca throw for an SCA that cannot be used.
 */
export async function takeStep(call: StepCall, fields: URLSearchParams): Promise<string> {
  switch (fields.get('action') ?? '') {
    case 'cancel':
      return end(call, { outcome: 'cancel' });
    case 'reject':
      return reject(call);
    case 'identify':
      return identify(call, (fields.get('psu') ?? '').replace(/\s/g, ''));
    case 'choose':
      return choose(call, fields.get('context') ?? '');
    case 'approve':
      return approve(call, fields.getAll('account'));
    default:
      throw new Refusal({ code: 'BAD_REQUEST', text: 'This is no form of the SCA page.' });
  }
}

async function identify(call: StepCall, psu: string): Promise<string> {
  const asked = { psu: psu.slice(0, maxTyped), context: null, askedAgain: null, problem: null };
  const askAgain = (problem: NumberProblem): string => pageOf(call, { ...asked, problem });
  if (psu === '') return askAgain({ why: 'missing' });
  if (!nationalNumber.test(psu)) return askAgain({ why: 'malformed' });
  const identified = await identifyForSca(call.bank, call.scaId, psu);
  switch (identified.next) {
    case 'ask-again':
      return askAgain({ why: identified.why, left: identified.left });
    case 'choose-context':
      return pageOf(call, asked);
    case 'approve':
      return pageOf(call, { ...asked, context: contextValue(identified.choice) });
    case 'closed':
      return firstPage(call);
    case 'redirect':
      return redirectAddress(identified.result);
  }
}

/** The next page checks whether the PSU has this context. */
function choose(call: StepCall, context: string): string {
  const { step } = call;
  if (!isIdentified(step)) return firstPage(call);
  return pageOf(call, { ...step, context: context.slice(0, maxContext), askedAgain: null });
}

async function approve(call: StepCall, accounts: readonly string[]): Promise<string> {
  const { step } = call;
  if (!isIdentified(step)) return firstPage(call);
  const choice = contextNamed(step.context ?? '');
  if (choice === null) return pageOf(call, step);
  try {
    const mustChoose = step.askedAgain !== 'shares nothing';
    return await end(call, { outcome: 'approve', psu: step.psu, ...choice, accounts, mustChoose });
  } catch (error) {
    if (!(error instanceof NothingChosen)) throw error;
    return pageOf(call, { ...step, askedAgain: 'shares nothing' });
  }
}

/** Asks once more before it rejects the payment for all of its signers (rules.md A4c). */
async function reject(call: StepCall): Promise<string> {
  const { step } = call;
  if (!isIdentified(step)) return firstPage(call);
  return step.askedAgain === 'reject'
    ? end(call, { outcome: 'reject' })
    : pageOf(call, { ...step, askedAgain: 'reject' });
}

function isIdentified(step: Step | null): step is Step {
  return step !== null && step.problem === null;
}

/** Relative address of the first page, from any page of the SCA. */
function firstPage({ shown }: StepCall): string {
  return pageAddress({}, shown);
}

function pageOf({ steps, scaId, method, shown }: StepCall, step: Omit<Step, 'method'>): string {
  return pageAddress({ step: steps.keep(scaId, { ...step, method }) }, shown);
}

async function end({ bank, scaId }: StepCall, answer: ScaAnswer): Promise<string> {
  return redirectAddress(await finishSca(bank, scaId, answer));
}
