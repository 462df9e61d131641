import { isIdentityNumber } from '../../api/pipeline/identity-numbers.ts';
import type { Seeded } from './seeded.ts';

/** What additions to day and month make numbers of which kind: birth, D-, H- and synthetic numbers. */
const additions = [0, 40].flatMap((day) => [0, 40, 65, 80].map((month) => [day, month] as const));

const digits = (value: number, length = 2): string => String(value).padStart(length, '0');

/** Of today, or of 2032 on, when the first check digit may leave a rest. */
export function identityNumber(random: Seeded): string {
  for (;;) {
    const [dayMore, monthMore] = random.pick(additions);
    const day = digits(1 + random.below(28) + dayMore) + digits(1 + random.below(12) + monthMore);
    const number = day + digits(1 + random.below(99)) + digits(random.below(100_000), 5);
    if (isIdentityNumber(number)) return number;
  }
}
