import { words } from './text.ts';

/** Allowed values of every `currency` member (interface: Currency codes). */
export const currencies = words([
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL',
  'BSD BTN BWP BYR BZD CAD CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD',
  'EGP ERN ETB EUR FJD FKP GBP GEL GGP GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF',
  'IDR ILS IMP INR IQD IRR ISK JEP JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT',
  'LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRO MUR MVR MWK MXN MYR MZN',
  'NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR',
  'SBD SCR SDG SEK SGD SHP SLL SOS SPL SRD STD SVC SYP SZL THB TJS TMT TND TOP TRY',
  'TTD TVD TWD TZS UAH UGX USD UYU UZS VEF VND VUV WST XAF XCD XDR XOF XPF YER ZAR',
  'ZMW ZWD',
]);

export type Currency = (typeof currencies)[number];

const known: ReadonlySet<string> = new Set(currencies);

// ISO 4217 list one. Withdrawn codes keep the digits they had; the five that were never on it (GGP, IMP, JEP, SPL, TVD)
// have two; XDR, for which the list gives no digits, has five (rules.md P4). Intl.NumberFormat is wrong for 17 codes.
const noDigits = words(['BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF']);
const threeDigits = words(['BHD IQD JOD KWD LYD OMR TND']);
const exceptions: ReadonlyMap<Currency, number> = new Map<Currency, number>([
  ...noDigits.map((code) => [code, 0] as const),
  ...threeDigits.map((code) => [code, 3] as const),
  ['XDR', 5],
]);

/** True for a currency code of the interface; upper case only. */
export function isCurrency(text: string): text is Currency {
  return known.has(text);
}

/** Number of fraction digits of the currency (rules.md P4). */
export function minorUnits(currency: Currency): number {
  return exceptions.get(currency) ?? 2;
}
