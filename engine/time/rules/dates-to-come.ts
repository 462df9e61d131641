import type { LocalDate } from '../../values/local-date.ts';

/** Why these dates of a mock transaction cannot be: the bank has not reached them (rules.md D3). By member; null is no date. */
export function datesToCome<Member extends string>(
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
