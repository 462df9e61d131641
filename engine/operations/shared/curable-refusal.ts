import { Refusal, type Fault } from '../../core/fault.ts';

/** A refusal that an SCA would cure, found while reading: `curing` opens that SCA and answers with ScaNeeded. */
export class CurableRefusal extends Refusal {
  /** Whose SCA it has to be; null: the request named nobody. */
  readonly customerId: number | null;
  /** The agreement that it is about; null: none was named. */
  readonly agreementId: number | null;

  constructor(fault: Fault, customerId: number | null, agreementId: number | null = null) {
    super(fault);
    this.name = 'CurableRefusal';
    this.customerId = customerId;
    this.agreementId = agreementId;
  }
}
