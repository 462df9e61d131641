import { html } from '../../pages/html.ts';
import { capital } from '../../../engine/values/text.ts';
import type { ScaTexts } from './en.ts';

/** The texts of the SCA pages in Norwegian bokmål. */
export const nb: ScaTexts = {
  approve: 'Godkjenn',
  cancel: 'Avbryt',
  continue: 'Fortsett',

  identify: {
    heading: 'Hvem er du?',
    asks: {
      payment: (tpp) => html`${tpp} ber deg godkjenne en betaling.`,
      cancellation: (tpp) => html`${tpp} ber deg godkjenne at en betaling kanselleres.`,
      basket: (tpp) => html`${tpp} ber deg godkjenne flere betalinger samtidig.`,
      consent: (tpp) => html`${tpp} ber om å få lese kontoene dine.`,
      identification: (tpp) => html`${tpp} spør hvem du er.`,
    },
    method: 'Metode:',
    number: 'Fødselsnummer',
    hint: '11 siffer. Velg en av personene i denne sandkassen. Du trenger ikke passord.',
    people: 'Personer du kan prøve',
    signers: 'Hvem som kan godkjenne',
    others: 'Andre personer, for å teste et avslag',
    unable: (code) =>
      `Denne personen kan ikke godkjenne dette (${code}). Ingenting er avsluttet: en annen kan fortsatt godkjenne.`,
    sendRefusal: (tpp) => `Send avslaget til ${tpp}`,
    named: 'nevnt i forespørselen',
    missing: 'Skriv inn et fødselsnummer',
    malformed: 'Et fødselsnummer har 11 siffer',
    unknown: (left) => `Ingen i denne banken har dette fødselsnummeret. ${triesLeft(left)}`,
    other: (left) => `Dette venter på en annen person, den som er nevnt i forespørselen. ${triesLeft(left)}`,
  },

  context: {
    heading: 'Hvem representerer du?',
    choose: 'Velg én',
    problem: 'Velg hvem du representerer',
    name: { PRIVATE: 'Privat', CORPORATE: 'Bedrift' },
    missing: {
      PRIVATE: (tpp) => `${tpp} ba deg opptre som privatperson, og det kan du ikke her.`,
      CORPORATE: (tpp) => `${tpp} ba deg representere en bedrift, og det kan du ikke her.`,
    },
  },

  consent: {
    heading: 'Hvilke kontoer vil du dele?',
    shared: (tpp) => html`${tpp} får se navn, saldo og transaksjoner på kontoene du krysser av.`,
    none: {
      PRIVATE: (psu) => `${psu} har ingen egne kontoer.`,
      CORPORATE: (psu, company) => `${psu} kan ikke dele noen konto for ${company}.`,
    },
    nothingSeen: (tpp) => html`Hvis du godkjenner, får ${tpp} vite hvem du er, men ser ingen konto.`,
    accounts: 'Kontoene dine',
    sharedNow: 'deles nå',
    you: (psu) => `Du er ${psu}.`,
    youFor: (psu, company) => `Du er ${psu}, for ${company}.`,
    takeBack: 'Vil du trekke all tilgang tilbake? Fjern alle kryss og godkjenn.',
  },

  access: {
    heading: 'Hvem har tilgang til kontoene dine',
    lead: (psu) => `Du er ${psu}. Disse selskapene kan lese kontoene dine.`,
    nobody: 'Ingen selskaper har tilgang.',
    sees: 'Ser',
    company: 'For',
    since: 'Gitt',
    number: 'Selskapets ID',
    used: 'Sist brukt',
    never: 'Ikke ennå',
    confirmed: 'Sist bekreftet',
    lapses: 'Utløper',
    ended: 'Trukket tilbake',
    withdraw: 'Trekk tilbake tilgangen',
    again: 'Gi tilgang igjen',
  },

  sharesNothing: {
    heading: 'Vil du ikke dele noen konto?',
    takesAway: (tpp) => html`Hvis du ikke deler noen konto, mister ${tpp} tilgangen den har nå.`,
    grantsNone: (tpp) => html`Hvis du ikke deler noen konto, får ${tpp} vite hvem du er, og ikke noe mer.`,
    confirm: 'Del ingen konto',
    back: 'Velg kontoer',
  },

  identification: {
    heading: 'Vil du identifisere deg?',
    lead: (tpp) => html`${tpp} vil identifisere deg med en egen ID. Ingen kontoer deles, og ingenting betales.`,
  },

  payment: {
    approveHeading: { single: 'Vil du godkjenne betalingen?', periodic: 'Vil du godkjenne den faste betalingen?' },
    cancelHeading: { single: 'Vil du kansellere betalingen?', periodic: 'Vil du kansellere den faste betalingen?' },
    askedBy: (tpp) => html`${tpp} ber om dette.`,
    notMade: 'Betalingen under blir ikke utført.',
    eachTime: 'hver gang',
    cancelIt: { single: 'Kanseller betalingen', periodic: 'Kanseller den faste betalingen' },
    keepIt: 'Behold den',
  },

  facts: {
    to: 'Til',
    from: 'Fra',
    payees: (count, sum) => `${count} mottakere, ${sum}`,
    payeesPage: (page, pages) => `Side ${page} av ${pages}.`,
    payeesBefore: 'Tidligere mottakere',
    payeesAfter: 'Flere mottakere',
    rate: 'Kurs',
    converted: 'Omregnet',
    fee: 'Gebyr',
    total: 'Totalt',
    message: 'Melding',
    kid: 'KID',
    invoice: 'eFaktura',
    reference: 'Referanse',
    date: 'Dato',
    paid: 'Betales',
    paidAt: (date, time) => `${date} kl. ${time}`,
    noRunLeft: (date) => `Det er ikke flere oppgjør igjen ${date}.`,
    cutOffPassed: (date, time) => `Fristen ${date} var kl. ${time}.`,
    rateFixed: (date, time) => `Kursen fastsettes ${date} kl. ${time}. Beløpene er anslag til da.`,
    movedPassed: (date) => `Flyttet fra ${date}, som er passert.`,
    movedClosed: (date) => `Flyttet fra ${date}: banken er stengt.`,
    movedHoliday: (date, holiday) => html`Flyttet fra ${date}: banken er stengt (${holiday}).`,
    howOften: 'Hvor ofte',
    start: 'Start',
    end: 'Slutt',
    noEnd: 'Til du stopper den',
    ifClosed: 'Hvis banken er stengt',
    rule: { following: 'Betales neste bankdag', preceding: 'Betales bankdagen før' },
    firstDates: 'Første datoer',
    datesFallAway: 'Datoer som faller bort',
    forDate: (date) => `flyttet fra ${date}`,
    goesOn: 'og så videre',
    you: 'Du',
    forCompany: 'For',
    afterwards: 'Disponibelt etterpå',
    afterwardsIn: (account) => `Disponibelt etterpå på ${account}`,
    byToday: 'Beregnet ut fra dagens disponible beløp.',
    lacking: 'Det er ikke nok penger på kontoen.',
  },

  schedule: {
    step: {
      Daily: 'Hver dag',
      Weekly: 'Hver uke',
      EveryTwoWeeks: 'Annenhver uke',
      Monthly: 'Hver måned',
      EveryTwoMonths: 'Annenhver måned',
      Quarterly: 'Hver tredje måned',
      SemiAnnual: 'Hver sjette måned',
      Annual: 'Hvert år',
      MonthlyVariable: 'Hvert år',
    },
    onWeekday: (step, weekday) => `${step}, på ${weekday}er`,
    onDate: (step, day, month) => `${step}, ${day}. ${month}`,
    onDay: (step, day) => `${step}, den ${day}.`,
    onDayOrLast: (step, day) => `${step}, den ${day}. eller månedens siste dag`,
    inMonths: (step, months) => `${step}, i ${months}`,
  },

  signatures: {
    name: 'Signaturer',
    required: (count) => `Det kreves ${numberWord(count)} signaturer.`,
    last: 'Du er den siste som signerer.',
    left: (count) => `${capital(numberWord(count))} gjenstår etter din.`,
    signed: (moment) => `signerte ${moment}`,
    you: 'du, nå',
    maySign: 'kan også signere',
    orReject: 'Er betalingen feil?',
    rejectEnds:
      'Hvis du avviser den, kanselleres den for alle som signerer. Hvis du bare avbryter, venter den på signaturen din.',
    reject: 'Avvis betalingen',
  },

  reject: {
    heading: 'Vil du avvise betalingen?',
    lead: (amount) => `Betalingen på ${amount} kanselleres for alle som signerer, og kan ikke signeres igjen.`,
    given: (names) => `Signaturen til ${names} faller bort.`,
    confirm: 'Avvis betalingen',
    back: 'Tilbake til betalingen',
  },

  basket: {
    heading: (count) => (count === 1 ? 'Vil du godkjenne betalingen?' : `Vil du godkjenne disse ${count} betalingene?`),
    atOnce: 'Du signerer alle samtidig.',
    inAll: 'i alt',
  },

  landed: {
    approved: {
      heading: 'Godkjent',
      lead: 'Personen godkjente, og banken sendte nettleseren hit med disse parameterne.',
    },
    became: {
      payment: 'Statusen til betalingen viser hva som skjedde med den.',
      cancellation: 'Statusen til betalingen viser om den er kansellert.',
      basket: 'Statusen til hver betaling viser hva som skjedde med den.',
      consent: 'Samtykket er gitt: les kontoene med PSU-ID.',
      identification: 'Banken kjenner personen med denne PSU-ID-en fra nå av.',
    },
    refused: 'Ikke godkjent',
    codes: {
      SCA_INVALID: 'Personen sa nei, eller lenken var allerede brukt.',
      SCA_EXPIRED: 'Lenken var eldre enn 15 minutter.',
      PSU_CREDENTIALS_INVALID: 'Personen oppga ikke riktig fødselsnummer.',
      FORBIDDEN: 'Personen kan ikke betale fra denne kontoen.',
      STATUS_INVALID: 'Betalingen kan ikke signeres av denne personen: den er signert, forfalt eller avsluttet.',
      RESOURCE_BLOCKED: 'Betalingen ligger i en signeringskurv og signeres sammen med den.',
      CORPORATE_ID_INVALID: 'Personen har ingen slik avtale eller rolle.',
      CANCELLATION_INVALID: 'Det er for sent å kansellere betalingen.',
    },
    otherCode: 'Listen over feil forklarer denne koden.',
    again: {
      payment: 'Start en ny autorisasjon av betalingen for å prøve igjen.',
      cancellation: 'Start en ny autorisasjon av kanselleringen for å prøve igjen.',
      basket: 'Start en ny autorisasjon av kurven for å prøve igjen.',
      consent: 'Be om samtykket på nytt for å prøve igjen.',
      identification: 'Spør på nytt hvem personen er for å prøve igjen.',
    },
    nothing: {
      heading: 'Ingenting kom tilbake',
      lead: 'Etter en godkjenning sender banken personen til denne siden, med parametere som viser hvordan det gikk. Denne adressen har ingen.',
    },
    toConsole: {
      payment: 'Se betalingen i konsollen',
      cancellation: 'Se betalingen i konsollen',
      basket: 'Se betalingene i konsollen',
      consent: 'Se samtykkene i konsollen',
      identification: 'Se personene i banken i konsollen',
    },
    keep: 'Dette bør TPP-en ta vare på',
    rest: 'Annet som kom tilbake',
    meanings: {
      'psu-id': 'Din TPPs ID for denne personen. Send den som PSU-ID i de neste kallene.',
      'psu-corporate-id': 'Avtalen som personen brukte. Send den som PSU-Corporate-ID sammen med PSU-ID.',
      'tpp-session-id': 'TPP-Session-ID for økten som godkjenningen åpnet eller fornyet.',
      context: 'Hvem personen representerte: PRIVATE eller CORPORATE.',
      system: 'Systemet som avviste.',
      status: 'HTTP-statusen til feilen, slik den ville stått i et svar.',
      code: 'Feilkoden, slik den ville stått i et svar.',
      message: 'Bankens forklaring.',
    },
    yours: 'En parameter fra din egen adresse i TPP-Redirect-URI.',
    noCode: 'banken har ingen slik kode.',
    ownPage: 'Din egen side',
    placeholder: 'Dette er en plassholder for siden din. Send adressen til siden din i headeren TPP-Redirect-URI.',
    guide: (link) => html`${link('Veiledningen')} viser de neste kallene.`,
    errors: (link) => html`${link('Listen over feil')} forklarer hva du gjør med hver kode.`,
  },

  closed: {
    lead: 'Det er ingenting igjen å godkjenne, og ingenting er endret.',
    back: (tpp) => `Tilbake til ${tpp}`,
    basket: 'Disse betalingene kan ikke signeres lenger',
    payment: {
      ACSC: 'Betalingen er allerede signert og betalt',
      RJCT: 'Betalingen ble avvist',
      CANC: 'Betalingen ble kansellert',
      other: 'Betalingen er allerede signert',
    },
    cancellation: {
      ACSC: 'Betalingen er utført, og kan ikke lenger kanselleres',
      RJCT: 'Betalingen ble avvist: det er ingenting å kansellere',
      CANC: 'Betalingen er allerede kansellert',
      other: 'Det er for sent å kansellere betalingen',
    },
  },
};

function triesLeft(left: number): string {
  return left === 1 ? 'Du har ett forsøk igjen.' : `Du har ${left} forsøk igjen.`;
}

const words = ['null', 'én', 'to', 'tre', 'fire', 'fem', 'seks', 'sju', 'åtte', 'ni', 'ti', 'elleve', 'tolv'];

/** A number in words, as far as a reader expects one. */
function numberWord(count: number): string {
  return words[count] ?? String(count);
}
