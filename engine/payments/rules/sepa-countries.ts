import { words } from '../../values/text.ts';

/** The European Economic Area, by the country codes of its IBANs (AX and the French overseas departments use FI and FR). */
const eea: ReadonlySet<string> = new Set(
  words(['AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK']),
);

/**
 * The rest of the scheme: European Payments Council, EPC409-09, EPC List of SEPA Scheme Countries, as of 2025. GB covers GG,
 * IM and JE; Gibraltar is a territory of it whose IBANs have a code of their own.
 */
const outsideEea: ReadonlySet<string> = new Set(words(['AD AL CH GB GI MC MD ME MK RS SM VA']));

/** Zone of a SEPA country; outside the EEA a BIC is required (interface: Endpoints, rule 8). Null: not in the scheme. */
type SepaZone = 'EEA' | 'outside the EEA' | null;

/** The zone of the country code of an IBAN. */
export function sepaZone(country: string): SepaZone {
  if (eea.has(country)) return 'EEA';
  return outsideEea.has(country) ? 'outside the EEA' : null;
}
