import type { FaultCode } from '../../../engine/values/fault.ts';
import { capital } from '../../../engine/values/text.ts';
import type { ScaPurpose } from '../../../engine/sca/rows/scas.ts';
import { html, type Html } from '../../pages/html.ts';

/** The texts of the SCA pages in English. Dates, amounts and lists come as the language writes them. */
export const en = {
  approve: 'Approve',
  cancel: 'Cancel',
  continue: 'Continue',

  identify: {
    heading: 'Who are you?',
    asks: {
      payment: (tpp: Html) => html`${tpp} asks you to approve a payment.`,
      cancellation: (tpp: Html) => html`${tpp} asks you to approve the cancellation of a payment.`,
      basket: (tpp: Html) => html`${tpp} asks you to approve several payments at once.`,
      consent: (tpp: Html) => html`${tpp} asks to read your accounts.`,
      identification: (tpp: Html) => html`${tpp} asks who you are.`,
    },
    method: 'Method:',
    number: 'National identity number',
    hint: '11 digits. Any person of this sandbox; there is no password.',
    people: 'People to try',
    signers: 'Who can approve',
    others: 'Other people, to test a refusal',
    unable: (code: string) => `This person cannot approve this (${code}). Nothing has ended: another person still can.`,
    sendRefusal: (tpp: string) => `Send the refusal to ${tpp}`,
    named: 'named in the request',
    missing: 'Enter a national identity number',
    malformed: 'A national identity number has 11 digits',
    unknown: (left: number) => `Nobody at this bank has this number. ${triesLeft(left)}`,
    other: (left: number) => `This waits for another person, the one named in the request. ${triesLeft(left)}`,
  },

  context: {
    heading: 'Who do you act for?',
    choose: 'Choose one',
    problem: 'Choose who you act for',
    name: { PRIVATE: 'Private', CORPORATE: 'Corporate' },
    missing: {
      PRIVATE: (tpp: string) => `${tpp} asked you to act for yourself, which you cannot do here.`,
      CORPORATE: (tpp: string) => `${tpp} asked you to act for a company, which you cannot do here.`,
    },
  },

  consent: {
    heading: 'Which accounts do you share?',
    shared: (tpp: Html) => html`${tpp} will see the name, balance and transactions of the accounts you tick.`,
    none: {
      PRIVATE: (psu: string) => `${psu} has no accounts of their own.`,
      CORPORATE: (psu: string, company: string) => `${psu} may share no account of ${company}.`,
    },
    nothingSeen: (tpp: Html) => html`If you approve, ${tpp} learns who you are, and sees no account.`,
    accounts: 'Your accounts',
    sharedNow: 'shared now',
    you: (psu: string) => `You are ${psu}.`,
    youFor: (psu: string, company: string) => `You are ${psu}, for ${company}.`,
    takeBack: 'To take all access back, leave every box empty and approve.',
  },

  access: {
    heading: 'Who has access to your accounts',
    lead: (psu: string) => `You are ${psu}. These companies may read your accounts.`,
    nobody: 'No company has access.',
    sees: 'Sees',
    company: 'For',
    since: 'Given',
    number: 'Company id',
    used: 'Last used',
    never: 'Not yet',
    confirmed: 'Last confirmed',
    lapses: 'Ends by itself',
    ended: 'Withdrawn',
    withdraw: 'Withdraw access',
    again: 'Give access again',
  },

  sharesNothing: {
    heading: 'Share no account?',
    takesAway: (tpp: Html) => html`If you share no account, ${tpp} loses the access that it has now.`,
    grantsNone: (tpp: Html) => html`If you share no account, ${tpp} learns who you are, and nothing else.`,
    confirm: 'Share no account',
    back: 'Choose accounts',
  },

  identification: {
    heading: 'Do you want to identify yourself?',
    lead: (tpp: Html) => html`${tpp} will identify you by an ID of its own. No account is shared, and nothing is paid.`,
  },

  payment: {
    approveHeading: { single: 'Approve this payment?', periodic: 'Approve this periodic payment?' },
    cancelHeading: { single: 'Cancel this payment?', periodic: 'Cancel this periodic payment?' },
    askedBy: (tpp: Html) => html`Asked for by ${tpp}.`,
    notMade: 'The payment below will not be made.',
    eachTime: 'each time',
    cancelIt: { single: 'Cancel this payment', periodic: 'Cancel this periodic payment' },
    keepIt: 'Keep it',
  },

  facts: {
    to: 'To',
    from: 'From',
    payees: (count: string, sum: string) => `${count} payees, ${sum}`,
    payeesPage: (page: string, pages: string) => `Page ${page} of ${pages}.`,
    payeesBefore: 'Earlier payees',
    payeesAfter: 'More payees',
    rate: 'Rate',
    converted: 'Converted',
    fee: 'Fee',
    total: 'Total',
    message: 'Message',
    kid: 'KID',
    invoice: 'E-invoice',
    reference: 'Reference',
    date: 'Date',
    paid: 'Paid',
    paidAt: (date: string, time: string) => `${date}, ${time}`,
    noRunLeft: (date: string) => `No settlement run of ${date} is left.`,
    cutOffPassed: (date: string, time: string) => `The cut-off of ${date} was at ${time}.`,
    rateFixed: (date: string, time: string) =>
      `The rate is fixed on ${date} at ${time}. Until then the amounts are estimates.`,
    movedPassed: (date: string) => `Moved from ${date}, which has passed.`,
    movedClosed: (date: string) => `Moved from ${date}: the bank is closed.`,
    movedHoliday: (date: string, holiday: Html) => html`Moved from ${date}: the bank is closed (${holiday}).`,
    howOften: 'How often',
    start: 'Start',
    end: 'End',
    noEnd: 'Until you cancel it',
    ifClosed: 'If the bank is closed',
    rule: { following: 'Paid on the next banking day', preceding: 'Paid on the banking day before' },
    firstDates: 'First dates',
    datesFallAway: 'Dates that fall away',
    forDate: (date: string) => `moved from ${date}`,
    goesOn: 'and so on',
    you: 'You',
    forCompany: 'For',
    afterwards: 'Available afterwards',
    afterwardsIn: (account: string) => `Available afterwards in ${account}`,
    byToday: 'Calculated from the amount that is available today.',
    lacking: 'There is not enough money in the account.',
  },

  schedule: {
    step: {
      Daily: 'Every day',
      Weekly: 'Every week',
      EveryTwoWeeks: 'Every two weeks',
      Monthly: 'Every month',
      EveryTwoMonths: 'Every two months',
      Quarterly: 'Every three months',
      SemiAnnual: 'Every six months',
      Annual: 'Every year',
      MonthlyVariable: 'Every year',
    },
    onWeekday: (step: string, weekday: string) => `${step}, on ${weekday}`,
    onDate: (step: string, day: number, month: string) => `${step}, on ${day} ${month}`,
    onDay: (step: string, day: number) => `${step}, on day ${day}`,
    onDayOrLast: (step: string, day: number) => `${step}, on day ${day} or the month’s last day`,
    inMonths: (step: string, months: string) => `${step}, in ${months}`,
  },

  signatures: {
    name: 'Signatures',
    required: (count: number) => `${capital(numberWord(count))} signatures are required.`,
    last: 'You are the last to sign.',
    left: (count: number) => `${capital(numberWord(count))} ${count === 1 ? 'remains' : 'remain'} after yours.`,
    signed: (moment: string) => `signed ${moment}`,
    you: 'you, now',
    maySign: 'can sign too',
    orReject: 'Is this payment wrong?',
    rejectEnds:
      'If you reject it, it is cancelled for all who sign it. If you only cancel, it waits for your signature.',
    reject: 'Reject the payment',
  },

  reject: {
    heading: 'Reject this payment?',
    lead: (amount: string) =>
      `The payment of ${amount} is then cancelled for all who sign it, and cannot be signed again.`,
    given: (names: string) => `The signature of ${names} falls away.`,
    confirm: 'Reject the payment',
    back: 'Back to the payment',
  },

  basket: {
    heading: (count: number) => (count === 1 ? 'Approve this payment?' : `Approve these ${count} payments?`),
    atOnce: 'You sign them all at once.',
    inAll: 'in all',
  },

  landed: {
    approved: {
      heading: 'Approved',
      lead: 'The person approved, and the bank sent them back with these parameters.',
    },
    became: {
      payment: 'The status of the payment says what became of it.',
      cancellation: 'The status of the payment says whether it is cancelled.',
      basket: 'The status of each payment says what became of it.',
      consent: 'The consent is given: read the accounts with PSU-ID.',
      identification: 'The bank knows the person by this PSU-ID from now on.',
    } satisfies Readonly<Record<ScaPurpose, string>>,
    refused: 'Not approved',
    codes: {
      SCA_INVALID: 'The person said no, or the link was used before.',
      SCA_EXPIRED: 'The link was older than 15 minutes.',
      PSU_CREDENTIALS_INVALID: 'The person did not give the right national identity number.',
      FORBIDDEN: 'The person may not pay from this account.',
      STATUS_INVALID: 'The payment takes no signature from this person: it is signed, due or over.',
      RESOURCE_BLOCKED: 'The payment waits in a signing basket and is signed with it.',
      CORPORATE_ID_INVALID: 'The person has no such agreement or context.',
      CANCELLATION_INVALID: 'It is too late to cancel the payment.',
    } as Readonly<Partial<Record<FaultCode, string>>>,
    otherCode: 'The list of errors explains this code.',
    again: {
      payment: 'To try again, start a new authorisation of the payment.',
      cancellation: 'To try again, start a new authorisation of the cancellation.',
      basket: 'To try again, start a new authorisation of the basket.',
      consent: 'To try again, ask for the consent once more.',
      identification: 'To try again, ask once more who the person is.',
    } satisfies Readonly<Record<ScaPurpose, string>>,
    nothing: {
      heading: 'Nothing came back',
      lead: 'After an SCA the bank sends the person to this page, with parameters that say how it ended. This address has none.',
    },
    toConsole: {
      payment: 'See the payment in the console',
      cancellation: 'See the payment in the console',
      basket: 'See the payments in the console',
      consent: 'See the consents in the console',
      identification: 'See the people of the bank in the console',
    } satisfies Readonly<Record<ScaPurpose, string>>,
    keep: 'What your TPP should keep',
    rest: 'What else came back',
    meanings: {
      'psu-id': 'The id of this person for your TPP. Send it as PSU-ID with the next calls.',
      'psu-corporate-id': 'The agreement under which the person acted. Send it as PSU-Corporate-ID beside PSU-ID.',
      'tpp-session-id': 'The TPP-Session-ID of the session that the approval has opened or renewed.',
      context: 'For whom the person acted: PRIVATE or CORPORATE.',
      system: 'The system that refused.',
      status: 'The HTTP status of the error, as an answer would have it.',
      code: 'The code of the error, as an answer would have it.',
      message: 'The explanation of the bank.',
    },
    yours: 'A parameter of your own address in TPP-Redirect-URI.',
    noCode: 'the bank has no such code.',
    ownPage: 'Your own page',
    placeholder:
      'This is a placeholder for your redirect page. Send the address of your page in the header TPP-Redirect-URI.',
    guide: (link: (words: string) => Html) => html`The ${link('guide')} shows the next calls.`,
    errors: (link: (words: string) => Html) => html`The ${link('list of errors')} says what to do about each code.`,
  },

  closed: {
    lead: 'There is nothing left to approve, and nothing was changed.',
    back: (tpp: string) => `Back to ${tpp}`,
    basket: 'These payments can no longer be signed',
    payment: {
      ACSC: 'This payment is signed and paid already',
      RJCT: 'This payment was rejected',
      CANC: 'This payment was cancelled',
      other: 'This payment is signed already',
    },
    cancellation: {
      ACSC: 'This payment is paid, and can no longer be cancelled',
      RJCT: 'This payment was rejected: there is nothing to cancel',
      CANC: 'This payment is cancelled already',
      other: 'It is too late to cancel this payment',
    },
  },
};

function triesLeft(left: number): string {
  return left === 1 ? 'One more try is left.' : `${left} more tries are left.`;
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** A number in words, as far as a reader expects one. */
function numberWord(count: number): string {
  return words[count] ?? String(count);
}

/** The texts of a language. A missing text does not compile. */
export type ScaTexts = typeof en;
