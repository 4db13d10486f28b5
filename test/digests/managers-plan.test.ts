import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ManagersFacts,
  planForManagers,
  type ReaderAccount,
  sizeOfPlan,
} from '../../src/digests/managers-plan.js';
import type { TeamEntry } from '../../src/runner/ports.js';
import { propertyRuns } from '../property-runs.js';

const team = (address: string, rows = 2, more: Partial<TeamEntry> = {}): TeamEntry => ({
  address,
  people: 3,
  concerned: Math.min(rows, 2),
  rows,
  allRows: rows,
  at: 0,
  bytes: 0,
  ...more,
});
const member = (id: string, more: Partial<ReaderAccount> = {}): ReaderAccount => ({
  id,
  standing: 'member',
  isConfirmed: true,
  zone: 'UTC',
  ...more,
});
const facts = (more: Partial<ManagersFacts>): ManagersFacts => ({
  teams: [],
  accounts: new Map(),
  mayRead: () => true,
  knownReader: () => undefined,
  turnOf: () => 'now',
  saysNothingLeft: true,
  ...more,
});

describe('the plan of a digest for managers', () => {
  const why = (...accounts: ReaderAccount[]) =>
    planForManagers(facts({ teams: [team('a@x.org')], accounts: new Map([['a@x.org', accounts]]) }))
      .notReached[0]?.why;

  it('says why a manager cannot be reached', () => {
    expect(why()).toBe('no-account');
    expect(why(member('U1', { standing: 'bot' }))).toBe('no-account');
    expect(why(member('U1', { standing: 'guest' }))).toBe('guest');
    expect(why(member('U1', { standing: 'gone' }))).toBe('deactivated');
    expect(why(member('U1', { standing: 'outsider' }))).toBe('outsider');
    expect(why(member('U1', { isConfirmed: false }))).toBe('unconfirmed');
    expect(why(member('U1'), member('U2'))).toBe('several-accounts');
  });

  it('takes the account that can read where others with the address cannot', () => {
    const accounts = [member('U1', { standing: 'gone' }), member('U2', { isConfirmed: false }), member('U3')];
    const plan = planForManagers(
      facts({ teams: [team('a@x.org')], accounts: new Map([['a@x.org', accounts]]) }),
    );
    expect(plan.messages.map(({ account }) => account.id)).toEqual(['U3']);
  });

  it('tells of nothing left once, and only those who had something', () => {
    const accounts = new Map([
      ['a@x.org', [member('U1')]],
      ['b@x.org', [member('U2')]],
    ]);
    const knownReader = ({ id }: ReaderAccount) => ({ hasDeclined: false, lastRows: id === 'U1' ? 4 : 0 });
    const plan = planForManagers(facts({ teams: [team('b@x.org', 0)], accounts, knownReader }));
    expect(plan.messages).toEqual([
      {
        address: 'a@x.org',
        account: member('U1'),
        team: undefined,
        known: { hasDeclined: false, lastRows: 4 },
      },
    ]);
    expect(plan.nothingToTell).toBe(1);
    const silent = planForManagers(
      facts({ teams: [team('b@x.org', 0)], accounts, knownReader, saysNothingLeft: false }),
    );
    expect(silent.messages).toEqual([]);
  });

  it('sends nothing to a manager at a first run that is the baseline', () => {
    const accounts = new Map([['a@x.org', [member('U1')]]]);
    const plan = planForManagers(facts({ teams: [team('a@x.org', 5, { isBaseline: true })], accounts }));
    expect(plan).toMatchObject({ messages: [], nothingToTell: 1, quiet: [{ address: 'a@x.org' }] });
  });

  it('counts each manager once, whatever their account, level and hour', () => {
    const standing = fc.constantFrom<ReaderAccount['standing']>(
      'member',
      'guest',
      'outsider',
      'bot',
      'gone',
      'unknown',
    );
    const account = fc.record({
      id: fc.constantFrom('U1', 'U2', 'U3', 'U4'),
      standing,
      isConfirmed: fc.boolean(),
    });
    const manager = fc.record({
      accounts: fc.array(account, { maxLength: 3 }),
      rows: fc.nat(3),
      hasTeam: fc.boolean(),
      mayRead: fc.boolean(),
      hasDeclined: fc.boolean(),
      lastRows: fc.nat(2),
      turn: fc.constantFrom('now', 'other-wave', 'day-over'),
    });
    fc.assert(
      fc.property(fc.array(manager, { maxLength: 8 }), (managers) => {
        const withIds = managers.map((one, n) => ({
          ...one,
          address: `m${n}@x.org`,
          accounts: one.accounts.map((each) => ({ ...each, id: `${each.id}-${n}`, zone: `Zone/${n}` })),
        }));
        const of = ({ id }: ReaderAccount) => withIds[Number(id.split('-')[1])];
        const plan = planForManagers({
          teams: withIds.flatMap(({ hasTeam, address, rows }) => (hasTeam ? team(address, rows) : [])),
          accounts: new Map(withIds.map(({ address, accounts }) => [address, accounts])),
          mayRead: (one) => of(one)?.mayRead === true,
          knownReader: (one) => of(one),
          turnOf: (zone) =>
            zone === undefined ? 'now' : (withIds[Number(zone.split('/')[1])]?.turn ?? 'now'),
          saysNothingLeft: true,
        });
        for (const { address, account } of plan.messages) {
          const one = of(account);
          expect(one?.address).toBe(address);
          expect(account).toMatchObject({ standing: 'member', isConfirmed: true });
          expect(one).toMatchObject({ mayRead: true, hasDeclined: false, turn: 'now' });
          expect(one?.hasTeam === true && one.rows > 0 ? one.rows : one?.lastRows).toBeGreaterThan(0);
        }
        const told = [
          ...plan.messages.map(({ address }) => address),
          ...plan.notReached.map(({ who }) => who),
        ];
        expect(new Set(told).size).toBe(told.length);
        // Whoever can be reached now and has something is told.
        for (const one of withIds) {
          const readers = one.accounts.filter((each) => each.standing === 'member' && each.isConfirmed);
          if (readers.length !== 1 || !one.mayRead || one.hasDeclined || one.turn !== 'now') continue;
          const isTold = plan.messages.some(({ address }) => address === one.address);
          expect(isTold).toBe((one.hasTeam && one.rows > 0) || one.lastRows > 0);
        }
        expect(sizeOfPlan(plan).messages).toBe(plan.messages.length);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
