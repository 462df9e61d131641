import { dayAfter, daysFrom, isClosed, isDayOfExecution } from './days.ts';

/*
 * The bank as its rules tell it, in the plainest way that works: everything in objects, every run looks at everything.
 * It shares no code with the engine. Times are texts `YYYY-MM-DD HH:MM` of Oslo's clocks, money is øre.
 */

/** The statuses in which a run can take a payment (rules.md S3). */
const underwayStatuses = ['ACSP', 'PDNG', 'ACCP'];
const runTimes = ['05:30', '09:30', '11:30', '13:30', '15:30'];

export interface ModelPlan {
  readonly frequency: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly preceding: boolean;
  /** 1..31, or null: the day of startDate. */
  readonly day: number | null;
  readonly months: readonly number[];
}

interface ModelExecution {
  readonly nominal: string;
  readonly date: string;
  readonly signedAt: string;
  attempts: number;
  status: 'open' | 'ACSC' | 'RJCT' | 'CANC';
  settledIn: string | null;
}

export interface ModelPayment {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** The day asked for, of a single payment. */
  readonly requested: string;
  readonly plan: ModelPlan | null;
  status: string;
  finalIn: string | null;
  readonly executions: ModelExecution[];
}

export class Model {
  readonly balances: Map<string, bigint>;
  readonly creditLines: ReadonlyMap<string, bigint>;
  readonly payments: ModelPayment[] = [];
  now: string;
  lastRun = '';

  constructor(now: string, accounts: readonly { name: string; balance: bigint; creditLine: bigint }[]) {
    this.now = now;
    this.balances = new Map(accounts.map((one) => [one.name, one.balance]));
    this.creditLines = new Map(accounts.map((one) => [one.name, one.creditLine]));
  }

  /** T4, T5: every run in between, one after the other. */
  advance(to: string): void {
    for (let day = this.now.slice(0, 10); day <= to.slice(0, 10); day = dayAfter(day, 1)) {
      for (const time of isClosed(day) ? [] : runTimes) {
        const run = `${day} ${time}`;
        if (run > this.now && run <= to) this.settle(run);
      }
    }
    this.now = to;
  }

  /** S2, P13, R6: lays out what is to be executed; false when nothing is left of it. */
  sign(payment: ModelPayment): boolean {
    const today = this.now.slice(0, 10);
    const { plan } = payment;
    if (plan === null) {
      const date = bankingDayFrom(payment.requested < today ? today : payment.requested, 1);
      payment.executions.push(open(date, date, this.now));
      payment.status = date === today ? 'PDNG' : 'ACSP';
      return true;
    }
    const nextRun = this.nextRunDay();
    for (const nominal of nominalDays(plan)) {
      const date = bankingDayFrom(nominal, plan.preceding ? -1 : 1);
      if (nominal < today && date < today) continue;
      payment.executions.push(open(nominal, date < nominal && date < nextRun ? nextRun : date, this.now));
    }
    if (payment.executions.length > 0) payment.status = 'ACSP';
    return payment.executions.length > 0;
  }

  /** R10: what has not settled goes with it. */
  cancel(payment: ModelPayment): void {
    payment.status = 'CANC';
    for (const one of payment.executions) if (one.status === 'open') one.status = 'CANC';
  }

  /** S2b: a single payment that is due reads PDNG, whatever the bank has stored. */
  status({ status, plan, executions }: ModelPayment): string {
    const isDue = plan === null && executions.some(({ date }) => date <= this.now.slice(0, 10));
    return status === 'ACSP' && isDue ? 'PDNG' : status;
  }

  /** S6, S9: what the status of a payment reads as; null when it cannot be read. */
  seen(payment: ModelPayment): string | null {
    if (payment.status === 'RCVD') return null;
    if (payment.status === 'ACSC' && payment.finalIn !== null && payment.finalIn < this.lastRun) return null;
    return this.status(payment);
  }

  /** S6: the day of the run that books what a run posted, the next one after it. */
  bookedOn(run: string): string {
    const day = run.slice(0, 10);
    return run.slice(11) === runTimes.at(-1) ? bankingDayFrom(dayAfter(day, 1), 1) : day;
  }

  private settle(run: string): void {
    const underway = this.payments.filter((payment) => underwayStatuses.includes(payment.status));
    const due = underway
      .flatMap((payment) => payment.executions.map((execution) => ({ payment, execution })))
      .filter(({ execution: one }) => one.status === 'open' && one.date <= run.slice(0, 10) && one.signedAt <= run)
      .sort((a, b) => (orderOf(a.execution) < orderOf(b.execution) ? -1 : 1));
    for (const { payment, execution } of due) this.attempt(run, payment, execution);
    this.lastRun = run;
  }

  private attempt(run: string, payment: ModelPayment, execution: ModelExecution): void {
    const { from, to, amount } = payment;
    const balance = this.balances.get(from) ?? 0n;
    execution.attempts += 1;
    if (balance + (this.creditLines.get(from) ?? 0n) >= amount) {
      this.balances.set(from, balance - amount);
      this.balances.set(to, (this.balances.get(to) ?? 0n) + amount);
      execution.status = 'ACSC';
      execution.settledIn = run;
    } else if (execution.attempts === 5) execution.status = 'RJCT';
    if (payment.plan === null) payment.status = execution.status === 'open' ? 'ACCP' : execution.status;
    else if (payment.executions.every((one) => one.status !== 'open')) {
      payment.status = payment.executions.some((one) => one.status === 'ACSC') ? 'ACSC' : 'RJCT';
    }
    if (payment.status === 'ACSC') payment.finalIn = run;
  }

  private nextRunDay(): string {
    const today = this.now.slice(0, 10);
    const hasRunToday = !isClosed(today) && runTimes.some((time) => `${today} ${time}` > this.now);
    return hasRunToday ? today : bankingDayFrom(dayAfter(today, 1), 1);
  }
}

/** R2-R7: walks from the first day to the last and asks of each whether it is one. */
export function nominalDays(plan: ModelPlan): string[] {
  const { frequency, startDate, endDate, months } = plan;
  const wanted = plan.day ?? Number(startDate.slice(8));
  const everyDays = { Daily: 1, Weekly: 7, EveryTwoWeeks: 14 }[frequency];
  const everyMonths = { Monthly: 1, EveryTwoMonths: 2, Quarterly: 3, SemiAnnual: 6, Annual: 12 }[frequency];
  const found: string[] = [];
  let hits = 0;
  for (let day = startDate; day <= endDate; day = dayAfter(day, 1)) {
    if (everyDays !== undefined) {
      if (daysFrom(startDate, day) % everyDays === 0) found.push(day);
    } else if (isDayOfExecution(day, wanted)) {
      const isHit = everyMonths === undefined ? months.includes(Number(day.slice(5, 7))) : hits % everyMonths === 0;
      if (isHit) found.push(day);
      hits += 1;
    }
  }
  return found;
}

/** P3, R6: the day itself when the bank is open, else the next one in that direction. */
export function bankingDayFrom(day: string, step: 1 | -1): string {
  return isClosed(day) ? bankingDayFrom(dayAfter(day, step), step) : day;
}

function open(nominal: string, date: string, signedAt: string): ModelExecution {
  return { nominal, date, signedAt, attempts: 0, status: 'open', settledIn: null };
}

/** S3. No two payments of a simulation are signed in the same minute. */
function orderOf(execution: ModelExecution): string {
  return `${execution.date} ${execution.signedAt} ${execution.nominal}`;
}
