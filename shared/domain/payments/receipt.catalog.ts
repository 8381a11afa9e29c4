import type { CustomerLanguage } from '#shared/domain/accounts/organization.model.ts';

export type ReceiptTexts = {
  readonly subject: (seller: string) => string;
  readonly thanks: string;
  readonly seller: string;
  readonly amount: string;
  readonly date: string;
  readonly description: string;
  readonly payment: string;
  readonly questions: string;
  readonly test: string;
};

/** The texts of a mailed receipt. Adding a language is adding an entry. */
export const RECEIPT_TEXTS: Readonly<Record<CustomerLanguage, ReceiptTexts>> = {
  en: {
    subject: (seller) => `Your payment to ${seller}`,
    thanks: 'Thank you. This is the receipt for your payment.',
    seller: 'Seller',
    amount: 'Amount',
    date: 'Date',
    description: 'For',
    payment: 'Payment ID',
    questions: 'Questions about this payment?',
    test: 'Test mode: no real money was charged.',
  },
  de: {
    subject: (seller) => `Ihre Zahlung an ${seller}`,
    thanks: 'Vielen Dank. Dies ist der Beleg für Ihre Zahlung.',
    seller: 'Verkäufer',
    amount: 'Betrag',
    date: 'Datum',
    description: 'Für',
    payment: 'Zahlungsnummer',
    questions: 'Fragen zu dieser Zahlung?',
    test: 'Testmodus: Es ist kein Geld geflossen.',
  },
  fr: {
    subject: (seller) => `Votre paiement à ${seller}`,
    thanks: 'Merci. Voici le reçu de votre paiement.',
    seller: 'Vendeur',
    amount: 'Montant',
    date: 'Le',
    description: 'Pour',
    payment: 'Numéro de paiement',
    questions: 'Une question sur ce paiement ?',
    test: 'Mode test : aucun montant réel n’a été débité.',
  },
  es: {
    subject: (seller) => `Su pago a ${seller}`,
    thanks: 'Gracias. Este es el recibo de su pago.',
    seller: 'Vendedor',
    amount: 'Importe',
    date: 'Fecha',
    description: 'Concepto',
    payment: 'Número de pago',
    questions: '¿Preguntas sobre este pago?',
    test: 'Modo de prueba: no se ha cobrado dinero real.',
  },
  nl: {
    subject: (seller) => `Uw betaling aan ${seller}`,
    thanks: 'Bedankt. Dit is het bewijs van uw betaling.',
    seller: 'Verkoper',
    amount: 'Bedrag',
    date: 'Datum',
    description: 'Voor',
    payment: 'Betaalnummer',
    questions: 'Vragen over deze betaling?',
    test: 'Testmodus: er is geen echt geld afgeschreven.',
  },
  pt: {
    subject: (seller) => `O seu pagamento a ${seller}`,
    thanks: 'Obrigado. Este é o recibo do seu pagamento.',
    seller: 'Vendedor',
    amount: 'Valor',
    date: 'Data',
    description: 'Para',
    payment: 'Número do pagamento',
    questions: 'Perguntas sobre este pagamento?',
    test: 'Modo de teste: não foi cobrado dinheiro real.',
  },
};
