import type { FunctionName } from '#lib/aws/function-table.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import type { IndexName } from '#shared/store/table/table.port.ts';
import { TABLE_ACTS, type TableAccess, type TableAct } from '#shared/store/table/write.rules.ts';

/**
 * What a function may do with the table: for each act the families of items, by the beginning of their partition keys
 * (see `keys.ts`), and for each index the families of its partitions.
 */
export type TableRights = Readonly<Partial<Record<TableAct, readonly string[]>>> & {
  readonly index?: Readonly<Partial<Record<IndexName, readonly string[]>>>;
};

/** Who calls, and how often: an API key, a session with its user and second factor, or an address. */
const CALLER: TableRights = {
  get: ['ADDR#', 'KEY#', 'ORG#', 'PLATFORM', 'USER#'],
  query: ['USER#'],
  update: ['ADDR#', 'KEY#', 'SESS#'],
};

/** Idempotency keys. A payment is the claim of its own key, so they share a family (ADR 1). */
const CLAIM: TableRights = { get: ['PAY#'], put: ['PAY#'], update: ['PAY#'], delete: ['PAY#'] };

/** What it refuses to an organization, or fails to do for it. */
const FAILURES: TableRights = { put: ['FAILED#'], update: ['FAILCOUNT#'] };

const API = together(CALLER, CLAIM, FAILURES);

/** What agents may call that changes something: each of their requests is noted, and counted where it moves money. */
const AGENTS: TableRights = {
  get: ['AGENT#', 'AGENTS#'],
  put: ['ACTS#', 'AGENT#'],
  update: ['AGENTDAY#'],
  index: { status: ['@agent#'] },
};

/** Routing snapshot and summary, or what they are made from. A snapshot that is missing is stored. */
const READ_ROUTING: TableRights = {
  get: ['ORG#', 'ROUTING#', 'STAT#'],
  query: ['ORG#', 'STAT#'],
  put: ['ROUTING#'],
};

/** An organization's setup, with its snapshot. Each change of the setup says itself what it writes. */
const WRITE_SETUP = together(READ_ROUTING, { check: ['ORG#'] });

/** A customer's saved payment methods. */
const METHODS: TableRights = { get: ['CUST#', 'PM#'], put: ['CUST#', 'PM#'] };

/**
 * A payment goes on: its own item and parts, the connection that it uses, what is known of its payment method, and the
 * saved one that it uses or makes.
 */
const SETTLE: TableRights = {
  get: ['BUDGET#', 'CUST#', 'ORG#', 'PAY#', 'PM#'],
  put: ['BUDGET#', 'CUST#', 'PAY#', 'PM#'],
  update: ['BUDGET#', 'PAY#'],
};

const CHARGE = together(SETTLE, READ_ROUTING, { get: ['VEL#'], put: ['VEL#'], update: ['VEL#'] });

/** A subscription's invoices. */
const READ_INVOICES: TableRights = { index: { list: ['@inv#'], lookup: ['@inv#'] } };

/** Payments by the reference of their charge. */
const BY_REFERENCE = PROVIDERS.map((provider) => `${provider}#`);

/** Subscription, invoice and payment in one write. */
const BILLING: TableRights = {
  get: ['INV#', 'PAY#', 'RETRY#', 'SUB#'],
  put: ['INV#', 'PAY#', 'SUB#'],
  check: ['SUB#'],
};

/** Changes of records become events. What starts workflows is known from their rules. */
const RELAY = together(BILLING, { get: ['DISP#', 'ORG#'], query: ['WORK#'], put: ['DISP#', 'EVT#'] });

/** A relayed payment is filed under its customer's address, and not if that was erased meanwhile. */
const RELAY_PAYMENTS = together(RELAY, { put: ['PMAIL#'], delete: ['PMAIL#'] });

/** A dispute, with the payment that it is about. Where it goes on, its connection is used. */
const DISPUTE: TableRights = { get: ['DISP#', 'ORG#', 'PAY#'], put: ['DISP#', 'PAY#'] };

const CHANGE_LINKS: TableRights = { get: ['LINK#'], put: ['LINK#'] };

const TOTALS: TableRights = {
  get: ['HELD#', 'ORG#', 'STAT#'],
  query: ['ORG#', 'STAT#'],
  put: ['HELD#', 'STAT#'],
  update: ['HELD#', 'STAT#', 'TEST#'],
};

const DELIVER: TableRights = {
  get: ['EVT#', 'MEMBERS#', 'ORG#', 'RECV#'],
  query: ['AUDIT#', 'EVT#', 'MEMBERS#'],
  put: ['AUDIT#', 'RECV#'],
  update: ['EVT#', 'RECV#'],
  index: { status: ['@evt#'] },
};

/** A new user, or one found by mail address. While a hash secret is rotated, such records move to its new version. */
const USER_BY_MAIL: TableRights = {
  get: ['MAIL#', 'USER#'],
  put: ['MAIL#', 'USER#'],
  check: ['MAIL#', 'USER#'],
};

const RECOVER: TableRights = {
  get: ['RECOVERIES', 'USER#'],
  query: ['RECOVERIES'],
  put: ['ACTS', 'ACTS#', 'RECOVERIES', 'USER#'],
  check: ['PLATFORM'],
};

/**
 * The rights of each function. The local host enforces this table too, so a right that is missing here fails there
 * first. A test compares what is listed here with the families that exist.
 */
export const TABLE_RIGHTS: Readonly<Record<FunctionName, TableRights>> = {
  'api-keys': together(API, READ_ROUTING, {
    get: ['ORGKEYS#'],
    query: ['FAILED#', 'OLDKEYS#', 'ORGKEYS#'],
    put: ['ACTS#', 'KEY#', 'OLDKEYS#', 'ORGKEYS#'],
    update: ['KEY#', 'ORGKEYS#'],
    delete: ['KEY#', 'ORGKEYS#'],
    check: ['MEMBERS#', 'ORGKEYS#', 'SESS#'],
  }),
  // People decide about what agents want.
  agents: together(API, {
    get: ['AGENT#', 'AGENTS#'],
    put: ['ACTS#', 'AGENT#', 'AGENTS#'],
    index: { list: ['@agent#'], status: ['@agent#'] },
  }),
  connections: together(API, WRITE_SETUP, {
    get: ['WORK#'],
    query: ['AUDIT#'],
    put: ['AUDIT#', 'ORG#'],
    update: ['WORK#'],
    check: ['WORK#'],
  }),
  'routing-rules': together(API, WRITE_SETUP, { put: ['ORG#'], update: ['ORG#'], delete: ['ORG#'] }),
  // It changes nothing: it reads what routing reads, and the payments that it replays.
  'routing-simulator': together(CALLER, FAILURES, READ_ROUTING, { get: ['PAY#'], index: { list: ['org_'] } }),
  'ab-tests': together(API, WRITE_SETUP, {
    get: ['TEST#'],
    query: ['TEST#'],
    put: ['ORG#', 'TEST#'],
    update: ['ORG#'],
  }),
  payments: together(API, AGENTS, CHARGE, { index: { list: ['org_'], customer: ['org_'], status: ['org_'] } }),
  'payment-actions': together(API, AGENTS, CHARGE, { get: ['INV#'] }),
  'payment-stats': together(API, { query: ['STAT#'] }),
  // It only looks: at payments under review, disputes, connections, invoices, webhooks and what agents ask for.
  attention: together(API, {
    get: ['AGENT#', 'DISP#', 'INV#', 'RECV#'],
    query: ['ORG#', 'STAT#'],
    index: { status: ['@agent#', '@disp#', '@evt#', '@inv#', '@review#'] },
  }),
  'payment-timeline': together(API, {
    get: ['DISP#', 'EVT#', 'EXEC#'],
    query: ['WORK#'],
    index: { lookup: ['@disp#'] },
  }),
  // It only looks: records by their ids, payments and disputes by the provider's reference, and a customer's newest ones.
  search: together(API, READ_ROUTING, {
    get: ['CUST#', 'DISP#', 'EVT#', 'EXEC#', 'INV#', 'LINK#', 'PM#', 'SUB#'],
    query: ['PMAIL#'],
    index: { lookup: BY_REFERENCE, customer: ['@dispute#', '@sub#', 'org_'], list: ['org_'] },
  }),
  // What a dispute withholds is written on its payment, and so with it.
  disputes: together(API, AGENTS, DISPUTE, { index: { list: ['@disp#'], status: ['@disp#'], lookup: ['@disp#'] } }),
  'payment-methods': together(API, METHODS, {
    get: ['SUB#'],
    delete: ['CUST#', 'PM#'],
    index: { customer: ['@sub#'] },
  }),
  // It marks a customer who is erased; the timer deletes the mark.
  customers: together(API, {
    get: ['CUST#', 'ERASE#', 'PM#', 'SUB#'],
    put: ['CUST#', 'ERASE#'],
    delete: ['ERASE#', 'PM#'],
    index: { customer: ['@inv#', '@sub#', 'org_'] },
  }),
  'payment-links': together(API, AGENTS, READ_ROUTING, CHANGE_LINKS, {
    get: ['PM#'],
    index: { list: ['org_'], status: ['org_'], lookup: ['org_'] },
  }),
  'hosted-pages': together(CHARGE, CHANGE_LINKS, {
    get: ['ADDR#', 'SIGNIN#'],
    update: ['ADDR#', 'LINK#'],
  }),
  subscriptions: together(API, AGENTS, SETTLE, READ_INVOICES, {
    get: ['INV#', 'SUB#'],
    put: ['INV#', 'SUB#'],
    index: { list: ['@sub#'], customer: ['@sub#'], status: ['@sub#'], lookup: ['@sub#'] },
  }),
  'subscription-stats': together(API, { query: ['STAT#'] }),
  invoices: together(API, AGENTS, CHARGE, BILLING, READ_INVOICES, {
    index: { customer: ['@inv#'], status: ['@inv#'] },
  }),
  policies: together(API, WRITE_SETUP, { get: ['RETRY#'], query: ['RETRY#'], put: ['ORG#', 'RETRY#'] }),
  workflows: together(API, READ_ROUTING, {
    get: ['EVT#', 'EXEC#', 'WORK#'],
    query: ['MEMBERS#', 'WORK#'],
    put: ['EXEC#', 'WORK#', 'WORKV#'],
    delete: ['WORK#'],
    index: { list: ['@exec#'], status: ['@exec#'], lookup: ['@exec#'] },
  }),
  webhooks: together(API, AGENTS, {
    get: ['EVT#', 'RECV#'],
    query: ['AUDIT#', 'EVT#'],
    put: ['AUDIT#', 'EVT#', 'RECV#'],
    update: ['RECV#'],
    index: { status: ['@evt#'] },
  }),
  'psp-webhooks': together(SETTLE, DISPUTE, {
    get: ['ADDR#', 'DPOLL#'],
    put: ['DPOLL#'],
    update: ['ADDR#', 'STAT#'],
    index: { lookup: BY_REFERENCE, customer: ['@dispute#'] },
  }),
  auth: together(CALLER, USER_BY_MAIL, RECOVER, {
    get: ['OWNER#', 'PASSKEY#', 'SESS#', 'SIGNIN#', 'UNDO#'],
    put: ['CHALLENGE#', 'MEMBERS#', 'ORG#', 'OWNER#', 'PASSKEY#', 'PLATFORM', 'SESS#', 'SIGNIN#', 'UNDO#'],
    update: ['MEMBERS#', 'OWNER#', 'SIGNIN#', 'UNDO#', 'USER#'],
    delete: ['MAIL#', 'OWNER#', 'PASSKEY#', 'SESS#', 'USER#'],
    check: ['OWNER#'],
  }),
  organizations: together(API, WRITE_SETUP, USER_BY_MAIL, {
    get: ['MEMBERS#'],
    query: ['ACTS#', 'MEMBERS#'],
    put: ['ACTS#', 'MEMBERS#', 'SIGNIN#'],
    update: ['MEMBERS#', 'ORG#', 'USER#'],
    delete: ['MEMBERS#', 'USER#'],
    check: ['MEMBERS#'],
  }),
  platform: together(API, WRITE_SETUP, USER_BY_MAIL, RECOVER, {
    get: ['ORGKEYS#'],
    query: ['ACTS', 'ORGKEYS#', 'PLATFORM'],
    put: ['PLATFORM'],
    update: ['ORG#', 'ORGKEYS#'],
    delete: ['KEY#', 'PLATFORM'],
    index: { list: ['@organizations#'], status: ['@organizations#'] },
  }),
  health: { get: ['HEALTH'] },
  openapi: {},
  mcp: {},
  dashboard: {},
  reference: {},
  probe: {},
  relay: together(RELAY_PAYMENTS, CHANGE_LINKS),
  projector: together(TOTALS, { put: ['REVIEW#'] }),
  'webhook-delivery': DELIVER,
  'slow-deliveries': DELIVER,
  timers: together(CHARGE, RELAY_PAYMENTS, DISPUTE, CHANGE_LINKS, TOTALS, WRITE_SETUP, {
    get: ['DPOLL#', 'ERASE#', 'EVT#', 'TEST#'],
    query: ['SWEEP#'],
    put: ['AUDIT#', 'DPOLL#', 'ERASE#', 'ORG#', 'SWEEP#', 'TEST#'],
    update: ['EVT#', 'ORG#', 'WORK#'],
    check: ['WORK#'],
    delete: ['CUST#', 'ERASE#', 'PM#'],
    index: { customer: ['@inv#', '@sub#', 'org_'], due: ['DUE#'], lookup: BY_REFERENCE },
  }),
  renewals: together(CHARGE, RELAY, READ_INVOICES),
  'workflow-runs': together(SETTLE, READ_ROUTING, {
    get: ['EVT#', 'EXEC#', 'INV#', 'OWED#', 'SUB#', 'WORK#', 'WORKV#'],
    query: ['MEMBERS#', 'WORK#'],
    put: ['EXEC#', 'INV#', 'OWED#', 'SUB#'],
    update: ['OWED#'],
  }),
};

/**
 * Totals of releases before the first one on AWS lie beside connections, and move when they change. So only a local host
 * has any, and no function on AWS needs to write there for them.
 */
const LOCAL_RIGHTS: Readonly<Partial<Record<FunctionName, TableRights>>> = {
  projector: { put: ['ORG#'] },
};

function together(...all: readonly TableRights[]): TableRights {
  const acts = TABLE_ACTS.map((act) => [act, sorted(all.flatMap((rights) => rights[act] ?? []))] as const);
  const indexes = Map.groupBy(
    all.flatMap(({ index = {} }) => Object.entries(index)),
    ([name]) => name,
  );
  return {
    ...Object.fromEntries(acts.filter(([, families]) => families.length > 0)),
    index: Object.fromEntries([...indexes].map(([name, own]) => [name, sorted(own.flatMap(([, each]) => each))])),
  };
}

function sorted(families: readonly string[]): readonly string[] {
  return [...new Set(families)].sort();
}

/**
 * What the role of the ops commands deletes: what `rehash` has moved to another version of its hash. All else it may do
 * with any item.
 */
export const OPERATOR_DELETES = ['MAIL#', 'OWNER#'] as const;

/** Whether the local host lets a function do this. */
export function mayAccess(name: FunctionName, { act, family, index }: TableAccess): boolean {
  const rights = TABLE_RIGHTS[name];
  if (index !== undefined) return act === 'query' && (rights.index?.[index] ?? []).includes(family);
  return [rights, LOCAL_RIGHTS[name]].some((each) => each?.[act]?.includes(family));
}
