/**
 * Why money comes back: of ISO 20022 ExternalReturnReason1Code, each in English and as a Norwegian bank writes it
 * (rules.md S12).
 */
export const returnReasons = {
  AC01: ['wrong account number', 'feil kontonummer'],
  AC03: ['invalid creditor account number', 'ugyldig kontonummer'],
  AC04: ['account closed', 'kontoen er avsluttet'],
  AC06: ['account blocked', 'kontoen er sperret'],
  AG01: ['the account may not receive it', 'kontoen kan ikke motta betalingen'],
  AM05: ['duplicate', 'betalt to ganger'],
  BE04: ['creditor address missing', 'mottakers adresse mangler'],
  CUST: ['the payer asked for it', 'etter ønske fra betaler'],
  FOCR: ['after a request for cancellation', 'etter anmodning om kansellering'],
  MD07: ['the account holder is dead', 'kontohaver er død'],
  MS02: ['refused by the beneficiary', 'avvist av mottaker'],
  MS03: ['no reason told', 'uten oppgitt årsak'],
  NARR: ['see the text', 'se melding'],
  RC01: ['wrong bank identifier', 'feil bankkode'],
  RR04: ['regulatory reason', 'regulatorisk årsak'],
} as const;

export type ReturnReason = keyof typeof returnReasons;

export const returnReasonCodes = Object.keys(returnReasons) as readonly ReturnReason[];

/** What `additionalInformation` of a return says: `AC04: kontoen er avsluttet`. */
export function returnCode(reason: ReturnReason): string {
  return `${reason}: ${returnReasons[reason][1]}`;
}

/**
 * The text of a return: the reason, and the text of its payment, in at most 140 characters: `Retur: kontoen er
 * avsluttet. Husleie mars`.
 */
export function returnText(reason: ReturnReason, text: string | undefined): string {
  const why = `Retur: ${returnReasons[reason][1]}`;
  return text === undefined ? why : [...`${why}. ${text}`].slice(0, 140).join('');
}
