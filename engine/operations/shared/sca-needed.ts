import { Refusal, type Fault } from '../../core/fault.ts';

/** A refusal that an SCA would cure: the answer carries its address as `_links.scaRedirect` (rules.md E1). */
export class ScaNeeded extends Refusal {
  readonly scaId: string;

  constructor(fault: Fault, scaId: string) {
    super(fault);
    this.name = 'ScaNeeded';
    this.scaId = scaId;
  }
}
