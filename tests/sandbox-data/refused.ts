import { Refusal, type Fault } from '../../engine/values/fault.ts';

/** The faults that a call is refused with. Throws when it is not. */
export async function refused(call: Promise<unknown>): Promise<readonly Fault[]> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Refusal) return error.faults;
    throw error;
  }
  throw new Error('the call was not refused');
}
