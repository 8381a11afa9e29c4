import { beforeEach, describe, expect, it } from 'vitest';
import { newUser } from '#shared/domain/accounts/user.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';
import { type HashVersions, rotationOf } from '#shared/kernel/hash-versions.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import { claimIdSeed } from '#shared/store/idempotency-claim.ts';
import { keys } from '#shared/store/keys.ts';
import { OwnerRepo } from '#shared/store/repos/accounts/owner.repo.ts';
import { mailAddressKey } from '#shared/store/repos/accounts/user.entity.ts';
import { UserRepo } from '#shared/store/repos/accounts/user.repo.ts';
import { ClaimRepo } from '#shared/store/repos/payments/claim.repo.ts';
import { PaymentRepo } from '#shared/store/repos/payments/payment.repo.ts';
import { RetryBudgetRepo } from '#shared/store/repos/payments/retry-budget.repo.ts';
import { VelocityRepo } from '#shared/store/repos/routing/velocity.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { aTicket, times } from '#test/support/memory-store.ts';
import { aPayment } from '#test/support/payment.builder.ts';
import { later, START, stoppedClock } from '#test/support/stopped-clock.ts';

const secretOf = (version: number): string => `secret ${version}`;

const configOf = (versions: HashVersions): HashConfig => {
  const rotation = rotationOf(versions, secretOf);
  return { hashSecret: secretOf(versions.current), ...(rotation && { rotations: { hashSecret: rotation } }) };
};

/** A process at each step of replacing version 1 by version 2. */
const BEFORE = configOf({ current: 1 });
const ANNOUNCED = configOf({ current: 1, next: 2 });
const CHANGED = configOf({ current: 2, previous: 1 });
const AFTER = configOf({ current: 2, former: [1] });
const WITHOUT_FIRST = configOf({ current: 2 });

type Claimed = { readonly state: string; readonly id: string | undefined };
type Claimer = (table: TablePort, config: HashConfig, key: string, at: Date) => Promise<Claimed>;

const planFor =
  (key: string) =>
  async (operation: Operation): Promise<Payment> =>
    aPayment({
      id: operationId(operation, 'payment'),
      created_at: operation.at.toISOString(),
      claim: { request: aTicket({ key }).request, answered: true },
    });

const claimPayment: Claimer = async (table, config, key, at) => {
  const claim = await new PaymentRepo(table, stoppedClock(), config).claim(aTicket({ key }), at, planFor(key));
  return { state: claim.state, id: 'payment' in claim ? claim.payment.id : undefined };
};

const claimRequest: Claimer = async (table, config, key, at) => {
  const claims = new ClaimRepo(table, config);
  const claim = await claims.claim(aTicket({ key }), at);
  const claimId = 'claimId' in claim ? claim.claimId : undefined;
  if (claim.state === 'new') await claims.complete(claim.claimId, { status: 200, body: '{}' }, false);
  return { state: claim.state, id: claimId };
};

const KINDS = [
  ['a payment', claimPayment],
  ['any other request', claimRequest],
] as const;

/** What the store may have deleted by then. */
async function deleteExpired(table: TablePort, key: string, at: Date): Promise<void> {
  for (const version of [1, 2]) {
    const place = keys.claim(claimIdSeed(secretOf(version), aTicket({ key }), 0));
    const item = await table.get(place, { consistent: true });
    if (item?.ttl !== undefined && Number(item.ttl) * 1_000 <= at.getTime()) await table.delete(place);
  }
}

/** Replacing the secret of hashes while requests run. `newTable` makes an empty one. */
export function hashRotation(name: string, newTable: () => Promise<TablePort>): void {
  let table: TablePort;
  beforeEach(async () => {
    table = await newTable();
  });

  describe.each(KINDS)(`${name}: the idempotency key of %s`, (_, claim) => {
    it.each([
      ['announced', 'changed', ANNOUNCED, CHANGED],
      ['changed', 'announced', CHANGED, ANNOUNCED],
      ['changed', 'after the change', CHANGED, AFTER],
      ['after the change', 'changed', AFTER, CHANGED],
      ['before', 'announced', BEFORE, ANNOUNCED],
      ['before', 'changed', BEFORE, CHANGED],
    ] as const)(
      'that a process at step "%s" has claimed is found by one at step "%s"',
      async (_one, _two, one, two) => {
        const first = await claim(table, one, 'order-1', START);
        const second = await claim(table, two, 'order-1', later(HOUR));
        expect([first.state, second]).toEqual(['new', { state: 'completed', id: first.id }]);
      },
    );

    it('is claimed once, however many processes of both steps get it at the same time', async () => {
      for (const key of ['order-1', 'order-2', 'order-3', 'order-4']) {
        const results = await times(12, (n) =>
          claim(table, n % 2 === 0 ? ANNOUNCED : CHANGED, key, START).catch(({ code }) => ({
            state: code,
            id: undefined,
          })),
        );
        expect(results.filter(({ state }) => state === 'new')).toHaveLength(1);
        const repeated = await claim(table, CHANGED, key, later(MINUTE));
        expect(results.find(({ state }) => state === 'new')?.id).toBe(repeated.id);
      }
    });

    it('that has moved is refused by a process that does not know the new version, and not claimed again', async () => {
      await claim(table, CHANGED, 'order-1', START);
      await expect(claim(table, BEFORE, 'order-1', later(MINUTE))).rejects.toMatchObject({
        code: 'idempotency_in_progress',
      });
    });

    it('is new again a day later, at every step', async () => {
      for (const [n, config] of [ANNOUNCED, CHANGED, ANNOUNCED, CHANGED].entries())
        expect((await claim(table, config, 'order-1', later(n * 25 * HOUR))).state).toBe('new');
    });

    it('is found for a whole day after its claim, if an earlier one was released', async () => {
      await claim(table, CHANGED, 'order-1', START);
      await table.delete(keys.claim(claimIdSeed(secretOf(2), aTicket({ key: 'order-1' }), 0)));
      const second = await claim(table, CHANGED, 'order-1', later(23 * HOUR));
      expect([second.state, await claim(table, ANNOUNCED, 'order-1', later(25 * HOUR))]).toEqual([
        'new',
        { state: 'completed', id: second.id },
      ]);
    });

    it('is found for a whole day, whatever the store has deleted of the item that led to it', async () => {
      await claim(table, CHANGED, 'order-1', START);
      const [again, last] = [later(DAY + 23 * HOUR), later(2 * DAY + 22 * HOUR)];
      await deleteExpired(table, 'order-1', again);
      const second = await claim(table, CHANGED, 'order-1', again);
      await deleteExpired(table, 'order-1', last);
      expect([second.state, await claim(table, ANNOUNCED, 'order-1', last)]).toEqual([
        'new',
        { state: 'completed', id: second.id },
      ]);
    });
  });

  describe(`${name}: a user`, () => {
    const signIn = async (config: HashConfig, email: string) => {
      const users = new UserRepo(table, config);
      const known = await users.byEmail(email);
      const user = known ? { ...known, version: known.version + 1 } : newUser(users.idFor(email), email, START);
      const session = {
        id: 'sess_1',
        user_id: user.id,
        email,
        created_at: START.toISOString(),
        ends_at: later(DAY).toISOString(),
        proved_at: START.toISOString(),
        proved_by: 'mail',
        hash: `${email} ${Math.trunc(performance.now() * 1_000)}`,
      } as const;
      const record = { session, user, isNew: !known, newMemberships: [], acceptedInvitations: [] };
      return { user, isNew: !known, result: await users.recordSignIn(record) };
    };
    const found = async (config: HashConfig, email: string) => (await new UserRepo(table, config).byEmail(email))?.id;

    it('has one account, if processes of both steps meet the address at the same time', async () => {
      for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
        const results = await times(6, (n) => signIn(n % 2 === 0 ? ANNOUNCED : CHANGED, email));
        // Whoever looks the address up after the first has signed in finds the account, and signs in to it.
        expect(results.filter(({ isNew, result }) => isNew && result === 'done')).toHaveLength(1);
        expect(await found(ANNOUNCED, email)).toBe(await found(CHANGED, email));
      }
    });

    it('is found at every step, and has the same id', async () => {
      const { user } = await signIn(BEFORE, 'a@example.com');
      for (const config of [ANNOUNCED, CHANGED, AFTER]) expect(await found(config, 'a@example.com')).toBe(user.id);
    });

    it('moves with the next sign-in, and then needs the first version no more', async () => {
      const { user } = await signIn(BEFORE, 'a@example.com');
      expect(await found(WITHOUT_FIRST, 'a@example.com')).toBeUndefined();
      await signIn(CHANGED, 'a@example.com');
      expect(await found(WITHOUT_FIRST, 'a@example.com')).toBe(user.id);
      expect(await found(BEFORE, 'a@example.com')).toBe(user.id);
    });

    it('is no longer found by a hash of the replaced secret after a sign-in when no process uses it any more', async () => {
      await signIn(BEFORE, 'a@example.com');
      await signIn(CHANGED, 'a@example.com');
      await signIn(AFTER, 'a@example.com');
      expect(await table.get(mailAddressKey('a@example.com')(secretOf(1)))).toBeUndefined();
      expect(await table.get(mailAddressKey('a@example.com')(secretOf(2)))).toMatchObject({ hash_version: 2 });
    });
  });

  describe(`${name}: the owner of a bootstrapped organization`, () => {
    const OWNER = { email: 'owner@example.com', org_id: 'org_1', created_at: START.toISOString() };

    it('is recorded once, whichever steps the processes are at', async () => {
      for (const [one, two] of [
        [BEFORE, ANNOUNCED],
        [ANNOUNCED, CHANGED],
        [CHANGED, ANNOUNCED],
        [CHANGED, AFTER],
      ] as const) {
        table = await newTable();
        expect(await new OwnerRepo(table, one).record(OWNER)).toBe(true);
        expect(await new OwnerRepo(table, two).record(OWNER)).toBe(false);
        expect((await new OwnerRepo(table, two).byEmail(OWNER.email))?.org_id).toBe('org_1');
      }
    });
  });

  describe(`${name}: a limit`, () => {
    it('of the velocity rules goes on counting under the new version', async () => {
      const rule = { field: 'token', window: '24h', max_payments: 2 } as const;
      const check = (n: number) => ({ orgId: 'org_1', rule, value: 'cus_1', amount: 100, paymentId: aPaymentId(n) });
      await new VelocityRepo(table, BEFORE).countEach([check(1)], START);
      const changed = new VelocityRepo(table, CHANGED);
      expect(await changed.countEach([check(2)], START)).toEqual([]);
      expect(await changed.countEach([check(3)], START)).toHaveLength(1);
    });

    it('of retries goes on counting under the new version', async () => {
      const instrument = { orgId: 'org_1', provider: 'stripe', token: 'tok_1' };
      const slot = (n: number) => ({ ...instrument, attemptId: anAttemptId(n), paymentId: aPaymentId(n) });
      const reserved = async (config: HashConfig, from: number, to: number) => {
        const budget = new RetryBudgetRepo(table, config);
        for (let n = from; n < to; n += 1) if (await budget.reserve(slot(n), later(n))) return n;
        return undefined;
      };
      const limit = await reserved(BEFORE, 0, 100);
      expect(limit).toBeGreaterThan(1);
      table = await newTable();
      expect(await reserved(BEFORE, 0, Number(limit) - 1)).toBeUndefined();
      expect(await reserved(CHANGED, Number(limit) - 1, 100)).toBe(limit);
    });
  });
}

const idOf = (kind: 'payment' | 'attempt') => (n: number) =>
  operationId({ seed: `${kind} ${n}`, at: START, resumed: false }, kind);
const aPaymentId = idOf('payment');
const anAttemptId = idOf('attempt');
