/** An instant of an answer in bank time, to the minute: `2027-03-30 05:30`. */
export function formatTime(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}
