type Brand = { readonly lengths: readonly number[]; readonly prefixes: string };

const lengthsTo19 = (shortest: number) => Array.from({ length: 20 - shortest }, (_, i) => shortest + i);

/** Prefixes and lengths of each brand's card numbers. To add a brand, add a line. */
export const BRANDS: Readonly<Record<string, Brand>> = {
  visa: { lengths: [13, 16, 19], prefixes: '4' },
  mastercard: { lengths: [16], prefixes: '51-55 2221-2720' },
  amex: { lengths: [15], prefixes: '34 37' },
  discover: { lengths: lengthsTo19(16), prefixes: '6011 644-649 65 622126-622925' },
  diners: { lengths: lengthsTo19(14), prefixes: '300-305 3095 36 38-39' },
  jcb: { lengths: lengthsTo19(16), prefixes: '3528-3589' },
  jcbLegacy: { lengths: [15], prefixes: '1800 2131' },
  unionpay: { lengths: lengthsTo19(16), prefixes: '62 8110-8171' },
  maestro: { lengths: lengthsTo19(13), prefixes: '50 56-59 63 67' },
  verve: { lengths: [16, 18, 19], prefixes: '506099-506198 507865-507964 650002-650027' },
  rupay: { lengths: [16], prefixes: '508 60 65 81-82 353 356' },
  troy: { lengths: [16], prefixes: '9792 65' },
  mir: { lengths: lengthsTo19(16), prefixes: '2200-2204' },
  elo: {
    lengths: [16],
    prefixes:
      '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509 627780 636297 636368 ' +
      '650-651 655',
  },
  hipercard: { lengths: [16], prefixes: '606282 3841 637095-637612' },
};
