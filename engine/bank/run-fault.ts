/**
 * The fault `double-execution` that the control plane armed, as the runs see it (rules.md R8b). It is in memory, like every armed fault:
 * a run that is rolled back has not spent it.
 */
export interface RunFault {
  /** Whether the next run that can executes payments twice. */
  isArmed(): boolean;
  /** Counts a run that did, after its commit. */
  spend(): void;
}

/** Where the server of a bank puts its faults; null: nobody can arm one. */
export interface RunFaultSlot {
  fault: RunFault | null;
}
