/*
 * Formats of JSON Schema for ajv, which has none by itself and takes any text for them. Written without the code of the bank, which they judge.
 */

const date = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
/** RFC 3339, without a leap second. */
const dateTime = /^([^T]+)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** `formats` of ajv's options. */
export const formats = { date: isDate, 'date-time': isDateTime };

function isDate(text: string): boolean {
  const [, year, month, day] = date.exec(text) ?? [];
  return day !== undefined && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

function isDateTime(text: string): boolean {
  const [, day] = dateTime.exec(text) ?? [];
  return day !== undefined && isDate(day);
}
