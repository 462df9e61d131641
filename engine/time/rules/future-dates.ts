import type { LocalDate } from '../../values/local-date.ts';

/** Faults of a mock transaction's dates after today, each with its member (rules.md D3). Null: no such date was given. */
export function futureDates<Member extends string>(
  dates: Readonly<Record<Member, LocalDate | null>>,
  members: readonly Member[],
  today: LocalDate,
): readonly (readonly [member: Member, text: string])[] {
  return members.flatMap((member) => {
    const date = dates[member];
    if (date === null || date <= today) return [];
    const text = `${member} ${date} has not come yet: the bank's date is ${today}. Send that date or an earlier one.`;
    return [[member, text] as const];
  });
}
