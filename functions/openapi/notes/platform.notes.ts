import type { Notes } from '#functions/openapi/word-book.ts';
import { MAX_APPROVALS, RECOVERY_WAIT } from '#shared/domain/accounts/recovery.model.ts';
import { HOUR } from '#shared/kernel/clock.ts';

export const PLATFORM_NOTES = {
  ApproveKyc: {
    this:
      'Approves the organization under its current `legal_name`. Send `legal_name` to approve it only if it still ' +
      'has that name, or to approve the requested one. An organization without a legal name is not approved, nor ' +
      'one of which the caller is a member while the platform has another administrator. Live keys work from the ' +
      'next request on.',
    legal_name:
      'The name that was verified: `legal_name`, or `requested_legal_name`, which takes effect with that. Returns ' +
      '409 `legal_name_changed` if the organization has another one by now. `null`: it has none.',
  },
  ApproveRecovery: {
    this:
      `A recovery needs the approval of ${MAX_APPROVALS} administrators, or of the only one beside its user. After ` +
      `the last one, ${RECOVERY_WAIT / HOUR} hours pass before the user can finish it. First make sure, in another ` +
      'way than by email, that it is the user who asks.',
  },
  PlatformAct: {
    this:
      'A change that an administrator of the platform made. It is written together with the change and never ' +
      'edited.',
    actor_id: 'The administrator who acted.',
    actor_email: 'The address of that administrator at the time.',
    action: 'What was done.',
    target: 'What it was done to.',
    'target.type': 'An organization or a user.',
    'target.id': 'The id of it.',
    'target.name': 'Its name, or the address of the user.',
    metadata: 'Details of the action.',
    'metadata.reason': 'Why. Null without a reason.',
    created_at: 'When it was done.',
    'metadata.changes': '`from` and `to` are the same if the decision confirmed the current value.',
    'metadata.legal_name': 'For decisions about an identity: the legal name that was verified. Null if it had none.',
  },
  PlatformMe: {
    this: "The signed-in user's role on the platform. `role` is null for users who are not administrators.",
    is_admin: 'Whether the user administers the platform.',
    role: 'The role on the platform. Null without one.',
  },
  PlatformOrganization: {
    this: 'An organization, as administrators see it.',
    name: 'The name that customers see.',
    legal_name: 'The name that identity verification is about. Null until it is set.',
    plan: 'The plan, which sets limits.',
    'capacity.list_shards': 'Over how many partitions its lists are spread.',
    requested_legal_name: 'The legal name that waits for approval. Until then `legal_name` stays. Null if none waits.',
    kyc: 'Live keys work only while it is `approved`.',
    rate: 'Requests a minute that each of its API keys may make.',
    capacity: '`list_shards`: over how many partitions of the store its lists are spread.',
  },
  PlatformRecovery: {
    this: 'A request of a user who has lost the second factor and passkeys.',
    email: 'The address of the user.',
    status: 'How the request stands.',
    requested_at: 'When the user asked.',
    expires_at: 'When the request expires.',
    usable_from: 'From when on it can be finished. Null until it is approved.',
    approvals: 'Who has approved it.',
    'approvals[].user_id': 'The administrator.',
    'approvals[].email': 'The address of the administrator.',
    'approvals[].approved_at': 'When they approved it.',
    open: 'False once it is decided or finished, or has expired.',
  },
  RejectKyc: {
    this: 'Also withdraws an approval: live keys are refused from the next request on. The audit log keeps `reason`.',
    legal_name:
      'The name that was reviewed. With `requested_legal_name`, only that request is rejected: `legal_name` and ' +
      '`kyc` stay. `null`: it has none.',
  },
  RejectRecovery: {
    this: 'Also withdraws an approval. The audit log keeps `reason`.',
  },
  SavePlatformAdmin: {
    this: 'Adds an administrator, who need not have signed in before, or changes the role of one. No email is sent.',
    email: 'The address of the user.',
    role: 'The role on the platform.',
  },
  SetCapacity: {
    this:
      'The number only grows: it is for an organization whose lists take more than a few hundred new records a ' +
      'second. Lists of a large organization cost more to read. New records are spread over the partitions a minute ' +
      'later, when every process reads them all; existing records stay where they are.',
    list_shards: 'Over how many partitions its lists are spread.',
  },
  SetRate: {
    this:
      'Requests a minute that each service or secret key of the organization may make; the limit for ten seconds ' +
      'grows with their sum. Requests of sessions, and of public keys by IP address, keep the usual limits. It ' +
      'takes effect within one request of each process of the service. If the request fails with 5xx, send it again ' +
      'with the same idempotency key: some keys may still have the former limits.',
  },
  'ApproveRecovery, RejectRecovery': {
    requested_at: 'Of the request that you reviewed. Returns 409 if there is a newer one.',
  },
  'PlatformAdmin, PlatformRecovery': {
    id: 'The id of the user.',
  },
  'PlatformOrganization, SetRate': {
    payments: 'Payment creations a minute.',
    writes: 'Other writes a minute.',
    reads: 'Reads a minute.',
  },
  PlatformOrganizationList: {
    this: 'Organizations, newest first.',
    organizations: 'The organizations of this page.',
  },
  'ApproveKyc, RejectKyc': {
    org_id: 'The id of the organization.',
  },
  'RejectKyc, RejectRecovery': {
    reason: 'Why, for the audit log.',
  },
  SetPlan: {
    this: 'Changes the plan.',
    plan: 'The new plan. Its limits hold at once.',
  },
  PlatformAdmin: {
    this: 'An administrator of the platform.',
    role: 'The role on the platform.',
  },
  PlatformAdminList: {
    this: 'The administrators, newest first.',
    admins: 'The administrators of this page.',
  },
  PlatformAudit: {
    this: 'What administrators did, newest first.',
    entries: 'The entries of this page.',
  },
  PlatformRecoveryList: {
    this: 'Requests for account recovery, newest first.',
    recoveries: 'The requests of this page.',
  },
  'GET /v1/platform/organizations': {
    kyc: 'Only organizations in this state.',
  },
} as const satisfies Notes;
