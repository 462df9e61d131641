/** What `sandbank gauntlet --json FILE` writes. */
export interface GauntletReport {
  readonly version: 1;
  /** The command that was run, word by word. */
  readonly command: readonly string[];
  readonly baseline: {
    /** How many tests pass, or null if the output of the runner does not say. */
    readonly tests: number | null;
    /** How many calls under /v1 they make. */
    readonly calls: number;
    readonly seconds: number;
    /** Whether two runs without a trial differ. */
    readonly flaky: boolean;
  };
  readonly trials: readonly GauntletTrial[];
  /** What was tried together. Null: nothing. */
  readonly together: {
    /** In how many worlds the suite ran: banks under many trials at once. */
    readonly worlds: number;
    /** How many trials were combined, and how many pairs of them can stand together. */
    readonly trials: number;
    readonly pairs: number;
    /**
     * How many of these pairs were not tried, because the time was over: no world had them, or some test failed in each
     * one, and no set explains it.
     */
    readonly notTried: number;
  } | null;
  /** What no test met, each with a scenario that shows it. */
  readonly notMet: {
    readonly operations: readonly GauntletNotMet[];
    readonly products: readonly GauntletNotMet[];
    readonly statuses: readonly GauntletNotMet[];
    readonly codes: readonly GauntletNotMet[];
  };
}

/** One change of the bank, and how the tests took it. */
export interface GauntletTrial {
  /** Those of trials that break only together are joined by `+`. */
  readonly name: string;
  /** The names of the trials that break only together. */
  readonly parts?: readonly string[];
  readonly kind: 'quirk' | 'profile' | 'wire' | 'tolerance' | 'time' | 'status' | 'forged' | 'together';
  /** A forged answer is noticed if a test fails. */
  readonly verdict: 'survived' | 'noticed' | 'broke' | 'hangs' | 'not noticed' | 'not heard' | 'flaky';
  readonly seconds: number;
  /** The tests that failed, the first one first. */
  readonly tests: readonly GauntletTest[];
  /** The last lines of the output, if tests failed and none is known by name. */
  readonly output: string | null;
  /** The first answer that was another than without the trial, or null if none is known or nothing broke. */
  readonly change: GauntletChange | null;
  /** What the bank does. */
  readonly sentence: string;
  /** The ids of the profiles of the banks that were seen to do so. */
  readonly banks: readonly string[];
  /** The rule of rules.md, if there is one. */
  readonly rule: string | null;
  /** Where the guide tells more. */
  readonly docs: string;
  /** The line that runs it again. */
  readonly again: string;
  /** Why no test can hear the trial, if none can. */
  readonly notHeard?: string;
}

/** A test; a hook that failed is named by its group or its file. */
export interface GauntletTest {
  readonly name: string;
  /** It is empty if the runner does not tell. */
  readonly file: string;
  /** The first lines of why it failed. It is empty if the runner does not tell. */
  readonly message: string;
}

/** An answer without the trial and with it. */
export interface GauntletChange {
  readonly call: string;
  /**
   * The member: `transactions.booked[3].transactionId`. `status`, `content-type` and `answer` stand for the whole
   * answer, `trial` for what the trial did.
   */
  readonly path: string;
  /** As JSON, or null if it was not there. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface GauntletNotMet {
  readonly name: string;
  /** `sandbank play NAME` shows it. Null if no scenario does. */
  readonly scenario: string | null;
}
