import type { Response } from 'express';
import { Refusal } from '../../engine/values/fault.ts';
import type { ArmedFault, ArmedFaults } from './armed-faults.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import { delayMs, type StruckFault } from './fault-effect.ts';
import { sendGatewayPage } from './gateway-page.ts';
import { type ProvokedCall, provokedRefusal, refusingBank } from './provoked-refusal.ts';
import { addFacts, keepAnswer } from './request-log.ts';

/** A call that armed faults may strike. */
interface StrikableCall {
  readonly call: Call;
  readonly provoked: ProvokedCall;
  /** Path of the request below the bank, with its query. */
  readonly target: string;
  readonly response: Response;
}

/** The bank fails before the commit (rules.md E6c): thrown at the end of the call's transaction, of which nothing remains. */
class NotCommitted extends Refusal {
  constructor() {
    super({
      code: 'SYSTEM_ERROR',
      text: 'Provoked by POST /sandbox/faults: the bank failed before the commit. Nothing of the call was carried out.',
    });
    this.name = 'NotCommitted';
  }
}

/**
 * Carries out a call that an armed fault matches, and lets the fault strike it (rules.md E6, E6b, E6c). The fault strikes in the call's
 * transaction and does the rest after it, so a call that waits holds neither a transaction nor a lock. Throws a refusal. Null: the fault has
 * answered, or closed the connection.
 */
export async function carryOutStruck(faults: ArmedFaults, struckCall: StrikableCall): Promise<Answer | null> {
  const { call, provoked, target, response } = struckCall;
  const { endpoint } = provoked;
  let taken: ArmedFault | undefined;
  let resets: number | undefined;
  const strike = (): Refusal | null => {
    taken = faults.take(endpoint.method, target);
    // A call that is carried out after the delay must not reach a bank that was reset meanwhile.
    if (taken?.when === 'before') ({ resets } = faults);
    if (taken?.code !== undefined) return provokedRefusal(taken.code, provoked);
    return taken?.when === 'before' ? new NotCommitted() : null;
  };
  const outcome = await outcomeOf(endpoint, { ...call, bank: refusingBank(call.bank, strike) });
  const fault = taken as ArmedFault | undefined;
  // After the commit only the bank itself fails.
  if (fault === undefined || (fault.when === 'after' && 'error' in outcome)) return answerIn(outcome);
  if (!(await waited(faults, fault, { response, resets }))) {
    response.destroy();
    return null;
  }
  if (fault.status !== undefined) {
    sendGatewayPage(response);
    return null;
  }
  if (fault.close === true) {
    response.destroy();
    return null;
  }
  if (fault.cut === true) endInTheMiddle(response);
  else if ('error' in outcome && outcome.error instanceof NotCommitted) return endpoint.handle(call);
  return answerIn(outcome);
}

type Outcome = { readonly answer: Answer } | { readonly error: unknown };

async function outcomeOf(endpoint: Endpoint, call: Call): Promise<Outcome> {
  try {
    return { answer: await endpoint.handle(call) };
  } catch (error) {
    return { error };
  }
}

function answerIn(outcome: Outcome): Answer {
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

/**
 * Notes the fault and waits for its delay. False: the connection is to close, because the bank was reset or closed, the server stops, or
 * nobody waits for the answer. A client that is gone before the commit changes nothing: its call is carried out all the same.
 */
async function waited(
  faults: ArmedFaults,
  fault: ArmedFault,
  { response, resets }: { readonly response: Response; readonly resets: number | undefined },
): Promise<boolean> {
  const { delay, ...struck } = struckBy(fault);
  if (delay === undefined || faults.isFull) {
    addFacts(response, { fault: struck });
    return true;
  }
  addFacts(response, { fault: { ...struck, delay } });
  const goesOn = await faults.wait(delayMs(delay) ?? 0, { response: fault.when === 'after' ? response : null, resets });
  if (!goesOn && !response.destroyed) addFacts(response, { fault: { id: struck.id, delay, close: true } });
  return goesOn;
}

function struckBy({
  method: _method,
  path: _path,
  times: _times,
  remaining: _remaining,
  ...struck
}: ArmedFault): StruckFault {
  return struck;
}

/** Lets the answer end in its middle: half of its body is sent, then the connection closes. Without a body it ends in its first line. */
function endInTheMiddle(response: Response): void {
  response.end = (body?: unknown): Response => {
    const bytes = Buffer.from(typeof body === 'string' ? body : '');
    const half = bytes.subarray(0, bytes.length / 2);
    const close = (): unknown => response.destroy();
    keepAnswer(response, half.toString());
    if (half.length > 0) response.write(half, close);
    else response.socket?.write(`HTTP/1.1 ${response.statusCode}`, close);
    return response;
  };
}
