/** An amount as in the interface: a decimal string and a currency. */
export interface Money {
  /** `250.00` */
  readonly amount: string;
  readonly currency: string;
}
