import { Refusal, type Fault } from '../../core/fault.ts';

/** A refusal that an SCA would cure, found while reading: `curing` opens that SCA and answers with ScaNeeded. */
export class CurableRefusal extends Refusal {
  constructor(fault: Fault) {
    super(fault);
    this.name = 'CurableRefusal';
  }
}
