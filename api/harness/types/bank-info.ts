import type { ClockState } from './clock.ts';
import type { Quirk } from './closed-lists.ts';

/** As `GET /sandbox/info` has it. */
export interface BankInfo {
  /** `sandbank` */
  readonly name: string;
  readonly version: string;
  readonly clock: ClockState;
  readonly configuration: BankSettings;
  /** What the ledger began with, and a reset goes back to. */
  readonly ledger: {
    readonly now: string;
    readonly mode: 'running' | 'frozen';
    /** The name of its known state. */
    readonly fixtures: string;
  };
  /** Every quirk that there is. */
  readonly quirks: readonly {
    readonly name: Quirk;
    /** Whether it is on unless asked for. */
    readonly default: boolean;
    readonly on: boolean;
    /** What it changes. */
    readonly effect: string;
  }[];
  readonly addresses: {
    /** For signed requests. */
    readonly interface: readonly string[];
    readonly sca: string;
    readonly control: string;
    /** Of the door that signs plain requests, with `{tpp}` for a name. */
    readonly unsigned: string;
    readonly health: string;
    readonly ready: string;
  };
  /** A hundred at most. */
  readonly psus: readonly BankPsu[];
}

/** The settings of a bank, but those of its clock. */
export interface BankSettings {
  /** 0: a free one was taken. Of a bank without a port: the default. */
  readonly port: number;
  readonly host: string;
  readonly ledger: string;
  /** Oslo time: `05:30`. */
  readonly settlementTimes: readonly string[];
  readonly tppTrust: 'any' | 'ca';
  readonly tppCas: string | null;
  /** `PT24H` */
  readonly basketLifetime: string;
  readonly quirks: readonly Quirk[];
  readonly fixtures: string;
  readonly publicUrl: string | null;
  readonly allowedHosts: readonly string[];
  readonly doctor: boolean;
  readonly logLevel: string;
  /** Most named banks that stay open; null: by the memory of the machine. */
  readonly openBanks: number | null;
  readonly controlTokenIsSet: boolean;
  readonly idSeedIsSet: boolean;
}

/** A person to sign as. */
export interface BankPsu {
  readonly customerNumber: string;
  readonly name: string;
  /** What the PSU is good for in tests. */
  readonly note: string | null;
  /** The own accounts. */
  readonly accounts: readonly {
    readonly bban: string | null;
    readonly iban: string | null;
    readonly name: string;
    readonly currency: string;
  }[];
  /** The own cards. */
  readonly cards: readonly {
    readonly resourceId: string;
    readonly maskedPan: string;
    readonly name: string;
    readonly currency: string;
  }[];
  /** What the PSU may do with accounts of others. */
  readonly engagements: readonly {
    readonly agreement: {
      readonly id: string;
      readonly name: string;
      /** The customer number. */
      readonly owner: string;
    };
    readonly account: { readonly bban: string | null; readonly iban: string | null; readonly name: string };
    readonly roles: readonly ('VIEW' | 'REGISTER')[];
  }[];
}
