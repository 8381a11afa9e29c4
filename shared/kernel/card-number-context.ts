/** A number that could be a card number, and its context. */
export type FoundNumber = {
  readonly digits: string;
  /** As it is written, with its separators. */
  readonly written: string;
  /** The text before it. */
  readonly before: string;
  /** The names of the properties that hold the text, the nearest last. */
  readonly name: string | undefined;
};

const EAN_13 = 13;

/**
 * Whether the number is certainly not a card number, although it passes the Luhn check. One in ten numbers does by
 * chance; numbers of companies, persons, devices and payment slips are made to pass it. In doubt it is a card number.
 */
export function isCertainlyNoCard({ digits, written, before, name }: FoundNumber): boolean {
  const kindBefore = kindOf(wordsIn(before));
  const kind = kindBefore ?? (name === undefined ? undefined : kindOf(wordsIn(name)));
  if (kind === 'card') return false;
  if (digits.length === EAN_13 && (passesEan(digits) || kindBefore !== undefined)) return true;
  if (isGroupedAsOnCards(written)) return false;
  // A customer may well type a card number where a shop asks for an order number, but not with such separators.
  if (kind === 'weak') return kindBefore === 'weak' || written !== digits;
  return kind === 'strong';
}

/** The check digit of trade item numbers: weights 1 and 3, from the left. */
function passesEan(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** Groups of four as on most cards, and those of American Express and Diners. */
const CARD_GROUPS = /^\d{4}(\D+\d{4}){3}(\D+\d{1,3})?$|^\d{4}\D+\d{6}\D+\d{4,5}$/;
const isGroupedAsOnCards = (written: string): boolean => CARD_GROUPS.test(written);

/**
 * What the word before a number says: a card number, certainly another number (`strong`), or a number in whose place a
 * customer may have typed a card number (`weak`). `unknown`: any other word.
 */
type Kind = 'card' | 'strong' | 'weak' | 'unknown';

const CARD_WORDS =
  /card|carte|tarjeta|cartao|^carta$|kart|kort|kaart|visa|master|maestro|amex|american|diners|discover|jcb|unionpay|^pans?$|^tokens?$|^ccs?$|^ccn|credit|kredit|debit/;

const wordSet = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** Words for numbers that are long, or that are made to pass the Luhn check. */
const STRONG_WORDS = wordSet([
  'ean gtin upc isbn jan itf dun barcode strichcode article artikel artikelnummer sku gs gln sscc',
  'imei imeis imeisv sv iccid sim esim meid imsi serial seriennummer sn device vin',
  'siret sirets siren tva vat ustid mwst tax steuer steuernummer company firm organisation organization orgnr orgno',
  'organisationsnummer kvk kbo hrb abn acn sin cnpj cpf cuit rfc curp nif nie cif dni pesel regon krs nip ico jmbg',
  'cnp egn oib emso personnummer samordningsnummer personal national identity passport ausweis ssn nino bsn insz niss',
  'ahv avs amka tckn aadhaar ocr kid fik giro bankgiro plusgiro clabe iban viitenumero viite mpan meter',
  'tracking trackingnumber parcel paket sendung sendungsnummer shipment consignment waybill awb colis suivi envio',
  'dhl ups usps fedex gls dpd evri postnord purolator',
]);

const WEAK_WORDS = wordSet([
  'order orders bestellung bestellnummer auftrag auftragsnummer commande pedido ordine invoice rechnung',
  'rechnungsnummer facture factura fattura faktura booking buchung buchungsnummer reservation reserva ticket receipt',
  'beleg voucher gutschein coupon membership contract vertrag policy',
]);

/** Words that may be between such a word and its number. */
const FILLER_WORDS = wordSet([
  'no nr nrs num number numbers nummer nummern numero numeros n code codes id ids is ist est es the der die das le la',
  'of de du del der and und et y or with x',
]);

/** The last words of a text or of a property name, in lower case and without accents. */
function wordsIn(text: string): string[] {
  const separate = text.slice(-MAX_DISTANCE).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return (
    separate
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}
const MAX_DISTANCE = 80;

function kindOf(words: readonly string[]): Kind | undefined {
  const word = words.findLast((each) => !FILLER_WORDS.has(each));
  if (word === undefined) return undefined;
  if (CARD_WORDS.test(word)) return 'card';
  if (STRONG_WORDS.has(word)) return 'strong';
  return WEAK_WORDS.has(word) ? 'weak' : 'unknown';
}
