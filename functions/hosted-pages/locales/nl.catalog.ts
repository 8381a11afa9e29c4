import type { Messages } from '#functions/hosted-pages/locales/locale.model.ts';

export const NL: Messages = {
  payment: 'Betaling',
  paymentTo: 'Betaling aan',
  payableUntil: (date) => `Te betalen tot ${date}.`,
  testMode: 'Testmodus',
  testModeNotice: 'Er wordt geen echt geld afgeschreven.',
  errorPrefix: 'Fout',
  optional: 'optioneel',
  form: {
    method: 'Hoe wilt u betalen?',
    oneMethod: 'Betaalmethode',
    country: 'Land van waaruit u betaalt',
    chooseCountry: 'Kies een land',
    email: 'E-mailadres',
    pay: (amount) => `${amount} betalen`,
    redirectNotice: 'U betaalt op de beveiligde pagina van de betaaldienst, die hierna opent.',
  },
  fieldErrors: {
    heading: 'Controleer wat u hebt ingevuld',
    method: 'Kies een van deze betaalmethoden.',
    country: 'Kies het land van waaruit u betaalt.',
    email: 'Vul een e-mailadres in, bijvoorbeeld naam@example.com.',
    input: 'Dit werd niet geaccepteerd. Controleer het en vul het opnieuw in.',
  },
  notices: {
    declined: 'Uw betaling is niet gelukt',
    canceled: 'U hebt de betaling geannuleerd. U kunt hier opnieuw beginnen.',
    stale:
      'Er is niets betaald: deze pagina stond te lang open, of uw browser bewaart geen cookies. Probeer het opnieuw.',
  },
  failures: {
    declined: 'Uw bank of kaartmaatschappij heeft de betaling geweigerd. Probeer een andere kaart of betaalmethode.',
    insufficient_funds: 'Er staat niet genoeg geld op de rekening. Probeer een andere kaart of rekening.',
    limit_exceeded: 'Een limiet van uw kaart of rekening is overschreden. Probeer een andere, of vraag het uw bank.',
    expired_card: 'De kaart is verlopen. Probeer een andere kaart.',
    wrong_details: 'Iets van wat u hebt ingevuld klopt niet. Controleer het en probeer het opnieuw.',
    not_authenticated: 'Uw bank kon niet bevestigen dat u het was. Probeer het opnieuw.',
    method_not_accepted: 'Met deze kaart of rekening kan deze betaling niet. Probeer een andere.',
    not_completed: 'De betaling is niet afgerond.',
    timed_out: 'De tijd om de betaling af te ronden is voorbij. U kunt opnieuw beginnen.',
    unavailable: 'De betaaldienst is nu niet bereikbaar. Probeer het over een paar minuten opnieuw.',
    not_possible: 'Op deze manier kan nu niet worden betaald. Kies een andere betaalmethode, of vraag het de verkoper.',
  },
  otherFailures: {
    declined:
      'Uw bank of betaaldienst heeft de betaling geweigerd. Probeer het opnieuw, of betaal op een andere manier.',
    insufficient_funds:
      'Er staat niet genoeg geld op de rekening. Probeer een andere rekening, of betaal op een andere manier.',
    limit_exceeded: 'Een limiet van uw rekening is overschreden. Probeer een andere, of vraag het uw bank.',
    expired_card: 'Dit betaalmiddel is verlopen. Probeer een ander.',
    method_not_accepted:
      'Met deze rekening kan deze betaling niet. Probeer een andere, of betaal op een andere manier.',
  },
  methods: {
    card: 'Kaart',
    mobile_money: 'Mobile money',
    sepa_debit: 'SEPA-incasso',
    bank_transfer: 'Overschrijving',
    bank: 'Bankrekening',
    netbanking: 'Internetbankieren',
    ussd: 'USSD-code via de telefoon',
    qr: 'QR-code',
    eft: 'EFT',
    pay_later: 'Later betalen',
    cash: 'Contant',
  },
  redirecting: {
    heading: 'U gaat nu naar de betaling',
    text: 'De beveiligde pagina van de betaaldienst opent automatisch. Gebeurt dat niet, gebruik dan de knop.',
    continue: 'Verder naar de betaling',
  },
  resumed: {
    heading: 'U bent begonnen met betalen',
    text: 'Uw betaling staat nog open. Ga ermee verder, of kies een andere manier.',
  },
  collect: {
    otp: { heading: 'Vul de code in', text: 'Uw bank heeft u een code gestuurd, meestal per sms.' },
    pin: {
      heading: 'Vul uw pincode in',
      text: 'Uw bank vraagt om de pincode van uw kaart. Die wordt doorgegeven en niet bewaard.',
    },
    phone: {
      heading: 'Vul uw telefoonnummer in',
      text: 'Uw bank vraagt om het telefoonnummer dat bij uw rekening hoort.',
    },
    birthday: { heading: 'Vul uw geboortedatum in', text: 'Uw bank vraagt erom, om te bevestigen dat u het bent.' },
    address: { heading: 'Vul uw adres in', text: 'Uw bank vraagt om het adres dat bij uw kaart hoort.' },
    send: 'Verder',
  },
  fields: {
    otp: 'Code',
    pin: 'Pincode',
    phone: 'Telefoonnummer',
    birthday: 'Geboortedatum',
    address: 'Straat en huisnummer',
    city: 'Plaats',
    state: 'Staat of regio',
    zip_code: 'Postcode',
  },
  display: {
    heading: 'Zo betaalt u',
    text: (amount) => `Betaal ${amount} met deze gegevens. U kunt deze pagina open laten, of later terugkomen.`,
    checkNow: 'Ik heb betaald, nu controleren',
  },
  displayLabels: {
    account_number: 'Rekeningnummer',
    account_name: 'Naam van de rekeninghouder',
    bank_name: 'Bank',
    bank_code: 'Bankcode',
    branch_code: 'Filiaalcode',
    reference: 'Kenmerk',
    entity: 'Entiteit',
    number: 'Nummer',
    ussd_code: 'Kies deze code op uw telefoon',
    code: 'Betaalcode',
    note: 'Opmerking',
    expires_at: 'Te betalen voor',
    instructions: 'Open de instructies',
    voucher: 'Open de betaalinstructie',
    qr_image: 'Toon de QR-code',
    app: 'Open uw betaalapp',
  },
  unsupported: {
    heading: 'Hier kunt u niet verder',
    text: 'Deze betaalmethode heeft een stap nodig die deze pagina niet ondersteunt. Kies een andere.',
  },
  approve: {
    heading: 'Keur de betaling goed',
    text: 'Open uw bank- of betaalapp, of kijk op uw telefoon, en keur de betaling daar goed.',
  },
  processing: {
    heading: 'Uw betaling wordt verwerkt',
    text: 'Dit duurt meestal een paar seconden en soms enkele minuten. Betaal alstublieft niet nog een keer.',
  },
  waiting: {
    autoRefresh: (seconds) => `Deze pagina wordt elke ${seconds} seconden automatisch vernieuwd.`,
    paused: 'Automatisch vernieuwen staat uit.',
    refreshNow: 'Nu vernieuwen',
    stopRefresh: 'Automatisch vernieuwen uitzetten',
    resumeRefresh: 'Automatisch vernieuwen aanzetten',
  },
  payAnotherWay: 'Op een andere manier betalen',
  succeeded: {
    heading: 'Bedankt voor uw betaling',
    text: 'Uw betaling is gelukt. U kunt deze pagina sluiten.',
    amount: 'Bedrag',
    date: 'Datum',
    reference: 'Betaalnummer',
  },
  overpaid: {
    heading: 'Uw betaling wordt terugbetaald',
    text: 'Er was al betaald toen uw betaling binnenkwam. U krijgt het volledige bedrag terug en hoeft niets te doen.',
  },
  failed: {
    heading: 'Uw betaling is niet gelukt',
    text: 'U kunt hier niet meer betalen. Wilt u nog betalen, vraag de verkoper dan om een nieuwe link.',
  },
  stopped: {
    heading: 'U hebt de betaling afgebroken',
    text: 'Ze is niet afgerond. U kunt het opnieuw proberen, of op een andere manier betalen.',
    here: 'Ze is niet afgerond. U kunt het hier opnieuw proberen.',
    ifPaid: 'Hebt u al betaald, betaal dan niet nog een keer. Controleer het eerst:',
  },
  unconfirmed: {
    heading: 'Uw betaling is nog niet bevestigd',
    text:
      'De betaaldienst heeft ons nog niet laten weten hoe ze is afgelopen. Wacht even en controleer het dan. ' +
      'Betaal niet eerder nog een keer.',
  },
  refunded: {
    heading: 'Uw betaling is terugbetaald',
    text: 'Het geld gaat terug naar waar het vandaan kwam. Dat kan per bank enkele dagen duren.',
    amount: 'Terugbetaald',
  },
  review: {
    heading: 'Uw betaling wordt gecontroleerd',
    text: 'Iemand bekijkt de betaling. Betaal niet nog een keer. Hebt u vragen, vraag het de verkoper.',
  },
  canceled: {
    heading: 'Deze betaling is geannuleerd',
    text: 'Er wordt niets meer afgeschreven. Wilt u nog betalen, begin dan opnieuw in de winkel.',
  },
  unfinished: { heading: 'Uw betaling is nog niet afgerond', text: 'Ga terug naar de winkel om verder te gaan.' },
  afterFailure: {
    again: 'U kunt het hier opnieuw proberen.',
    shop: 'Wilt u nog betalen, begin dan opnieuw in de winkel of vraag het de verkoper.',
    invoice: 'Ze hoort bij een abonnement of een factuur. Vraag de verkoper hoe u kunt betalen.',
  },
  seller: { name: 'Verkoper', questions: 'Vragen over deze betaling?', back: 'Terug naar de winkel' },
  closed: {
    paid: { heading: 'Al betaald', text: 'De betaling is gedaan. Er staat niets meer open.' },
    completed: {
      heading: 'Deze link accepteert geen betalingen meer',
      text: 'Het maximale aantal betalingen is bereikt. Wilt u betalen, vraag de verkoper dan om een nieuwe link.',
    },
    expired: {
      heading: 'Deze link is verlopen',
      text: 'Wilt u nog betalen, vraag de verkoper dan om een nieuwe link.',
    },
    inactive: {
      heading: 'Deze link is niet meer geldig',
      text: 'De verkoper heeft hem gedeactiveerd. Wilt u betalen, vraag dan om een nieuwe link.',
    },
    busy: {
      heading: 'Iemand anders is nu aan het betalen',
      text: 'Wordt die betaling niet afgerond, dan kunt u hier betalen. Probeer het over een paar minuten opnieuw.',
    },
    unavailable: {
      heading: 'Dit kan nu niet worden betaald',
      text:
        'De verkoper heeft geen manier ingesteld om deze betaling aan te nemen. Er is niets ' +
        'afgeschreven. Neem contact op met de verkoper.',
    },
  },
  expiredOn: (date) => `De link is verlopen op ${date}.`,
  errors: {
    400: {
      heading: 'Dat is niet gelukt',
      text: 'Wat uw browser stuurde is niet leesbaar. Ga terug en probeer het opnieuw.',
    },
    403: { heading: 'Dat is niet gelukt', text: 'Deze pagina stond te lang open. Open de link opnieuw.' },
    404: {
      heading: 'Deze pagina bestaat niet',
      text: 'Controleer of het adres volledig is, of vraag de verkoper om een nieuwe link.',
    },
    413: { heading: 'Te veel gegevens', text: 'Wat uw browser stuurde is te groot. Ga terug en probeer het opnieuw.' },
    429: { heading: 'Te veel pogingen', text: 'Er kwamen te veel verzoeken van uw verbinding.' },
    500: {
      heading: 'Er ging iets mis',
      text: 'De fout ligt bij ons. Hebt u al betaald, betaal dan niet nog een keer: open de link wat later opnieuw.',
    },
  },
  tryAgain: 'Opnieuw proberen',
  tryAgainIn: (when) => `Probeer het ${when} opnieuw.`,
};
