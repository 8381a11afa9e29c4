// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import { abTests } from './ab-tests.ts';
import { apiKeys } from './api-keys.ts';
import { auth } from './auth.ts';
import { connections } from './connections.ts';
import { customers } from './customers.ts';
import { disputes } from './disputes.ts';
import { invoices } from './invoices.ts';
import { organizations } from './organizations.ts';
import { paymentLinks } from './payment-links.ts';
import { paymentMethods } from './payment-methods.ts';
import { payments } from './payments.ts';
import { platform } from './platform.ts';
import { policies } from './policies.ts';
import { routingRules } from './routing-rules.ts';
import { routingSimulator } from './routing-simulator.ts';
import { search } from './search.ts';
import { subscriptions } from './subscriptions.ts';
import { webhooks } from './webhooks.ts';
import { workflows } from './workflows.ts';

export class Api {
  /** Keys for servers, and public keys for checkouts. A key is shown once. */
  readonly apiKeys: ReturnType<typeof apiKeys>;
  /** An organization's own accounts at providers. */
  readonly connections: ReturnType<typeof connections>;
  /** Which connection takes which payments; all others use default routing. */
  readonly routingRules: ReturnType<typeof routingRules>;
  /**
   * Where a payment would go and why, and what edited rules would change for the newest payments. Nothing is
   * stored.
   */
  readonly routingSimulator: ReturnType<typeof routingSimulator>;
  /** Compare routing rules on real payments. */
  readonly abTests: ReturnType<typeof abTests>;
  /** Charges and refunds, routed to those connections. */
  readonly payments: ReturnType<typeof payments>;
  /** Any record, by what people have in their hands: an id, a reference, a customer. */
  readonly search: ReturnType<typeof search>;
  /**
   * What customers dispute at their banks: answered here, or in the provider's dashboard where it takes no API
   * calls.
   */
  readonly disputes: ReturnType<typeof disputes>;
  /** Saved cards and accounts of customers, for later payments, at whichever provider has a token. */
  readonly paymentMethods: ReturnType<typeof paymentMethods>;
  /** What is kept of a customer, and how it is erased. */
  readonly customers: ReturnType<typeof customers>;
  /** Hosted pages where customers pay, without code at the merchant. */
  readonly paymentLinks: ReturnType<typeof paymentLinks>;
  /** Customers who are charged each period, without being present. */
  readonly subscriptions: ReturnType<typeof subscriptions>;
  /** What a subscription owes for a period, one each; retried by the retry policy until it is paid. */
  readonly invoices: ReturnType<typeof invoices>;
  /** Which payments are blocked before any provider is called, and when a failed invoice is retried. */
  readonly policies: ReturnType<typeof policies>;
  /** Events, and the endpoint where they are sent: the organization's own server. */
  readonly webhooks: ReturnType<typeof webhooks>;
  /** Automation of what follows an event: integrations, templates of steps, rules that run them, executions. */
  readonly workflows: ReturnType<typeof workflows>;
  /** People sign in by a mailed link or a passkey; a session is a cookie. */
  readonly auth: ReturnType<typeof auth>;
  /** The organization itself, and its members with their roles. */
  readonly organizations: ReturnType<typeof organizations>;
  /**
   * For those who operate the service: all organizations, their identities and plans. Each action is in the audit
   * log.
   */
  readonly platform: ReturnType<typeof platform>;

  constructor(call: Call) {
    this.apiKeys = apiKeys(call);
    this.connections = connections(call);
    this.routingRules = routingRules(call);
    this.routingSimulator = routingSimulator(call);
    this.abTests = abTests(call);
    this.payments = payments(call);
    this.search = search(call);
    this.disputes = disputes(call);
    this.paymentMethods = paymentMethods(call);
    this.customers = customers(call);
    this.paymentLinks = paymentLinks(call);
    this.subscriptions = subscriptions(call);
    this.invoices = invoices(call);
    this.policies = policies(call);
    this.webhooks = webhooks(call);
    this.workflows = workflows(call);
    this.auth = auth(call);
    this.organizations = organizations(call);
    this.platform = platform(call);
  }
}
