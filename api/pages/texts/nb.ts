import type { PageTexts } from './en.ts';

const startAgain = 'Gå tilbake til appen eller nettstedet som sendte deg hit, og begynn på nytt der.';

/** The texts around the content of every page, in Norwegian bokmål. */
export const nb: PageTexts = {
  sandbox: 'Sandkasse',
  notReal: 'Ingen ekte penger, ingen ekte personer.',
  error: 'Feil:',
  problem: 'Noe må rettes',
  today: (date) => `I denne banken er det ${date}.`,
  faults: {
    SCA_NOT_FOUND: {
      heading: 'Her er det ingenting å godkjenne',
      what: 'Banken kjenner ikke denne lenken.',
      advice: startAgain,
    },
    SCA_INVALID: {
      heading: 'Denne lenken er avsluttet',
      what: 'Den virker én gang, og er brukt allerede.',
      advice:
        'Hvis du svarte i et annet vindu, er det svaret som gjelder. Hvis ikke: ' +
        'gå tilbake til appen eller nettstedet som sendte deg hit, og begynn på nytt der.',
    },
    SCA_EXPIRED: { heading: 'Denne lenken er for gammel', what: 'Den virker i 15 minutter.', advice: startAgain },
    NOT_FOUND: { heading: 'Denne siden finnes ikke', what: '', advice: startAgain },
    SYSTEM_ERROR: {
      heading: 'Noe gikk galt i banken',
      what: 'Ingenting er endret.',
      advice: 'Prøv en gang til. Årsaken står i loggen til sandkassen.',
    },
  },
  anyFault: { heading: 'Dette går ikke', what: '', advice: `${startAgain} Eller:` },
  refused: {
    heading: 'Banken tok ikke imot dette',
    form: 'Det kom ikke fra en av bankens sider.',
    host: 'Banken svarer ikke på denne adressen.',
    unchanged: 'Ingenting er endret.',
  },
  openPage: 'Åpne bankens side',
  andAnswer: 'og svar der.',
};
