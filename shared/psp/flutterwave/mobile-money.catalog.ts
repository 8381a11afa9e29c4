/** How a phone is charged, by currency. `networks`: what must be named there, as customers and Flutterwave call it. */
type Line = {
  readonly type: string;
  readonly page: string;
  readonly networks?: Readonly<Record<string, string>>;
  readonly needsCountry?: true;
};

const FRANCOPHONE: Line = { type: 'mobile_money_franco', page: 'mobilemoneyfranco', needsCountry: true };

export const MOBILE_MONEY: Readonly<Record<string, Line>> = {
  GHS: {
    type: 'mobile_money_ghana',
    page: 'mobilemoneyghana',
    networks: { MTN: 'MTN', VODAFONE: 'VODAFONE', TELECEL: 'VODAFONE', TIGO: 'TIGO', AIRTELTIGO: 'TIGO' },
  },
  UGX: { type: 'mobile_money_uganda', page: 'mobilemoneyuganda' },
  RWF: { type: 'mobile_money_rwanda', page: 'mobilemoneyrwanda' },
  ZMW: { type: 'mobile_money_zambia', page: 'mobilemoneyzambia' },
  TZS: { type: 'mobile_money_tanzania', page: 'mobilemoneytanzania' },
  KES: { type: 'mpesa', page: 'mpesa' },
  XAF: FRANCOPHONE,
  XOF: FRANCOPHONE,
};
