/** The known state of a bank at its start. Files in fixtures/ have this shape. */
export interface Fixtures {
  readonly customers: readonly FixtureCustomer[];
  readonly agreements: readonly FixtureAgreement[];
}

export interface FixtureCustomer {
  readonly customerNumber: string;
  readonly name: string;
  readonly type: 'private' | 'corporate';
  readonly note?: string;
  readonly noteNb?: string;
  readonly accounts: readonly FixtureAccount[];
  readonly cards?: readonly FixtureCard[];
}

export interface FixtureAccount {
  readonly accountName: string;
  readonly bban: string;
  readonly iban: string;
  readonly currency: string;
  readonly product: string;
  readonly cashAccountType: 'CACC' | 'TAXE' | 'SVGS';
  /** `18000.00` */
  readonly balance: string;
  readonly creditLine?: string;
  readonly kidAgreement?: 'MOD10' | 'MOD11';
  readonly signaturesRequired?: number;
  readonly paymentsAllowed?: boolean;
}

export interface FixtureCard {
  readonly name: string;
  readonly maskedPan: string;
  readonly product: string;
  readonly currency: string;
  readonly creditLimit: string;
  readonly balance: string;
}

export interface FixtureAgreement {
  /** The corporation's customerNumber. */
  readonly owner: string;
  readonly name: string;
  readonly engagements: readonly {
    /** The PSU's customerNumber. */
    readonly customer: string;
    readonly iban: string;
    readonly roles: readonly ('VIEW' | 'REGISTER')[];
  }[];
}
