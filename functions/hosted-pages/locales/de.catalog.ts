import type { Messages } from '#functions/hosted-pages/locales/locale.model.ts';

export const DE: Messages = {
  payment: 'Zahlung',
  paymentTo: 'Zahlung an',
  payableUntil: (date) => `Zahlbar bis ${date}.`,
  testMode: 'Testmodus',
  testModeNotice: 'Es fließt kein Geld.',
  errorPrefix: 'Fehler',
  optional: 'optional',
  form: {
    method: 'Wie möchten Sie bezahlen?',
    oneMethod: 'Zahlungsart',
    country: 'Land, aus dem Sie bezahlen',
    chooseCountry: 'Land auswählen',
    email: 'E-Mail-Adresse',
    pay: (amount) => `${amount} bezahlen`,
    redirectNotice: 'Sie bezahlen auf der sicheren Seite des Zahlungsanbieters, die sich gleich öffnet.',
  },
  fieldErrors: {
    heading: 'Bitte prüfen Sie Ihre Angaben',
    method: 'Wählen Sie eine dieser Zahlungsarten.',
    country: 'Wählen Sie das Land, aus dem Sie bezahlen.',
    email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    input: 'Das wurde nicht angenommen. Prüfen Sie die Eingabe und geben Sie sie noch einmal ein.',
  },
  notices: {
    declined: 'Ihre Zahlung ist fehlgeschlagen',
    canceled: 'Sie haben die Zahlung abgebrochen. Hier können Sie neu beginnen.',
    stale:
      'Es wurde nichts bezahlt: Diese Seite war zu lange offen, oder Ihr Browser speichert keine ' +
      'Cookies. Bitte versuchen Sie es noch einmal.',
  },
  failures: {
    declined:
      'Ihre Bank oder Kartengesellschaft hat die Zahlung abgelehnt. Versuchen Sie es mit einer anderen ' +
      'Karte oder Zahlungsart.',
    insufficient_funds:
      'Das Konto ist nicht ausreichend gedeckt. Versuchen Sie es mit einer anderen Karte oder einem anderen Konto.',
    limit_exceeded:
      'Ein Limit Ihrer Karte oder Ihres Kontos ist überschritten. Nehmen Sie eine andere Karte oder ' +
      'fragen Sie Ihre Bank.',
    expired_card: 'Die Karte ist abgelaufen. Versuchen Sie es mit einer anderen.',
    wrong_details: 'Eine Ihrer Angaben stimmt nicht. Prüfen Sie sie und versuchen Sie es noch einmal.',
    not_authenticated: 'Ihre Bank konnte nicht bestätigen, dass Sie es sind. Versuchen Sie es noch einmal.',
    method_not_accepted:
      'Mit dieser Karte oder diesem Konto ist diese Zahlung nicht möglich. Nehmen Sie bitte ein anderes ' +
      'Zahlungsmittel.',
    not_completed: 'Die Zahlung wurde nicht abgeschlossen.',
    timed_out: 'Die Zeit für die Zahlung ist abgelaufen. Sie können neu beginnen.',
    unavailable: 'Der Zahlungsdienst ist gerade nicht erreichbar. Versuchen Sie es in ein paar Minuten noch einmal.',
    not_possible:
      'Diese Zahlungsart ist gerade nicht möglich. Wählen Sie eine andere Zahlungsart oder fragen Sie den Verkäufer.',
  },
  otherFailures: {
    declined:
      'Ihre Bank oder Ihr Zahlungsdienst hat die Zahlung abgelehnt. Versuchen Sie es noch einmal oder bezahlen ' +
      'Sie anders.',
    insufficient_funds:
      'Das Konto ist nicht ausreichend gedeckt. Nehmen Sie ein anderes Konto oder bezahlen Sie anders.',
    limit_exceeded: 'Ein Limit Ihres Kontos ist überschritten. Nehmen Sie ein anderes oder fragen Sie Ihre Bank.',
    expired_card: 'Dieses Zahlungsmittel ist abgelaufen. Versuchen Sie es mit einem anderen.',
    method_not_accepted:
      'Mit diesem Konto ist diese Zahlung nicht möglich. Nehmen Sie ein anderes oder bezahlen Sie anders.',
  },
  methods: {
    card: 'Karte',
    mobile_money: 'Mobile Money',
    sepa_debit: 'SEPA-Lastschrift',
    bank_transfer: 'Überweisung',
    bank: 'Bankkonto',
    netbanking: 'Onlinebanking',
    ussd: 'USSD-Code am Telefon',
    qr: 'QR-Code',
    eft: 'EFT',
    pay_later: 'Später bezahlen',
    cash: 'Bargeld',
  },
  redirecting: {
    heading: 'Sie werden zur Zahlung weitergeleitet',
    text:
      'Die sichere Seite des Zahlungsanbieters öffnet sich automatisch. Falls nicht, klicken Sie auf die ' +
      'Schaltfläche.',
    continue: 'Weiter zur Zahlung',
  },
  resumed: {
    heading: 'Sie haben eine Zahlung begonnen',
    text: 'Ihre Zahlung ist noch offen. Setzen Sie sie fort oder wählen Sie einen anderen Weg.',
  },
  collect: {
    otp: { heading: 'Code eingeben', text: 'Ihre Bank hat Ihnen einen Code geschickt, meist per SMS.' },
    pin: {
      heading: 'PIN eingeben',
      text: 'Ihre Bank fragt nach der PIN Ihrer Karte. Sie wird weitergegeben und nicht gespeichert.',
    },
    phone: {
      heading: 'Telefonnummer eingeben',
      text: 'Ihre Bank fragt nach der Telefonnummer, die zu Ihrem Konto gehört.',
    },
    birthday: { heading: 'Geburtsdatum eingeben', text: 'Ihre Bank fragt danach, um zu bestätigen, dass Sie es sind.' },
    address: { heading: 'Adresse eingeben', text: 'Ihre Bank fragt nach der Adresse, die zu Ihrer Karte gehört.' },
    send: 'Weiter',
  },
  fields: {
    otp: 'Code',
    pin: 'PIN',
    phone: 'Telefonnummer',
    birthday: 'Geburtsdatum',
    address: 'Straße und Hausnummer',
    city: 'Ort',
    state: 'Bundesland oder Region',
    zip_code: 'Postleitzahl',
  },
  display: {
    heading: 'So bezahlen Sie',
    text: (amount) =>
      `Bezahlen Sie ${amount} mit diesen Angaben. Sie können die Seite offen lassen oder später zurückkommen.`,
    checkNow: 'Ich habe bezahlt, jetzt prüfen',
  },
  displayLabels: {
    account_number: 'Kontonummer',
    account_name: 'Kontoinhaber',
    bank_name: 'Bank',
    bank_code: 'Bankleitzahl',
    branch_code: 'Filialnummer',
    reference: 'Verwendungszweck',
    entity: 'Entität',
    number: 'Nummer',
    ussd_code: 'Wählen Sie diesen Code am Telefon',
    code: 'Zahlungscode',
    note: 'Hinweis',
    expires_at: 'Zu bezahlen bis',
    instructions: 'Anleitung öffnen',
    voucher: 'Zahlschein öffnen',
    qr_image: 'QR-Code anzeigen',
    app: 'Bezahl-App öffnen',
  },
  unsupported: {
    heading: 'Hier geht es nicht weiter',
    text: 'Diese Zahlungsart erfordert einen Schritt, den diese Seite nicht unterstützt. Bitte wählen Sie eine andere.',
  },
  approve: {
    heading: 'Bitte geben Sie die Zahlung frei',
    text:
      'Öffnen Sie Ihre Banking- oder Bezahl-App, oder sehen Sie auf Ihr Telefon, und geben Sie die Zahlung ' +
      'dort frei.',
  },
  processing: {
    heading: 'Ihre Zahlung wird bearbeitet',
    text: 'Das dauert meist ein paar Sekunden, manchmal einige Minuten. Bitte bezahlen Sie nicht noch einmal.',
  },
  waiting: {
    autoRefresh: (seconds) => `Diese Seite wird alle ${seconds} Sekunden automatisch aktualisiert.`,
    paused: 'Die automatische Aktualisierung ist ausgeschaltet.',
    refreshNow: 'Jetzt aktualisieren',
    stopRefresh: 'Automatische Aktualisierung ausschalten',
    resumeRefresh: 'Automatische Aktualisierung einschalten',
  },
  payAnotherWay: 'Anders bezahlen',
  succeeded: {
    heading: 'Vielen Dank für Ihre Zahlung',
    text: 'Ihre Zahlung war erfolgreich. Sie können diese Seite schließen.',
    amount: 'Betrag',
    date: 'Datum',
    reference: 'Zahlungsnummer',
  },
  overpaid: {
    heading: 'Ihre Zahlung wird erstattet',
    text: 'Als Ihre Zahlung ankam, war schon bezahlt. Sie erhalten den vollen Betrag zurück und müssen nichts tun.',
  },
  failed: {
    heading: 'Ihre Zahlung ist fehlgeschlagen',
    text:
      'Hier kann nichts mehr bezahlt werden. Möchten Sie noch bezahlen, bitten Sie den Verkäufer um einen ' +
      'neuen Link.',
  },
  stopped: {
    heading: 'Sie haben die Zahlung abgebrochen',
    text: 'Sie ist nicht abgeschlossen. Sie können es noch einmal versuchen oder anders bezahlen.',
    here: 'Sie ist nicht abgeschlossen. Hier können Sie es noch einmal versuchen.',
    ifPaid: 'Haben Sie schon bezahlt, bezahlen Sie nicht noch einmal. Prüfen Sie es zuerst:',
  },
  unconfirmed: {
    heading: 'Ihre Zahlung ist noch nicht bestätigt',
    text:
      'Der Anbieter hat uns noch nicht mitgeteilt, wie sie ausging. Bitte warten Sie kurz und prüfen Sie dann. ' +
      'Bezahlen Sie vorher nicht noch einmal.',
  },
  refunded: {
    heading: 'Ihre Zahlung wurde erstattet',
    text: 'Das Geld geht dorthin zurück, woher es kam. Je nach Bank kann das einige Tage dauern.',
    amount: 'Erstattet',
  },
  review: {
    heading: 'Ihre Zahlung wird geprüft',
    text:
      'Jemand sieht sie sich an. Bitte bezahlen Sie nicht noch einmal. Bei Fragen wenden Sie sich an den ' +
      'Verkäufer.',
  },
  canceled: {
    heading: 'Diese Zahlung wurde abgebrochen',
    text: 'Es wird nichts mehr abgebucht. Möchten Sie noch bezahlen, beginnen Sie im Shop neu.',
  },
  unfinished: {
    heading: 'Ihre Zahlung ist noch nicht abgeschlossen',
    text: 'Gehen Sie zurück zum Shop, um fortzufahren.',
  },
  afterFailure: {
    again: 'Hier können Sie es noch einmal versuchen.',
    shop: 'Möchten Sie noch bezahlen, beginnen Sie im Shop neu oder fragen Sie den Verkäufer.',
    invoice: 'Sie gehört zu einem Abonnement oder einer Rechnung. Fragen Sie den Verkäufer, wie Sie bezahlen können.',
  },
  seller: { name: 'Verkäufer', questions: 'Fragen zu dieser Zahlung?', back: 'Zurück zum Shop' },
  closed: {
    paid: { heading: 'Bereits bezahlt', text: 'Die Zahlung ist erfolgt. Es ist nichts mehr offen.' },
    completed: {
      heading: 'Dieser Link nimmt keine Zahlungen mehr an',
      text:
        'Die maximale Anzahl an Zahlungen ist erreicht. Möchten Sie bezahlen, bitten Sie den Verkäufer um ' +
        'einen neuen Link.',
    },
    expired: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Möchten Sie noch bezahlen, bitten Sie den Verkäufer um einen neuen Link.',
    },
    inactive: {
      heading: 'Dieser Link gilt nicht mehr',
      text: 'Der Verkäufer hat ihn deaktiviert. Möchten Sie bezahlen, bitten Sie ihn um einen neuen Link.',
    },
    busy: {
      heading: 'Jemand anderes bezahlt gerade',
      text:
        'Wenn diese Zahlung nicht abgeschlossen wird, können Sie hier bezahlen. Versuchen Sie es in ein ' +
        'paar Minuten wieder.',
    },
    unavailable: {
      heading: 'Das kann zurzeit nicht bezahlt werden',
      text:
        'Der Verkäufer hat keinen Weg eingerichtet, diese Zahlung anzunehmen. Es wurde nichts ' +
        'abgebucht. Bitte wenden Sie sich an den Verkäufer.',
    },
  },
  expiredOn: (date) => `Er ist am ${date} abgelaufen.`,
  errors: {
    400: {
      heading: 'Das hat nicht geklappt',
      text: 'Was Ihr Browser geschickt hat, ist nicht lesbar. Gehen Sie zurück und versuchen Sie es noch einmal.',
    },
    403: {
      heading: 'Das hat nicht geklappt',
      text: 'Diese Seite war zu lange offen. Öffnen Sie den Link noch einmal.',
    },
    404: {
      heading: 'Diese Seite gibt es nicht',
      text: 'Prüfen Sie, ob die Adresse vollständig ist, oder bitten Sie den Verkäufer um einen neuen Link.',
    },
    413: {
      heading: 'Zu viele Daten',
      text: 'Was Ihr Browser geschickt hat, ist zu groß. Gehen Sie zurück und versuchen Sie es noch einmal.',
    },
    429: { heading: 'Zu viele Versuche', text: 'Von Ihrem Anschluss kamen zu viele Anfragen.' },
    500: {
      heading: 'Etwas ist schiefgegangen',
      text:
        'Der Fehler liegt bei uns. Haben Sie schon bezahlt, bezahlen Sie nicht noch einmal: Öffnen Sie den ' +
        'Link etwas später wieder.',
    },
  },
  tryAgain: 'Noch einmal versuchen',
  tryAgainIn: (when) => `Bitte versuchen Sie es ${when} noch einmal.`,
};
